import { StoreUnavailable } from '../errors.ts';
import type { Job } from '../features/feature.ts';
import type { Logger } from '../log.ts';
import { createJobLoop, type JobLoop } from './job-loop.ts';

export type Jobs = ReturnType<typeof createJobs>;

/** A round claims work for half a minute and then finishes what it has claimed. */
const maxSinceRoundMs = 2 * 60_000;

/** The due work of the process: one loop per kind of job, so one that hangs or fails holds up no other. */
export function createJobs(options: {
  jobs: readonly Job[];
  /** The domain clock. */
  now: () => Date;
  realNow: () => number;
  logger: Logger;
}) {
  const { jobs, ...common } = options;
  const loops = jobs.map((job) => createJobLoop({ job, ...common }));

  return {
    /** Runs every job once, one after the other, each after its round under way. Throws the first error at the end. */
    async runDue(): Promise<void> {
      const errors: unknown[] = [];
      for (const { runOnce } of loops) await runOnce().catch((error: unknown) => errors.push(error));
      if (errors.length > 0) throw errors[0];
    },
    /** Runs the jobs at intervals from now on, each on its own. */
    start() {
      for (const loop of loops) loop.start();
    },
    /** Which jobs failed or hang, in words; empty if all is well. */
    whyNotReady: (): string[] => [...new Set(loops.flatMap(troublesOf))],
    /** Starts no more work; resolves when none is under way, or after `deadlineMs`. */
    async stop(deadlineMs: number): Promise<void> {
      const { promise: deadline, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, deadlineMs);
      await Promise.race([Promise.all(loops.map((loop) => loop.stop())), deadline]);
      clearTimeout(timer);
    },
  };
}

function troublesOf({ name, failure, sinceRoundMs }: JobLoop): string[] {
  const error = failure();
  const waitedMs = sinceRoundMs() ?? 0;
  const failed =
    error instanceof StoreUnavailable
      ? 'the database does not answer'
      : `the last round of ${name} failed; the log says why`;
  const late = `${name} have not finished a round for ${Math.floor(waitedMs / 60_000)} minutes`;
  return [...(error === undefined ? [] : [failed]), ...(waitedMs < maxSinceRoundMs ? [] : [late])];
}
