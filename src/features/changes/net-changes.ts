import { subHours } from 'date-fns/subHours';
import {
  type Change,
  changeAtPort,
  changeKinds,
  changesBetween,
  isExpected,
  type OwnThresholds,
  type Severity,
} from '../../predictions/changes.ts';
import type { Moment } from '../../predictions/next-port.ts';
import { thresholds } from '../../predictions/thresholds.ts';
import type { Imo, Locode } from '../../reference/codes.ts';
import { firstOfEachKey, type Prospect } from '../../reference/prediction.ts';
import { lookBackHours } from '../history/index.ts';

/** What can have changed; with the last two, there were only alerts in between. */
export const differenceKinds = [...changeKinds, 'as-before', 'not-compared'] as const;

/** How the predictions for a vessel differ at two moments. */
interface Difference extends Omit<Change, 'kind'> {
  kind: (typeof differenceKinds)[number];
}

/** An event of an alert that was sent. */
export interface SentAlert {
  watchId: string;
  /** When Slack took it. */
  at: Date;
  /** Undefined if it is about no vessel: every watch shows such events. */
  imo: Imo | undefined;
  severity: Severity;
  /** Equal for events that report the same news. */
  news: string;
  /** Set if it notified of another port, and the vessel can't have called at the old one. */
  diversion?: { from: Locode; to: Locode };
  /** In words: `ETA 1 d later`, and with its port and figures. */
  what: string;
  headline: string;
}

/** The predictions of one answer, by vessel. */
export interface PastAnswer {
  at: Date;
  vessels: ReadonlyMap<Imo, readonly Prospect[]>;
}

/** A vessel or a port, however many watches follow it; or some vessels at a port, once for each such watch. */
export interface Followed {
  subject: Imo | Locode;
  watchIds: ReadonlySet<string>;
  /** The last answer before the time that is asked about, or else the first one after it. */
  before: PastAnswer | undefined;
  /** The latest answer. */
  after: PastAnswer | undefined;
  own: OwnThresholds;
}

/** A change of one vessel, and the alerts in between, oldest first. It is as severe as the most severe of them. */
export interface NetChange extends Difference {
  imo: Imo;
  /** The watched port that expects the vessel. */
  expectedAt?: Locode;
  alerts: readonly SentAlert[];
  /** The newest of the most severe alerts, if the difference alone would be less severe, or there is none. */
  headline?: SentAlert;
}

export interface NetChanges {
  /** What matters most comes first, then the nearest ETA. */
  changes: readonly NetChange[];
  /** Alerts that are about no vessel. */
  serviceAlerts: readonly SentAlert[];
  /** The vessels and ports that were compared. */
  checks: number;
  /** The vessels that were compared, with those expected at watched ports. */
  compared: number;
  /** Vessels and ports with nothing to compare: they have no answer since then, or only their first one. */
  unchecked: readonly (Imo | Locode)[];
  /** Those without an answer from before that time are compared with their first answer, at `since`. */
  late: readonly { subject: Imo | Locode; since: Date }[];
  /** Vessels that left the lists of ports at about their ETA. */
  left: number;
  /** The oldest and the newest of the latest answers; null if there are none. */
  checked: { first: Date; last: Date } | null;
}

/** What has changed from `since` to the latest answers. Of what happened in between it knows only the alerts. */
export function netChanges(
  followed: readonly Followed[],
  { since, alerts }: { since: Date; alerts: readonly SentAlert[] },
): NetChanges {
  const isChecked = ({ before, after }: Followed) =>
    before && after && after.at > since && after.at > before.at;
  const { checked = [], unchecked = [] } = Object.groupBy(followed, (one) =>
    isChecked(one) ? 'checked' : 'unchecked',
  );
  const byVessel = Map.groupBy(alerts, ({ imo }) => imo);
  const shown = new Set<SentAlert>();
  const take = (all: readonly SentAlert[]) => {
    for (const alert of all) shown.add(alert);
    return withoutRepeats(all);
  };
  // A vessel that is also expected at a watched port has one row.
  const subjects = new Set(checked.map(({ subject }) => subject));
  const compared = [...Map.groupBy(checked, ({ subject }) => subject)].flatMap(([subject, ofSubject]) => {
    const isShownHere = ({ watchId }: SentAlert) =>
      typeof subject === 'number' || ofSubject.some(({ watchIds }) => watchIds.has(watchId));
    const alertsOf = (imo: Imo) => take((byVessel.get(imo) ?? []).filter(isShownHere));
    const all = ofSubject.flatMap((one) => compareSubject(one, { alertsOf, ownVessels: subjects }));
    return firstOfEachKey(all, ({ imo }) => String(imo));
  });
  const others = [...byVessel].flatMap(([imo, all]): NetChange[] => {
    const rest = all.filter((alert) => !shown.has(alert));
    return imo === undefined || rest.length === 0 ? [] : [notCompared(imo, withoutRepeats(rest))];
  });
  const times = followed.flatMap(({ after }) => after?.at.getTime() ?? []);
  return {
    changes: [...compared.flatMap(({ change }) => change ?? []), ...others].sort(byUrgency),
    serviceAlerts: withoutRepeats(byVessel.get(undefined) ?? []),
    checks: checked.length,
    compared: compared.filter(({ hasLeft }) => !hasLeft).length,
    // Of two watches of some vessels at a port, one may be new.
    unchecked: [...new Set(unchecked.map(({ subject }) => subject))].filter((one) => !subjects.has(one)),
    late: firstOfEachKey(
      checked.flatMap(({ subject, before }) =>
        before && before.at > since ? [{ subject, since: before.at }] : [],
      ),
      ({ subject }) => String(subject),
    ),
    left: compared.filter(({ hasLeft }) => hasLeft).length,
    checked:
      times.length === 0 ? null : { first: new Date(Math.min(...times)), last: new Date(Math.max(...times)) },
  };
}

interface Compared {
  imo: Imo;
  change?: NetChange;
  hasLeft?: true;
}

/** One entry for each vessel of the subject. */
function compareSubject(
  { subject, before, after, own: ownThresholds }: Followed,
  {
    alertsOf,
    ownVessels,
  }: { alertsOf: (imo: Imo) => readonly SentAlert[]; ownVessels: ReadonlySet<Imo | Locode> },
): Compared[] {
  if (!before || !after) return [];
  const counted = { ...thresholds.changes, ...ownThresholds };
  const momentsOf = (imo: Imo) => ({
    was: { at: before.at, ranked: before.vessels.get(imo) ?? [] },
    now: { at: after.at, ranked: after.vessels.get(imo) ?? [] },
  });
  if (typeof subject === 'number') {
    const { was, now } = momentsOf(subject);
    const own = alertsOf(subject);
    const difference = mostImportant(changesBetween(was, now, counted), own);
    return [withAlerts({ imo: subject, alerts: own }, difference ?? asBefore(was, now))];
  }
  const imos = new Set([...before.vessels.keys(), ...after.vessels.keys()]);
  return [...imos].flatMap((imo): Compared[] => {
    const { was, now } = momentsOf(imo);
    if (ownVessels.has(imo)) return [];
    const own = { imo, expectedAt: subject, alerts: alertsOf(imo) };
    if (own.alerts.length === 0 && ![was, now].some(({ ranked: [call] }) => isExpected(call, false, counted)))
      return [];
    const difference = changeAtPort(was, now, counted);
    if (difference?.kind === 'left' && own.alerts.length === 0) return [{ imo, hasLeft: true }];
    return [withAlerts(own, difference ?? asBefore(was, now))];
  });
}

/** The alerts know the last ETA at the old port, and the two moments don't. There may have been other ports in between. */
function mostImportant(changes: readonly Change[], alerts: readonly SentAlert[]): Difference | undefined {
  const [first] = changes;
  const isNextLeg = changes.some(({ kind }) => kind === 'next-leg');
  if (!first || first.kind === 'due' || !isNextLeg) return first;
  const wasDiverted = alerts.some(
    ({ diversion }) => diversion && (diversion.from === first.was?.port || diversion.to === first.now?.port),
  );
  return wasDiverted ? { ...first, severity: 'act', kind: 'diverted' } : first;
}

const asBefore = (was: Moment, now: Moment): Difference => ({
  severity: 'information',
  kind: 'as-before',
  was: was.ranked[0] ?? null,
  now: now.ranked[0] ?? null,
});

/** A vessel that is as before is worth a row only if there were alerts. */
const withAlerts = (
  own: Pick<NetChange, 'imo' | 'expectedAt' | 'alerts'>,
  difference: Difference,
): Compared =>
  difference.kind === 'as-before' && own.alerts.length === 0
    ? { imo: own.imo }
    : { imo: own.imo, change: atLeastAsAlerted({ ...own, ...difference }) };

/** The vessel has left the list or the fleet, its watch has ended, or there is no answer since then. */
const notCompared = (imo: Imo, alerts: readonly SentAlert[]): NetChange =>
  atLeastAsAlerted({ imo, alerts, severity: 'information', kind: 'not-compared', was: null, now: null });

function atLeastAsAlerted(change: NetChange): NetChange {
  const [headline] = change.alerts.toSorted((a, b) => rank(a.severity) - rank(b.severity) || +b.at - +a.at);
  if (!headline) return change;
  const { severity } = headline;
  if (rank(severity) < rank(change.severity)) return { ...change, severity, headline };
  return isUnchanged(change) ? { ...change, headline } : change;
}

const isUnchanged = ({ kind }: Difference): boolean => kind === 'as-before' || kind === 'not-compared';

/** If several watches follow a vessel, each sends the same alerts. */
function withoutRepeats(alerts: readonly SentAlert[]): SentAlert[] {
  const last = new Map<string, SentAlert>();
  return alerts.filter((alert) => {
    const previous = last.get(alert.news);
    const isRepeat = previous && previous.watchId !== alert.watchId;
    if (isRepeat && previous.at >= subHours(alert.at, lookBackHours)) return false;
    last.set(alert.news, alert);
    return true;
  });
}

const severities: readonly Severity[] = ['act', 'check', 'information'];
const rank = (severity: Severity): number => severities.indexOf(severity);

function byUrgency(one: NetChange, other: NetChange): number {
  const eta = ({ now, was }: NetChange) => (now ?? was)?.eta?.getTime() ?? Number.MAX_SAFE_INTEGER;
  return rank(one.severity) - rank(other.severity) || eta(one) - eta(other) || one.imo - other.imo;
}
