import { chmodSync } from 'node:fs';
import { defineConfig } from 'vite';

const entry = 'out/cli/index.js';

/** The command line: one program for Node. Only better-sqlite3, which is native, stays outside the bundle. */
export default defineConfig({
  logLevel: 'warn',
  ssr: { noExternal: true, external: ['better-sqlite3'] },
  build: {
    ssr: 'src/cli/index.ts',
    outDir: 'out/cli',
    emptyOutDir: false,
    sourcemap: true,
    minify: true,
    // An old Node must be able to read the sentence that refuses it.
    target: 'node18',
    rollupOptions: { output: { entryFileNames: 'index.js', chunkFileNames: '[name]-[hash].js' } },
  },
  plugins: [{ name: 'executable', closeBundle: () => chmodSync(entry, 0o755) }],
});
