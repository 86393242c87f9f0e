import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';

export default defineConfig({
  main: {
    // `dependencies` stay outside (better-sqlite3 is native); `devDependencies` are bundled.
    build: {
      sourcemap: true,
      rollupOptions: {
        // In web-tree-sitter, for modules that bring JavaScript with them; grammars bring none.
        checks: { eval: false },
        input: {
          index: 'src/main/index.ts',
          'core-process': 'src/main/core-process.ts',
          'declaration-worker': 'src/core/grammars/worker.ts',
          'search-worker': 'src/core/search/search-worker.ts',
          'journal-worker': 'src/core/journal/journal-worker.ts',
        },
      },
    },
  },
  preload: {
    // A sandboxed preload is one CommonJS file that requires nothing but `electron`.
    build: { externalizeDeps: false, rollupOptions: { output: { format: 'cjs', entryFileNames: '[name].cjs' } } },
  },
  renderer: {
    plugins: [react()],
    // Its form for browsers asks a document, which a worker has not.
    resolve: { alias: { 'decode-named-character-reference': resolve('node_modules/decode-named-character-reference/index.js') } },
    // The page's policy lets no font come from a `data:` address.
    build: { sourcemap: true, minify: true, assetsInlineLimit: 0 },
  },
});
