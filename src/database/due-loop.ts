import type { Logger } from '../log.ts';

export interface DueLoop {
  /** Does all that is due now, after what is under way; rejects with the first failure of a job, when all have had their turn. */
  runDue(): Promise<void>;
  /** From now on by itself. */
  start(): void;
  /** Begins nothing more, and resolves when nothing is under way, or after `deadlineMs`. */
  stop(deadlineMs: number): Promise<void>;
  /** Why the last run by itself failed; undefined when it did not. */
  failure(): string | undefined;
}

interface DueLoopOptions {
  /** What is due, in this order. Each does nothing, cheaply, when nothing is. */
  jobs: readonly ((now: Date) => Promise<unknown>)[];
  /** The domain clock. */
  now: () => Date;
  logger: Logger;
  /** Between the end of one run and the start of the next, in milliseconds of the real clock. */
  intervalMs?: number;
  /** The longest wait after failures. */
  maxIntervalMs?: number;
}

/** The one timer of all scheduled work. Runs never overlap, whoever asks for them. */
export function createDueLoop(options: DueLoopOptions): DueLoop {
  const { jobs, now, logger, intervalMs = 1_000, maxIntervalMs = 30_000 } = options;
  let running: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let started = false;
  let stopped = false;
  let failures = 0;
  let failure: string | undefined;

  /** One job that fails keeps none of the others from their turn; then the first failure is thrown. */
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

  function runDue(): Promise<void> {
    const run = running.then(runAll);
    running = run.catch(() => {});
    return run;
  }

  async function runByItself(): Promise<void> {
    try {
      await runDue();
      if (failure !== undefined) logger.info({ failures }, 'scheduled work goes on');
      failures = 0;
      failure = undefined;
    } catch (error) {
      failures += 1;
      failure = error instanceof Error ? error.message : String(error);
      logger.warn({ failures, reason: failure }, 'scheduled work could not be done');
    }
    plan();
  }

  function plan(): void {
    if (stopped || !started) return;
    timer = setTimeout(runByItself, Math.min(maxIntervalMs, intervalMs * 2 ** Math.min(failures, 10)));
  }

  return {
    runDue,
    start() {
      started = true;
      plan();
    },
    failure: () => failure,
    async stop(deadlineMs) {
      stopped = true;
      clearTimeout(timer);
      const { promise: deadline, resolve } = Promise.withResolvers<void>();
      const ending = setTimeout(resolve, deadlineMs);
      await Promise.race([running, deadline]);
      clearTimeout(ending);
    },
  };
}
