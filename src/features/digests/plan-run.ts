import type { Digest, Missed } from './digest.ts';
import { nextRun } from './next-run.ts';

const hourMs = 3_600_000;

interface RunPlan {
  /** The run to do now; null when all that were due are too old. */
  scheduledFor: Date | null;
  /** The runs that are skipped, including those missed before. */
  missed: Missed | null;
  nextRunAt: Date;
}

/** Runs up to this old are caught up. */
const catchUpMs = 2 * hourMs;
/** After weeks without a process the next round handles the rest. */
const maxRunsAtOnce = 500;

/** Of the runs due at `now` the latest is done, unless it is too old; the earlier ones are reported as missed. */
export function planRun(
  { schedule, zone, nextRunAt }: Pick<Digest, 'schedule' | 'zone' | 'nextRunAt'>,
  missed: Missed | null,
  now: Date,
): RunPlan {
  const due = [nextRunAt];
  let next = nextRun(schedule, zone, nextRunAt);
  while (next <= now && due.length < maxRunsAtOnce) {
    due.push(next);
    next = nextRun(schedule, zone, next);
  }
  const newest = due.at(-1) ?? nextRunAt;
  const scheduledFor = next > now && now.getTime() - newest.getTime() <= catchUpMs ? newest : null;
  return {
    scheduledFor,
    missed: addMissed(missed, scheduledFor ? due.slice(0, -1) : due),
    nextRunAt: next,
  };
}

function addMissed(before: Missed | null, runs: readonly Date[]): Missed | null {
  const [first] = runs;
  const last = runs.at(-1);
  if (!first || !last) return before;
  return { count: (before?.count ?? 0) + runs.length, first: before?.first ?? first, last };
}
