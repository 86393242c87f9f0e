import { defineConfig } from 'electron-vite';

export default defineConfig({
  main: {
    build: {
      // `dependencies` stay outside (better-sqlite3 is native); `devDependencies` are bundled.
      outDir: 'out/cli',
      sourcemap: true,
      rollupOptions: { input: { index: 'src/cli/index.ts' } },
    },
  },
});
