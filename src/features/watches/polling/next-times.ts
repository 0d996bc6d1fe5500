import type { Updateable } from 'kysely';
import { rankProspects } from '../../../analytics/rank-prospects.ts';
import type { Schema } from '../../../database/schema.ts';
import { wakesAt } from '../evaluation/muting.ts';
import type { Snapshot } from '../evaluation/snapshot.ts';
import type { Follower } from './followers.ts';
import { pollIntervalMinutes, stretch } from './interval.ts';
import type { Polled } from './polled.ts';

type Times = Pick<
  Required<Updateable<Schema['subjects']>>,
  'due_at' | 'attempts' | 'interval_minutes' | 'polled_at' | 'failing_since' | 'nearest_eta'
>;

/** While all who follow it are paused a subject is left alone: resuming one makes it due. */
const unfollowedMs = 24 * 3_600_000;

/** When a subject is asked again: after its interval, or sooner when a watch wakes, or after the back-off. */
export function nextTimes(
  { row, snapshot, retryMs, stretch: factor }: Polled,
  {
    followers,
    isFollowed,
    now,
    fixedMinutes,
  }: { followers: readonly Follower[]; isFollowed: boolean; now: Date; fixedMinutes: number | undefined },
): Times {
  if (snapshot.kind === 'failed') {
    const { interval_minutes, polled_at, nearest_eta } = row;
    const due_at = new Date(now.getTime() + retryMs);
    const failing_since = row.failing_since ?? now;
    return { due_at, attempts: row.attempts + 1, interval_minutes, polled_at, failing_since, nearest_eta };
  }
  const nearest_eta = nearestOf(snapshot, now);
  const interval_minutes = fixedMinutes ?? pollIntervalMinutes(nearest_eta, now);
  const waitMinutes = fixedMinutes ?? stretch(interval_minutes, factor);
  const usual = now.getTime() + (isFollowed ? waitMinutes * 60_000 : unfollowedMs);
  const wakes = followers.flatMap(
    ({ watch }) => wakesAt({ ...watch.rules, snooze: watch.snooze, eta: nearest_eta }, now)?.getTime() ?? [],
  );
  return {
    due_at: new Date(Math.min(usual, ...wakes)),
    attempts: 0,
    interval_minutes,
    polled_at: row.polled_at && row.polled_at > snapshot.at ? row.polled_at : snapshot.at,
    failing_since: null,
    nearest_eta,
  };
}

/** Of the likeliest port of each vessel: the ETA nearest to now, be it passed. */
function nearestOf({ predictions }: Exclude<Snapshot, { kind: 'failed' }>, now: Date): Date | null {
  const byVessel = Map.groupBy(predictions, ({ imo }) => imo);
  const etas = [...byVessel.values()].flatMap((records) => rankProspects(records)[0]?.eta ?? []);
  const distance = (eta: Date) => Math.abs(eta.getTime() - now.getTime());
  return etas.sort((one, other) => distance(one) - distance(other))[0] ?? null;
}
