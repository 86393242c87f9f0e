import { chmodSync } from 'node:fs';
import { defineConfig } from 'vite';

const entry = 'out/cli/index.js';

/** The command line: one program for Node. Outside the bundle stay better-sqlite3, which is native, and trash, which brings programs. */
export default defineConfig({
  logLevel: 'warn',
  ssr: { noExternal: true, external: ['better-sqlite3', 'trash'] },
  build: {
    ssr: true,
    outDir: 'out/cli',
    emptyOutDir: false,
    sourcemap: true,
    minify: true,
    // An old Node must be able to read the sentence that refuses it.
    target: 'node18',
    rollupOptions: {
      // In web-tree-sitter, for modules that bring JavaScript with them; grammars bring none.
      checks: { eval: false },
      // The workers are programs of their own: `core/grammars/pool.ts` and `core/search/search-desk.ts` find them by their names.
      input: {
        index: 'src/cli/index.ts',
        'declaration-worker': 'src/core/grammars/worker.ts',
        'search-worker': 'src/core/search/search-worker.ts',
        'journal-worker': 'src/core/journal/journal-worker.ts',
        'segment-worker': 'src/core/storage/segment-worker.ts',
        'stat-worker': 'src/core/workspace/stat-worker.ts',
      },
      output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    },
  },
  plugins: [{ name: 'executable', closeBundle: () => chmodSync(entry, 0o755) }],
});
