import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { keepCompiled } from './scripts/compile-cache.ts';
import { longFiles } from './scripts/long-files.ts';
import { preferMemory } from './scripts/ram-disk.ts';

preferMemory();
keepCompiled();

export default defineConfig({
  test: {
    environment: 'node',
    include: ['test/**/*.test.ts'],
    exclude: longFiles(),
    globalSetup: ['test/helpers/build.ts'],
    // Files share a process: no test changes what another sees, and half of a run was loading the same modules again.
    isolate: false,
    // Many tests wait for other programs, and the stories beside them for windows: a machine of two cores can do two at once.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    setupFiles: ['test/helpers/laws.ts'],
    // Only what hangs shall end by it: on one busy core the longest test takes a minute.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 15_000 } },
  },
});
