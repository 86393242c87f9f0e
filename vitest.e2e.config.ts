import { defineConfig } from 'vitest/config';
import { keepCompiled } from './scripts/compile-cache.ts';
import { longFiles } from './scripts/long-files.ts';
import { preferMemory } from './scripts/ram-disk.ts';

preferMemory();
keepCompiled();

export default defineConfig({
  test: {
    environment: 'node',
    include: ['e2e/**/*.test.ts'],
    exclude: longFiles(),
    globalSetup: ['test/helpers/build.ts'],
    // Each file drives a browser and reads windows; two at once only slow each other down.
    fileParallelism: false,
    // They share a process, its modules and its browser.
    isolate: false,
    setupFiles: ['e2e/one-browser.ts'],
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // A window on a machine with other work takes longer than the second that is waited by default.
    expect: { poll: { timeout: 30_000 } },
  },
});
