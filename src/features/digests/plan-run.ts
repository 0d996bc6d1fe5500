import type { Digest, Missed } from './digest.ts';
import { nextRun } from './next-run.ts';

const hourMs = 3_600_000;

export interface RunPlan {
  /** The run that is done now; null when all that were due are too old. */
  scheduledFor: Date | null;
  /** Those that are not done any more, with those missed before. */
  missed: Missed | null;
  nextRunAt: Date;
}

/** A run up to so old is caught up. */
const catchUpMs = 2 * hourMs;
/** After weeks without a process the rest is looked at in the next round. */
const runsAtOnce = 500;

/** Of the runs due at `now` the newest is done, unless it is too old; the ones before it are reported as missed. */
export function planRun(
  { schedule, zone, nextRunAt }: Pick<Digest, 'schedule' | 'zone' | 'nextRunAt'>,
  missed: Missed | null,
  now: Date,
): RunPlan {
  const due = [nextRunAt];
  let next = nextRun(schedule, zone, nextRunAt);
  while (next <= now && due.length < runsAtOnce) {
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
