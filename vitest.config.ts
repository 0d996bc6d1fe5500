import { availableParallelism, setPriority } from 'node:os';
import { defineConfig } from 'vitest/config';
import SlowestFirst from './test/support/slowest-first.ts';

// That of the process that draws maps, which tests at a higher priority would starve until Slack gives up.
setPriority(10);

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Trials, each of which kills processes: npm run test:crash.
    exclude: process.env.CRASH_TRIALS === undefined ? ['test/crash/**'] : [],
    globalSetup: [
      'test/support/run-directory.ts',
      'test/support/bundle.ts',
      'test/support/postgres-server.ts',
    ],
    setupFiles: ['test/support/seed.ts', 'test/support/statements/setup.ts'],
    // One more than cores: a third of the time, a file waits for PostgreSQL, a browser or another process.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: SlowestFirst },
    // Modules hold no state, so files can share a worker and load their imports once, in half the time.
    pool: 'threads',
    isolate: false,
    // Generous: on a busy machine a voyage of ten days takes more than a minute.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 45_000 } },
    reporters: process.stdout.isTTY && !process.env.CI ? ['dot'] : ['default'],
  },
});
