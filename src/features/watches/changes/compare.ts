import { addHours } from 'date-fns/addHours';
import { millisecondsInHour } from 'date-fns/constants';
import { isUndecided } from '../../../messages/formatting/probability.ts';
import type { Prospect } from '../../../reference/stored-values.ts';
import { damping } from '../evaluation/damping.ts';
import { hasProbablyCalled, isWithin } from '../evaluation/next-port.ts';
import { type DueDate, isLate, prospectFor } from '../rules/due.ts';
import type { WatchEvent } from '../rules/index.ts';

/** `act` 🔴, `check` 🟠, `information` ⚪. */
export type Severity = 'act' | 'check' | 'information';

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
  'left',
  'as-before',
  'not-compared',
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
  if (!now) return was ? { severity: 'check', kind: 'lost', was, now } : undefined;
  if (was && thresholds.due.some((due) => isNewlyLate(due, before, after)))
    return { severity: 'act', kind: 'due', was, now };
  if (was?.port === now.port) return compareCall(before, after, { was, now, thresholds });
  const change = was ? comparePorts(was, after, alerts) : predicted;
  // A new call has the troubles that it has now, whenever they began.
  const [trouble] = change.severity === 'information' ? troublesOf({ ...after, call: now }, thresholds) : [];
  return { was, now, ...(trouble ?? change) };
}

type Verdict = Pick<Difference, 'severity' | 'kind'>;

const predicted: Verdict = { severity: 'information', kind: 'predicted' };

function isNewlyLate(due: DueDate, before: Moment, after: Moment): boolean {
  const [was, now] = [prospectFor(due, before.ranked), prospectFor(due, after.ranked)];
  return now !== undefined && isLate(due, now) && !(was && isLate(due, was));
}

/** Another port is the likeliest. The alerts know the last ETA at the old port, and the two moments don't. */
function comparePorts(was: Prospect, { ranked, at }: Moment, alerts: readonly WatchEvent[]): Verdict {
  const old = ranked.find(({ port }) => port === was.port);
  const lead = (ranked[0]?.probability ?? 0) - (old?.probability ?? 0);
  if (old && isUndecided(lead, 0)) return { severity: 'check', kind: 'undecided' };
  // In floating point, 0.5 - 0.4 is a hair less than 0.1.
  if (old) return { severity: lead + 1e-9 >= damping.leadToChange ? 'act' : 'check', kind: 'diverted' };
  // There may have been other ports in between.
  const isDiverted = alerts.some(
    (event) =>
      event.kind === 'diverted' &&
      (event.was.port === was.port || event.next.port === ranked[0]?.port) &&
      !event.mayHaveCalled,
  );
  const hasCalled = !isDiverted && hasProbablyCalled(was.eta, at);
  return hasCalled ? { severity: 'information', kind: 'next-leg' } : { severity: 'act', kind: 'diverted' };
}

interface CallAt extends Moment {
  call: Prospect;
}

/** What is wrong with a call at a moment, worst first. */
function troublesOf({ at, call, ranked }: CallAt, { below, overdueHours }: Thresholds): Verdict[] {
  const { eta, probability } = call;
  const isOverdue = eta !== null && addHours(eta, overdueHours) <= at;
  return [
    ...(isOverdue ? [{ severity: 'act', kind: 'overdue' } as const] : []),
    ...(isUndecided(probability, ranked[1]?.probability)
      ? [{ severity: 'check', kind: 'undecided' } as const]
      : []),
    ...(probability < below ? [{ severity: 'check', kind: 'unlikely' } as const] : []),
  ];
}

/** The same call at two moments. */
function compareCall(
  before: Moment,
  after: Moment,
  { was, now, thresholds }: { was: Prospect; now: Prospect; thresholds: Thresholds },
): Difference | undefined {
  const both = { was, now };
  const old = troublesOf({ ...before, call: was }, thresholds);
  const trouble = troublesOf({ ...after, call: now }, thresholds).find(
    ({ kind }) => !old.some((one) => one.kind === kind),
  );
  if (trouble) return { ...trouble, ...both };
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
): Difference | undefined {
  const both = { was, now };
  const wasExpected = was !== null && was.probability >= damping.likely;
  // Once expected, it stays so until its probability falls well below that.
  const isExpected = now !== null && now.probability >= (wasExpected ? damping.unexpected : damping.likely);
  if (!wasExpected) return isExpected ? { severity: 'information', kind: 'expected', ...both } : undefined;
  if (!isExpected) {
    // It has probably called, so it's hardly news that the port isn't predicted for it any more.
    const hasLeft = !now && isWithin(damping.portSilentHours, was.eta, at);
    if (hasLeft) return { severity: 'information', kind: 'left', ...both };
    return { severity: 'check', kind: 'not-expected', ...both };
  }
  const moved = compareEta(was, now, { etaHours, at });
  return moved && { severity: moved, kind: 'eta-moved', ...both };
}
