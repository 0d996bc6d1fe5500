import { addHours } from 'date-fns/addHours';
import { millisecondsInHour } from 'date-fns/constants';
import { isUndecided } from '../../../messages/formatting/probability.ts';
import type { Prospect } from '../../../reference/stored-values.ts';
import { damping } from '../evaluation/damping.ts';
import { hasProbablyCalled, isWithin } from '../evaluation/next-port.ts';
import { type DueDate, isLate, prospectFor } from '../rules/due.ts';
import type { WatchEvent } from '../rules/index.ts';

/** `act` 🔴, `check` 🟠, `information` ⚪; `none` if only the alerts in between are worth a row. */
export type Severity = 'act' | 'check' | 'information' | 'none';

/** What can have changed, by what matters most. */
export const differenceKinds = [
  'diverted',
  'due',
  'overdue',
  'undecided',
  'lost',
  'unlikely',
  'eta-moved',
  'next-leg',
  'predicted',
  'likelihood',
  'eta-given',
  'expected',
  'not-expected',
  'as-before',
] as const;

/** How two predictions of a vessel differ, by what matters most. */
export interface Difference {
  severity: Severity;
  kind: (typeof differenceKinds)[number];
  /** Null if nothing was predicted. For a vessel of a port's watch: its call there. */
  was: Prospect | null;
  now: Prospect | null;
}

/** The predictions for one vessel, likeliest port first; empty if there were none. */
export interface Moment {
  at: Date;
  ranked: readonly Prospect[];
}

/** The strictest rules of all watches that follow the vessel. */
export interface Thresholds {
  etaHours: number;
  /** 0 to 1. */
  below: number;
  overdueHours: number;
  due: readonly DueDate[];
}

/** Smaller differences are not counted as changes, unless a rule is stricter. `etaShare`: of the time left. */
export const smallest = { etaHours: 3, etaShare: 0.05, probability: 0.1 } as const;

/** Undefined if nothing worth a row has changed. `alerts` are those of the time in between, oldest first. */
export function compareVessel(
  before: Moment,
  after: Moment,
  { thresholds, alerts }: { thresholds: Thresholds; alerts: readonly WatchEvent[] },
): Difference | undefined {
  const [was = null] = before.ranked;
  const [now = null] = after.ranked;
  const difference = (severity: Severity, kind: Difference['kind'], shown = now): Difference => ({
    severity,
    kind,
    was,
    now: shown,
  });
  if (!was) return now ? difference('information', 'predicted') : undefined;
  if (!now) return difference('check', 'lost');
  if (thresholds.due.some((due) => isNewlyLate(due, before, after))) return difference('act', 'due');
  if (was.port !== now.port) return { was, now, ...comparePorts(was, after, alerts) };
  return compareCall({ ...before, call: was }, { ...after, call: now }, thresholds);
}

function isNewlyLate(due: DueDate, before: Moment, after: Moment): boolean {
  const [was, now] = [prospectFor(due, before.ranked), prospectFor(due, after.ranked)];
  return now !== undefined && isLate(due, now) && !(was && isLate(due, was));
}

/** Another port is the likeliest. The alerts know the last ETA at the old port, and the two moments don't. */
function comparePorts(
  was: Prospect,
  { ranked, at }: Moment,
  alerts: readonly WatchEvent[],
): Pick<Difference, 'severity' | 'kind'> {
  const old = ranked.find(({ port }) => port === was.port);
  const lead = (ranked[0]?.probability ?? 0) - (old?.probability ?? 0);
  if (old && isUndecided(lead, 0)) return { severity: 'check', kind: 'undecided' };
  // In floating point, 0.5 - 0.4 is a hair less than 0.1.
  if (old) return { severity: lead + 1e-9 >= damping.leadToChange ? 'act' : 'check', kind: 'diverted' };
  const isDiverted = alerts.some(
    (event) => event.kind === 'diverted' && event.was.port === was.port && !event.mayHaveCalled,
  );
  const hasCalled = !isDiverted && hasProbablyCalled(was.eta, at);
  return hasCalled ? { severity: 'information', kind: 'next-leg' } : { severity: 'act', kind: 'diverted' };
}

interface CallAt {
  at: Date;
  call: Prospect;
}

/** The same call at two moments. */
function compareCall(before: CallAt, after: CallAt, thresholds: Thresholds): Difference | undefined {
  const { call: was } = before;
  const { call: now } = after;
  const { below, overdueHours } = thresholds;
  const both = { was, now };
  const isOverdue = ({ at, call: { eta } }: CallAt) => eta !== null && addHours(eta, overdueHours) <= at;
  if (isOverdue(after) && !isOverdue(before)) return { severity: 'act', kind: 'overdue', ...both };
  if (now.probability < below && was.probability >= below)
    return { severity: 'check', kind: 'unlikely', ...both };
  const moved = compareEta(was, now, { ...thresholds, at: after.at });
  if (moved) return { severity: moved, kind: 'eta-moved', ...both };
  if (Math.abs(now.probability - was.probability) + 1e-9 >= smallest.probability)
    return { severity: 'information', kind: 'likelihood', ...both };
  if (now.eta && !was.eta) return { severity: 'information', kind: 'eta-given', ...both };
  return undefined;
}

/** Undefined if the ETA has hardly moved. */
function compareEta(
  was: Prospect,
  now: Prospect,
  { etaHours, at }: { etaHours: number; at: Date },
): Severity | undefined {
  const hours = Math.abs(etaShiftMs(was, now)) / millisecondsInHour;
  if (hours >= etaHours) return 'check';
  const hoursLeft = now.eta ? (now.eta.getTime() - at.getTime()) / millisecondsInHour : 0;
  const least = Math.max(smallest.etaHours, smallest.etaShare * hoursLeft);
  return hours >= least ? 'information' : undefined;
}

/** Positive if the ETA is later now; 0 if one of the two is unknown. */
export const etaShiftMs = (was: Prospect | null, now: Prospect | null): number =>
  was?.eta && now?.eta ? now.eta.getTime() - was.eta.getTime() : 0;

/** One vessel of a port's watch; each `call` is null if the port wasn't predicted for it. */
export function compareExpected(
  was: Prospect | null,
  now: Prospect | null,
  { etaHours, at }: { etaHours: number; at: Date },
): Difference | 'left' | undefined {
  const both = { was, now };
  const wasExpected = was !== null && was.probability >= damping.likely;
  // Once expected, it stays so until its probability falls well below that.
  const isExpected = now !== null && now.probability >= (wasExpected ? damping.unexpected : damping.likely);
  if (!wasExpected) return isExpected ? { severity: 'information', kind: 'expected', ...both } : undefined;
  if (!isExpected) {
    // It has probably called, so it's no news that the port isn't predicted for it any more.
    if (!now && isWithin(damping.portSilentHours, was.eta, at)) return 'left';
    return { severity: 'check', kind: 'not-expected', ...both };
  }
  const moved = compareEta(was, now, { etaHours, at });
  return moved && { severity: moved, kind: 'eta-moved', ...both };
}
