import { inBackground } from '../database/dialect.ts';
import { messageOf } from '../errors.ts';
import { createFairQueue } from '../fair-queue.ts';
import type { Job } from '../features/feature.ts';
import { type Logger, underReference } from '../log.ts';
import { type Measure, measureNothing } from '../measure.ts';

export type JobLoop = ReturnType<typeof createJobLoop>;

/** From the end of one round to the start of the next. */
const intervalMs = 1_000;
/** The interval doubles with each failure, up to this. */
const maxIntervalMs = 30_000;
/** After this, a round claims no more work, so that the next one starts with the current time. */
const maxRoundMs = 30_000;

/** Runs one job in rounds that never overlap, and waits for no other job. */
export function createJobLoop(options: {
  job: Job;
  /** The domain clock. */
  now: () => Date;
  monotonicNow: () => number;
  measure?: Measure;
  logger: Logger;
  /** For the log. */
  fields?: Record<string, unknown>;
}) {
  const { job, now, monotonicNow, measure = measureNothing, logger, fields } = options;
  const { name } = job;
  const rounds = createFairQueue({ max: () => 1 });
  let waiting: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let failures = 0;
  let failure: unknown;
  let finishedAt: number | undefined;

  async function runRound(): Promise<void> {
    if (!isStopped) await underReference(tryRound);
  }

  async function tryRound(): Promise<void> {
    const endsAt = monotonicNow() + maxRoundMs;
    try {
      await inBackground(async () => job.runDue(now(), () => !isStopped && monotonicNow() < endsAt));
      if (failures > 0) logger.info({ job: name, ...fields, failures }, 'a job works again');
      failures = 0;
      failure = undefined;
    } catch (error) {
      failures += 1;
      failure = error;
      const reason = messageOf(error);
      logger.warn({ job: name, ...fields, failures, reason }, 'a job failed; it is tried again');
      measure({ kind: 'job-failure', job: name });
      throw error;
    } finally {
      finishedAt = monotonicNow();
    }
  }

  /** Requests that come while a round is under way share the next one. */
  function runOnce(): Promise<void> {
    waiting ??= rounds.run(() => {
      waiting = undefined;
      return runRound();
    });
    return waiting;
  }

  const waitMs = () => Math.min(maxIntervalMs, intervalMs * 2 ** Math.min(failures, 10));

  function scheduleNext(): void {
    if (isStopped) return;
    // runRound has logged the failure.
    timer = setTimeout(
      () =>
        void runOnce()
          .catch(() => {})
          .finally(scheduleNext),
      waitMs(),
    );
  }

  return {
    name,
    /** Runs one round, after any that is under way. Rejects if the job fails. */
    runOnce,
    /** Runs rounds at intervals from now on. */
    start() {
      finishedAt = monotonicNow();
      scheduleNext();
    },
    /** Milliseconds to wait before the next round. */
    waitMs,
    /** Why the last round failed; undefined if it succeeded. */
    failure: () => failure,
    /** Milliseconds since the last round, or since the start; undefined before either. */
    sinceRoundMs: () => (finishedAt === undefined ? undefined : monotonicNow() - finishedAt),
    /** Starts no more rounds; resolves when no work is under way. */
    async stop(): Promise<void> {
      isStopped = true;
      clearTimeout(timer);
      await rounds.run(async () => {});
      await job.finish?.();
    },
  };
}
