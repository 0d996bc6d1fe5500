import { addHours } from 'date-fns/addHours';
import { millisecondsInHour } from 'date-fns/constants';
import { min } from 'date-fns/min';
import type { Locode } from '../reference/codes.ts';
import { canonicalPort } from '../reference/ports.ts';
import type { Prospect } from '../reference/prediction.ts';
import { comparePorts, isUndecided, isWithin, type Moment } from './next-port.ts';

/** What a difference is for: the history of a vessel, `watch changes`, the news of a digest, an alert. */
export type Purpose = 'history' | 'changes' | 'digest' | 'alert';

const never = Number.POSITIVE_INFINITY;

/**
 * From what size on a difference counts: whatever counts for an alert counts for the others too. Probabilities and shares
 * are 0 to 1.
 */
const table = {
  /** An ETA has moved by so many hours, and by this share of the time left. */
  etaHours: { history: 1, changes: 3, digest: 6, alert: 12 },
  etaShare: { history: 0, changes: 0.05, digest: 0, alert: 0.05 },
  /** Farther ahead than this, moved ETAs and disputes don't count. */
  daysAhead: { history: never, changes: never, digest: never, alert: 10 },
  /** The probability of the next port has changed by this much. */
  probability: { history: 0.1, changes: 0.1, digest: never, alert: never },
  /** Another port is clearly the next one. */
  lead: { history: 0, changes: 0.1, digest: 0, alert: 0.1 },
  /** The next port has become unlikely. */
  below: { history: 0, changes: 0.5, digest: 0, alert: 0.5 },
  /** Its ETA passed so long ago. */
  overdueHours: { history: never, changes: 6, digest: never, alert: 6 },
  /** A port expects a vessel from `likely` on, and goes on doing so until its probability falls under `unexpected`. */
  likely: { history: 0.5, changes: 0.5, digest: 0.5, alert: 0.5 },
  unexpected: { history: 0.4, changes: 0.4, digest: 0.4, alert: 0.4 },
  /** It is no news that a vessel isn't expected any more so near its ETA, or after it. */
  leftHours: { history: 0, changes: 12, digest: 0, alert: 12 },
} as const satisfies Record<string, Record<Purpose, number>>;

export type Thresholds = Record<keyof typeof table, number>;

const columnOf = (purpose: Purpose): Thresholds =>
  // The columns have the rows of the table.
  Object.fromEntries(Object.entries(table).map(([key, row]) => [key, row[purpose]])) as Thresholds;

export const thresholds: Record<Purpose, Thresholds> = {
  history: columnOf('history'),
  changes: columnOf('changes'),
  digest: columnOf('digest'),
  alert: columnOf('alert'),
};

/** When a vessel has to be at a port. */
export interface DueDate {
  port: Locode;
  at: Date;
}

/** What a watch's own rules add to a column. */
export interface OwnThresholds extends Pick<Thresholds, 'below' | 'overdueHours'> {
  /** From so many hours on, at any distance, a moved ETA has to be checked. */
  etaCheckHours: number;
  due: readonly DueDate[];
}

/** Of several watches of a vessel. */
export const strictest = (one: OwnThresholds, other: OwnThresholds): OwnThresholds => ({
  etaCheckHours: Math.min(one.etaCheckHours, other.etaCheckHours),
  below: Math.max(one.below, other.below),
  overdueHours: Math.min(one.overdueHours, other.overdueHours),
  due: [...one.due, ...other.due],
});

/** `act` 🔴, `check` 🟠, `information` ⚪. */
export const severities = ['act', 'check', 'information'] as const;
export type Severity = (typeof severities)[number];

/** What can have changed. */
export const changeKinds = [
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
] as const;
type ChangeKind = (typeof changeKinds)[number];

type Own = Thresholds & Partial<OwnThresholds>;

export interface Change {
  severity: Severity;
  kind: ChangeKind;
  /** Null if nothing was predicted. For a vessel of a port: its call there. */
  was: Prospect | null;
  now: Prospect | null;
}

type Verdict = Pick<Change, 'severity' | 'kind'>;

/** What has changed for a vessel, by what matters most. */
export function changesBetween(before: Moment, after: Moment, own: Own): Change[] {
  const [was = null] = before.ranked;
  const [now = null] = after.ranked;
  return verdictsBetween(before, after, own).map((verdict) => ({ ...verdict, was, now }));
}

function verdictsBetween(before: Moment, after: Moment, own: Own): Verdict[] {
  const [was] = before.ranked;
  if (after.ranked.length === 0) return when(was !== undefined, 'check', 'lost');
  // A new call has the troubles that it has now, whenever they began.
  const troubles = troublesOf(after, own);
  if (!was) return [...troubles, ...verdict('information', 'predicted')];
  const late = when(own.due?.some((due) => isNewlyLate(due, before, after)) ?? false, 'act', 'due');
  const other = comparePorts(was, after, own);
  if (other?.kind === 'next-leg') return [...late, ...troubles, ...verdict('information', 'next-leg')];
  if (other) {
    const isAct = other.kind === 'diverted' && other.isClear;
    return [...late, ...verdict(isAct ? 'act' : 'check', other.kind)];
  }
  const old = troublesOf(before, own).map(({ kind }) => kind);
  const newTroubles = troubles.filter(({ kind }) => !old.includes(kind));
  return [...late, ...newTroubles, ...figuresBetween(before, after, own)];
}

/** What has changed for a vessel in the answers about a port. `wasExpected`: known to those who store it. */
export function changeAtPort(
  before: Moment,
  after: Moment,
  own: Own,
  wasExpected = isExpected(before.ranked[0], false, own),
): Change | undefined {
  const [was = null] = before.ranked;
  const [now = null] = after.ranked;
  const isStill = isExpected(now, wasExpected, own);
  // It has probably called, so it's hardly news that the port isn't predicted for it any more.
  const hasLeft = !now && isWithin(own.leftHours, was?.eta ?? null, after.at);
  const gone = hasLeft ? verdict('information', 'left') : verdict('check', 'not-expected');
  const expected = wasExpected ? etaVerdict(before, after, own) : verdict('information', 'expected');
  const [found] = isStill ? expected : wasExpected ? gone : [];
  return found && { ...found, was, now };
}

/** Whether a port expects a vessel. Once expected, it stays so until its probability has clearly fallen. */
export const isExpected = (
  call: Pick<Prospect, 'probability'> | null | undefined,
  wasExpected: boolean,
  { likely, unexpected }: Pick<Thresholds, 'likely' | 'unexpected'>,
): boolean => Boolean(call && call.probability >= (wasExpected ? unexpected : likely));

/** An ETA, and when it was predicted. */
interface EtaAt {
  eta: Date | null;
  at: Date;
}

/** Whether the ETA of a call has moved, in either direction. */
export function hasEtaMoved(
  was: EtaAt,
  now: EtaAt,
  { etaHours, etaShare, daysAhead }: Pick<Thresholds, 'etaHours' | 'etaShare' | 'daysAhead'>,
): boolean {
  if (!was.eta || !now.eta) return false;
  // The nearer ETA counts, so a call that slips far away is still notified.
  const hoursLeft = hoursUntil(min([was.eta, now.eta]), now.at);
  if (hoursLeft > daysAhead * 24) return false;
  // Of a call that has just come near: what was left when its ETA was last notified.
  const scaledHours = etaShare * (isFar(was, daysAhead) ? hoursUntil(was.eta, was.at) : hoursLeft);
  return Math.abs(etaShiftMs(was, now)) / millisecondsInHour >= Math.max(etaHours, scaledHours);
}

export const isFar = ({ eta, at }: EtaAt, daysAhead: number): boolean =>
  eta !== null && hoursUntil(eta, at) > daysAhead * 24;

/** Positive if the ETA is later now; 0 if one of the two is unknown. */
export const etaShiftMs = (was: Pick<EtaAt, 'eta'> | null, now: Pick<EtaAt, 'eta'> | null): number =>
  was?.eta && now?.eta ? now.eta.getTime() - was.eta.getTime() : 0;

/** The prediction for the port of a due date. */
export const prospectFor = ({ port }: DueDate, ranked: readonly Prospect[]): Prospect | undefined =>
  ranked.find((prospect) => prospect.port === canonicalPort(port));

export const isLate = ({ at }: DueDate, { eta }: Prospect): boolean => eta !== null && eta > at;

export const isOverdue = (eta: Date | null, hours: number, now: Date): boolean =>
  eta !== null && now >= addHours(eta, hours);

const hoursUntil = (eta: Date, now: Date): number => (eta.getTime() - now.getTime()) / millisecondsInHour;

function isNewlyLate(due: DueDate, before: Moment, after: Moment): boolean {
  const [was, now] = [prospectFor(due, before.ranked), prospectFor(due, after.ranked)];
  return now !== undefined && isLate(due, now) && !(was && isLate(due, was));
}

/** What is wrong with the next call at a moment, worst first. */
const troublesOf = ({ at, ranked: [call, rival] }: Moment, { below, overdueHours }: Thresholds): Verdict[] =>
  call
    ? [
        ...when(isOverdue(call.eta, overdueHours, at), 'act', 'overdue'),
        ...when(isUndecided(call.probability, rival?.probability), 'check', 'undecided'),
        ...when(call.probability < below, 'check', 'unlikely'),
      ]
    : [];

/** The figures of the same call at two moments. */
function figuresBetween(before: Moment, after: Moment, own: Own): Verdict[] {
  const [was, now] = [before.ranked[0], after.ranked[0]];
  if (!was || !now) return [];
  return [
    ...etaVerdict(before, after, own),
    // In floating point, 0.5 - 0.4 is a hair less than 0.1.
    ...when(
      Math.abs(now.probability - was.probability) + 1e-9 >= own.probability,
      'information',
      'likelihood',
    ),
    ...when(now.eta !== null && was.eta === null, 'information', 'eta-given'),
  ];
}

/** Empty if the ETA has hardly moved. */
function etaVerdict(before: Moment, after: Moment, own: Own): Verdict[] {
  const was = { eta: before.ranked[0]?.eta ?? null, at: before.at };
  const now = { eta: after.ranked[0]?.eta ?? null, at: after.at };
  const isToCheck = Math.abs(etaShiftMs(was, now)) / millisecondsInHour >= (own.etaCheckHours ?? never);
  if (isToCheck) return verdict('check', 'eta-moved');
  return when(hasEtaMoved(was, now, own), 'information', 'eta-moved');
}

const verdict = (severity: Severity, kind: Change['kind']): Verdict[] => [{ severity, kind }];

const when = (isTrue: boolean, ...words: Parameters<typeof verdict>): Verdict[] =>
  isTrue ? verdict(...words) : [];
