import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';

export default defineConfig({
  main: {
    // `dependencies` stay outside (better-sqlite3 is native); `devDependencies` are bundled.
    build: {
      sourcemap: true,
      rollupOptions: {
        input: {
          index: 'src/main/index.ts',
          'core-process': 'src/main/core-process.ts',
          'search-worker': 'src/core/search/search-worker.ts',
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
    build: { sourcemap: true, minify: true },
  },
});
