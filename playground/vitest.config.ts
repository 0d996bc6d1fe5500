import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/support/seed.ts'],
    maxWorkers: availableParallelism() + 1,
    // Modules hold no state, so files can share a worker and load their imports once.
    pool: 'threads',
    isolate: false,
    // Generous, for a busy machine.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 45_000 } },
    reporters: process.env.CI ? ['default'] : ['dot'],
  },
});
