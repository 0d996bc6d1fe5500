import type { Rules } from '../../src/features/rules/list.ts';
import type { Imo } from '../../src/reference/codes.ts';
import { type Alert, alertsOf, labelOf, noticeOf } from './alerts.ts';
import type { PolledVessel } from './fleet-polls.ts';
import { checkDiversions, type Diversion, type Notice } from './oracle.ts';

/** One vessel in one world. */
export interface WatchedVessel {
  seed: number;
  imo: Imo;
  name: string;
  alerts: Alert[];
  diversions: Diversion[];
  unfounded: Notice[];
}

export function watchFleet(
  fleet: readonly PolledVessel[],
  seed: number,
  rules: Rules,
  options?: { settlingNotifies: boolean },
): WatchedVessel[] {
  return fleet.map(({ imo, name, snapshots }) => {
    const alerts = alertsOf(snapshots, rules, options);
    const polls = snapshots.map(({ at, predictions: ports }) => ({ at, ports }));
    return { seed, imo, name, alerts, ...checkDiversions(polls, alerts.flatMap(noticeOf)) };
  });
}

export interface Noise {
  /** New replies. */
  perVesselWeek: number;
  byKind: Record<string, number>;
  /** Diversions that the answers show in two polls running. */
  diversions: number;
  missed: number;
  late: number;
  byReason: { reason: Diversion['reason']; diversions: number; missed: number; late: number }[];
  /** Replies that report a diversion which the answers do not show. */
  unfounded: number;
  /** Diversions that only an open dispute named at the second poll, and the longest time until more was said. */
  coveredByDispute: { count: number; longestHours: number };
}

/** Sums up vessels that were all watched for this many days. */
export function noiseOf(vessels: readonly WatchedVessel[], days: number): Noise {
  const vesselWeeks = (vessels.length * days) / 7;
  const labels = vessels.flatMap(({ alerts }) => alerts.map(({ event }) => labelOf(event)));
  const kinds = Object.entries(Object.groupBy(labels, (label) => label)).map(
    ([label, events = []]) => [label, events.length / vesselWeeks] as const,
  );
  const diversions = vessels.flatMap((vessel) => vessel.diversions);
  const covered = diversions.filter(({ coveredByDispute }) => coveredByDispute);
  return {
    perVesselWeek: labels.length / vesselWeeks,
    byKind: Object.fromEntries(kinds.toSorted(([, a], [, b]) => b - a)),
    ...verdictsOf(diversions),
    byReason: [...Map.groupBy(diversions, ({ reason }) => reason)].map(([reason, found]) => ({
      reason,
      ...verdictsOf(found),
    })),
    unfounded: vessels.reduce((sum, { unfounded }) => sum + unfounded.length, 0),
    coveredByDispute: {
      count: covered.length,
      longestHours: Math.max(0, ...covered.map(({ coveredHours }) => coveredHours)),
    },
  };
}

function verdictsOf(diversions: readonly Diversion[]): { diversions: number; missed: number; late: number } {
  const count = (verdict: Diversion['verdict']) =>
    diversions.filter((found) => found.verdict === verdict).length;
  return { diversions: diversions.length, missed: count('missed'), late: count('late') };
}
