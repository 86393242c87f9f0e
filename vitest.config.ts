import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    environment: 'node',
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/helpers/build.ts'],
    setupFiles: ['test/helpers/laws.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
