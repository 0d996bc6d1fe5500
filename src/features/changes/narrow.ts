import { isExpected } from '../../predictions/changes.ts';
import { thresholds } from '../../predictions/thresholds.ts';
import type { Imo, Locode } from '../../reference/codes.ts';
import { samePort } from '../../reference/ports.ts';
import type { Prospect } from '../../reference/prediction.ts';
import type { Followed, PastAnswer, SentAlert } from './net-changes.ts';

/** The vessels or the ports whose changes are asked about. */
export type Wanted = { imos: readonly Imo[] } | { ports: readonly Locode[] };

interface Watched {
  followed: readonly Followed[];
  alerts: readonly SentAlert[];
}

interface Narrowed extends Watched {
  /** Whether anything is left. */
  isWatched: boolean;
  /** The wanted vessels that nothing left is about. */
  unwatched: readonly Imo[];
}

/** Leaves what is about the wanted vessels or ports: what is compared, and the alerts. Undefined: everything. */
export function narrowTo(wanted: Wanted | undefined, watched: Watched): Narrowed {
  if (!wanted) return { ...watched, isWatched: true, unwatched: [] };
  return 'ports' in wanted ? atPorts(wanted.ports, watched) : ofVessels(wanted.imos, watched);
}

/** Their own entries, and their rows at the ports that expect them. */
function ofVessels(imos: readonly Imo[], { followed, alerts }: Watched): Narrowed {
  const wanted = new Set(imos);
  const ofAlerts = alerts.filter(({ imo }) => imo !== undefined && wanted.has(imo));
  const entries = followed.flatMap((one): Followed[] => {
    const { subject, watchIds } = one;
    if (typeof subject === 'number') return wanted.has(subject) ? [one] : [];
    const isAlerted = (imo: Imo) =>
      ofAlerts.some((alert) => alert.imo === imo && watchIds.has(alert.watchId));
    const isShown = (imo: Imo) => wanted.has(imo) && (isExpectedIn(one, imo) || isAlerted(imo));
    const [before, after] = [only(one.before, isShown), only(one.after, isShown)];
    return sizeOf(before) + sizeOf(after) > 0 ? [{ ...one, before, after }] : [];
  });
  const found = new Set([...entries.flatMap(vesselsOf), ...ofAlerts.map(({ imo }) => imo)]);
  return {
    followed: entries,
    alerts: [...alerts.filter(isOfService(entries)), ...ofAlerts].sort((one, other) => +one.at - +other.at),
    isWatched: found.size > 0,
    unwatched: imos.filter((imo) => !found.has(imo)),
  };
}

/** Their own entries, and those of the vessels that had one, or have one, as their likeliest port or the one after. */
function atPorts(ports: readonly Locode[], { followed, alerts }: Watched): Narrowed {
  const isAboutPort = (of: Locode | undefined) =>
    of !== undefined && ports.some((port) => samePort(of, port));
  const wasDiverted = ({ diversion }: SentAlert) =>
    isAboutPort(diversion?.from) || isAboutPort(diversion?.to);
  const isPossible = (calls: readonly Prospect[] = []) =>
    calls.slice(0, 2).some((call) => isAboutPort(call.port));
  const entries = followed.filter(({ subject, before, after }) =>
    typeof subject === 'number'
      ? [before, after].some((answer) => isPossible(answer?.vessels.get(subject))) ||
        alerts.some((alert) => alert.imo === subject && wasDiverted(alert))
      : isAboutPort(subject),
  );
  const vessels = new Set(entries.map(({ subject }) => subject));
  const ofPort = watchesOf(entries.filter(({ subject }) => typeof subject === 'string'));
  const isShown = (alert: SentAlert) =>
    alert.imo === undefined
      ? isOfService(entries)(alert)
      : vessels.has(alert.imo) || ofPort.has(alert.watchId) || wasDiverted(alert);
  const shown = alerts.filter(isShown);
  return {
    followed: entries,
    alerts: shown,
    isWatched: entries.length + shown.length > 0,
    unwatched: [],
  };
}

/** Alerts that are about no vessel, of the watches that are left. */
function isOfService(entries: readonly Followed[]): (alert: SentAlert) => boolean {
  const watchIds = watchesOf(entries);
  return ({ imo, watchId }) => imo === undefined && watchIds.has(watchId);
}

const watchesOf = (entries: readonly Followed[]): ReadonlySet<string> =>
  new Set(entries.flatMap(({ watchIds }) => [...watchIds]));

const vesselsOf = ({ subject, before, after }: Followed): Imo[] =>
  typeof subject === 'number'
    ? [subject]
    : [before, after].flatMap((answer) => [...(answer?.vessels.keys() ?? [])]);

const isExpectedIn = ({ before, after }: Followed, imo: Imo): boolean =>
  [before, after].some((answer) => isExpected(answer?.vessels.get(imo)?.[0], false, thresholds.changes));

const sizeOf = (answer: PastAnswer | undefined): number => answer?.vessels.size ?? 0;

function only(answer: PastAnswer | undefined, isWanted: (imo: Imo) => boolean): PastAnswer | undefined {
  if (!answer) return undefined;
  return { ...answer, vessels: new Map([...answer.vessels].filter(([imo]) => isWanted(imo))) };
}
