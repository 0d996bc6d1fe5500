import { messageOf } from '../errors.ts';
import type { Logger } from '../log.ts';

export type DueLoop = ReturnType<typeof createDueLoop>;

/** From the end of one run to the start of the next. */
const intervalMs = 1_000;
/** The interval doubles with each failure, up to this. */
const maxIntervalMs = 30_000;

/** The one timer of all scheduled work. Runs never overlap. */
export function createDueLoop(options: {
  /** They run in this order. A job with nothing due is cheap. */
  jobs: readonly ((now: Date) => Promise<unknown>)[];
  /** The domain clock. */
  now: () => Date;
  logger: Logger;
}) {
  const { jobs, now, logger } = options;
  let running: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let failures = 0;
  let failure: string | undefined;

  /** A job that fails does not stop the others; the first error is thrown at the end. */
  async function runAll(): Promise<void> {
    const errors: unknown[] = [];
    for (const job of jobs) {
      if (stopped) break;
      try {
        await job(now());
      } catch (error) {
        errors.push(error);
      }
    }
    for (const error of errors.slice(1)) logger.warn({ err: error }, 'another scheduled job failed too');
    if (errors.length > 0) throw errors[0];
  }

  /** Runs every job once, after any run under way. */
  function runDue(): Promise<void> {
    const run = running.then(runAll);
    running = run.catch(() => {});
    return run;
  }

  async function runAutomatically(): Promise<void> {
    try {
      await runDue();
      if (failure !== undefined) logger.info({ failures }, 'scheduled work has resumed');
      failures = 0;
      failure = undefined;
    } catch (error) {
      failures += 1;
      failure = messageOf(error);
      logger.warn({ failures, reason: failure }, 'scheduled work failed');
    }
    scheduleNext();
  }

  function scheduleNext(): void {
    if (stopped) return;
    timer = setTimeout(runAutomatically, Math.min(maxIntervalMs, intervalMs * 2 ** Math.min(failures, 10)));
  }

  return {
    runDue,
    /** Runs at intervals from now on. */
    start: scheduleNext,
    /** Why the last automatic run failed; undefined if it succeeded. */
    failure: () => failure,
    /** Starts no more jobs; resolves when none is under way, or after `deadlineMs`. */
    async stop(deadlineMs: number): Promise<void> {
      stopped = true;
      clearTimeout(timer);
      const { promise: deadline, resolve } = Promise.withResolvers<void>();
      const stopTimer = setTimeout(resolve, deadlineMs);
      await Promise.race([running, deadline]);
      clearTimeout(stopTimer);
    },
  };
}
