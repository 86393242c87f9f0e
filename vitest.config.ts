import { defineConfig } from 'vitest/config';
import { longFiles } from './scripts/long-files.ts';

export default defineConfig({
  test: {
    environment: 'node',
    include: ['test/**/*.test.ts'],
    exclude: longFiles(),
    globalSetup: ['test/helpers/build.ts'],
    setupFiles: ['test/helpers/laws.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
  },
});
