import { millisecondsInDay } from 'date-fns/constants';
import type { CallsOfMonth } from '../../../workspaces/call-counts.ts';
import type { DigestRuns, PolledSubjects } from '../../scheduled-calls.ts';

/** Requests from now to the end of the month, rounded. */
export interface Forecast {
  watches: number;
  digests: number;
  /** All others. */
  commands: number;
}

/** The days, today included, from which the requests of commands are projected. */
export const recentDays = 14;

/**
 * Watches go on as their present ETAs and the budget demand, digests run by their schedules and take as many requests as
 * their runs of this month did, and people ask as often as in the last 14 days.
 */
export function forecastCalls({
  now,
  until,
  recent,
  recentFrom,
  polled,
  digests,
  digestCalls,
}: {
  now: Date;
  /** The end of the month. */
  until: Date;
  /** The requests since `recentFrom`. */
  recent: CallsOfMonth['days'];
  recentFrom: Date;
  polled: PolledSubjects;
  digests: readonly DigestRuns[];
  /** This month's requests of a digest, by its id. */
  digestCalls: ReadonlyMap<string, number>;
}): Forecast {
  const daysLeft = Math.max(0, until.getTime() - now.getTime()) / millisecondsInDay;
  const recentMs = now.getTime() - recentFrom.getTime();
  const asked = sumOf(recent.filter(({ kind }) => kind === 'command' || kind === 'other'));
  const perRun = ({ id, past, callsPerRun }: DigestRuns) =>
    past > 0 ? (digestCalls.get(id) ?? 0) / past : callsPerRun;
  return {
    watches: Math.round(pollsPerDay(polled) * daysLeft),
    digests: Math.round(digests.reduce((sum, digest) => sum + digest.left * perRun(digest), 0)),
    // Of less than a day, nothing can be projected.
    commands: Math.round((asked / Math.max(1, recentMs / millisecondsInDay)) * daysLeft),
  };
}

/** Beyond the budget, watches are polled less often, but each at least once a day. */
function pollsPerDay({ subjects, dailyCalls }: PolledSubjects): number {
  const needed = subjects.reduce((sum, { callsPerDay }) => sum + callsPerDay, 0);
  return dailyCalls === undefined ? needed : Math.min(needed, Math.max(dailyCalls, subjects.length));
}

export const sumOf = (counts: readonly { calls: number }[]): number =>
  counts.reduce((sum, { calls }) => sum + calls, 0);
