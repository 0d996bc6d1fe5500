import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/run-directory.ts', 'test/support/postgres-server.ts'],
    setupFiles: ['test/support/seed.ts'],
    // One core is left free by default, which on a machine of two runs one file at a time; many files wait
    // for processes and leases.
    maxWorkers: '100%',
    // Nothing is kept in modules, so that files share a worker: what they import is loaded once (half the time).
    pool: 'threads',
    isolate: false,
    // Of what hangs: on a machine that does much else a voyage of ten days takes more than a minute.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    reporters: process.env.CI ? ['default'] : ['dot'],
  },
});
