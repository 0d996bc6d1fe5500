import { fork } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Change } from './changes.ts';
import type { Failure, FileResult, Message } from './messenger.ts';

export interface Plan {
  changes: readonly Change[];
  /** The index of the one that is switched on. Without it, all tests run to see what they reach. */
  active?: number;
  /** The test files to run, in this order. Default: those that `patterns` match. */
  files?: readonly string[];
}

export interface Run {
  files: FileResult[];
  failures: Failure[];
  /** Of no test, such as an unhandled rejection. */
  errors: readonly string[];
  hung: boolean;
}

/** The path of the plan's file, for the process with the tests. */
export const planVariable = 'MUTANTS_PLAN';

/** Longer than the limit of any single test, so only code that blocks its thread is cut off. */
const silenceMs = 240_000;

/** Runs tests in a process of their own, which can be ended if a change makes them loop for ever. */
export async function runTests(plan: Plan, patterns: readonly string[] = []): Promise<Run> {
  const directory = mkdtempSync(join(tmpdir(), 'landfall-mutants-'));
  const path = join(directory, 'plan.json');
  writeFileSync(path, JSON.stringify(plan));
  const vitest = fork(
    'node_modules/vitest/vitest.mjs',
    ['run', '--config=scripts/mutants/vitest.config.ts', ...patterns],
    {
      env: { ...process.env, [planVariable]: path },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      // A group, with all processes that tests have started.
      detached: true,
    },
  );
  const run: Run = { files: [], failures: [], errors: ['Vitest ended early'], hung: false };
  const end = (signal: NodeJS.Signals) => vitest.pid !== undefined && process.kill(-vitest.pid, signal);
  const watchdog = setTimeout(() => {
    run.hung = true;
    end('SIGKILL');
  }, silenceMs);
  vitest.on('message', (message: Message) => {
    watchdog.refresh();
    if (message.kind === 'end') {
      run.errors = message.errors;
      // The open channel would keep the process alive.
      vitest.disconnect();
      return;
    }
    if (message.kind === 'file') run.files.push(message.result);
    if (message.failure) run.failures.push(message.failure);
  });
  const interrupt = () => end('SIGTERM');
  process.once('exit', interrupt);
  await new Promise((resolve) => vitest.once('exit', resolve));
  process.off('exit', interrupt);
  clearTimeout(watchdog);
  rmSync(directory, { recursive: true });
  return run;
}
