import { closestTo } from 'date-fns/closestTo';
import type { Selectable, Updateable } from 'kysely';
import type { Prediction } from '../../../analytics/answers.ts';
import type { Schema } from '../../../database/schema.ts';
import { likeliestEtas } from '../../../predictions/next-port.ts';
import { slowestMinutes } from '../../history/index.ts';
import { wakeTime } from '../../rules/evaluation/muting.ts';
import { predictionsFor, type Snapshot } from '../../rules/evaluation/snapshot.ts';
import type { Watch } from '../store/watch.ts';

/** One poll of a subject. */
export interface Polled {
  /** The subject's row as it was claimed. */
  row: Selectable<Schema['subjects']>;
  snapshot: Snapshot;
  /** Why the service gave no answer, for the log. */
  reason?: string;
  /** How long to wait after a failure. */
  retryMs: number;
  /** Multiplies the interval, to keep within the budget of requests. */
  stretch: number;
}

/** A subject whose watches are all paused is hardly polled. Resuming one of them makes it due. */
const unfollowedMs = 24 * 3_600_000;

/** Schedules the next poll: after the interval, sooner if a watch wakes before that, or after a failure's back-off. */
export function nextPollColumns(
  { row, snapshot, retryMs, stretch }: Polled,
  {
    watches,
    isFollowed,
    now,
    fixedMinutes,
  }: { watches: readonly Watch[]; isFollowed: boolean; now: Date; fixedMinutes: number | undefined },
): Updateable<Schema['subjects']> {
  if (snapshot.kind === 'failed') {
    const { interval_minutes, polled_at, nearest_eta } = row;
    const due_at = new Date(now.getTime() + retryMs);
    const failing_since = row.failing_since ?? now;
    return { due_at, attempts: row.attempts + 1, interval_minutes, polled_at, failing_since, nearest_eta };
  }
  // This ETA may have passed.
  const relevant = relevantTo(watches, snapshot.predictions);
  const nearest_eta = closestTo(now, likeliestEtas(relevant)) ?? null;
  const interval_minutes = fixedMinutes ?? pollIntervalMinutes(nearest_eta, now);
  const waitMinutes = fixedMinutes ?? stretchInterval(interval_minutes, stretch);
  const usualMs = now.getTime() + (isFollowed ? waitMinutes * 60_000 : unfollowedMs);
  // A card says from the first minute that an ETA has passed.
  const nextEtasMs = isFollowed
    ? likeliestEtas(snapshot.predictions).flatMap((eta) => (eta > now ? eta.getTime() : []))
    : [];
  const wakesMs = watches.flatMap(
    ({ rules, snooze }) => wakeTime({ ...rules, snooze, eta: nearest_eta }, now)?.getTime() ?? [],
  );
  return {
    due_at: new Date(Math.min(usualMs, ...wakesMs, ...nextEtasMs)),
    attempts: 0,
    interval_minutes,
    polled_at: row.polled_at && row.polled_at > snapshot.at ? row.polled_at : snapshot.at,
    failing_since: null,
    nearest_eta,
  };
}

/** If every watch is about some vessels at one port, the ETAs of others don't make the polls more frequent. */
function relevantTo(watches: readonly Watch[], predictions: readonly Prediction[]): readonly Prediction[] {
  const conditions = watches.flatMap(({ condition }) => condition ?? []);
  if (conditions.length < watches.length || watches.length === 0) return predictions;
  return conditions.flatMap((condition) => predictionsFor(condition, predictions));
}

const minMinutes = 15;
const maxMinutes = 6 * 60;
const nearHours = 24;
const farHours = 10 * 24;

/**
 * Minutes until the next poll: 15 while the nearest ETA is within 24 hours, 6 hours if it is ten days away or
 * unknown, and proportional in between. The provider updates its predictions about every 15 minutes.
 */
export function pollIntervalMinutes(nearestEta: Date | null, now: Date): number {
  if (!nearestEta) return maxMinutes;
  const hours = Math.abs(nearestEta.getTime() - now.getTime()) / 3_600_000;
  const share = Math.min(1, Math.max(0, (hours - nearHours) / (farHours - nearHours)));
  return Math.round(minMinutes + share * (maxMinutes - minMinutes));
}

/** Returns the factor (at least 1) by which intervals must grow so that the planned requests fit the budget. */
export function stretchFor(plannedCalls: number, dailyCalls: number | undefined): number {
  if (dailyCalls === undefined) return 1;
  return Math.max(1, plannedCalls / Math.max(1, dailyCalls));
}

export function stretchInterval(minutes: number, stretch: number): number {
  return Math.min(Math.max(slowestMinutes, minutes), minutes * stretch);
}
