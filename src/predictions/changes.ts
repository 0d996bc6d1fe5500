import { addHours } from 'date-fns/addHours';
import { millisecondsInHour } from 'date-fns/constants';
import { min } from 'date-fns/min';
import type { Prospect } from '../reference/prediction.ts';
import { comparePorts, isUndecided, isWithin, type Moment } from './next-port.ts';
import { type Due, isLate, prospectFor } from './promises.ts';
import { never, type Thresholds } from './thresholds.ts';

/** What a watch's own rules add to a column. */
export interface OwnThresholds extends Pick<Thresholds, 'below' | 'overdueHours'> {
  /** From so many hours on, at any distance, a moved ETA has to be checked. */
  etaCheckHours: number;
  due: readonly Due[];
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

export const isOverdue = (eta: Date | null, hours: number, now: Date): boolean =>
  eta !== null && now >= addHours(eta, hours);

const hoursUntil = (eta: Date, now: Date): number => (eta.getTime() - now.getTime()) / millisecondsInHour;

function isNewlyLate(due: Due, before: Moment, after: Moment): boolean {
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
