import { chmodSync } from 'node:fs';
import { defineConfig } from 'electron-vite';

const entry = 'out/cli/index.js';

export default defineConfig({
  main: {
    build: {
      // `dependencies` stay outside (better-sqlite3 is native); `devDependencies` are bundled.
      outDir: 'out/cli',
      sourcemap: true,
      // An old Node must be able to read the sentence that refuses it.
      target: 'node18',
      rollupOptions: {
        input: { index: 'src/cli/index.ts' },
        output: { chunkFileNames: '[name]-[hash].js' },
      },
    },
    plugins: [{ name: 'executable', closeBundle: () => chmodSync(entry, 0o755) }],
  },
});
