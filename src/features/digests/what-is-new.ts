import type { LineFacts } from '../../answers/answer.ts';
import { changesBetween, hasEtaMoved, isExpected, thresholds } from '../../predictions/changes.ts';
import { isWithin, type Moment } from '../../predictions/next-port.ts';
import type { Imo } from '../../reference/codes.ts';
import { canonicalPort, samePort } from '../../reference/ports.ts';
import type { Prospect } from '../../reference/prediction.ts';
import type { BaselineLines, News } from './digest.ts';

const { digest } = thresholds;

type NextPortsFacts = Extract<LineFacts, { kind: 'next-ports' }>;
type PortCallsFacts = Extract<LineFacts, { kind: 'port-calls' }>;
type Call = PortCallsFacts['calls'][number];

/**
 * Compares answers with the last digest. News that several lines report appears once; a line that was not in the
 * last digest has no news. `facts` is null for a line that failed or has nothing to compare. The next digest is
 * compared with the returned `baseline`; there, a line without facts keeps its old entry.
 */
export function whatIsNew(
  before: BaselineLines,
  answers: readonly { line: string; facts: LineFacts | null }[],
  now: Date,
): { news: News[]; baseline: BaselineLines } {
  const news = new Map<string, News>();
  const baseline: BaselineLines = {};
  for (const { line, facts } of answers) {
    const old = before[line];
    const current = facts ? nextBaseline(facts, old) : old;
    if (current) baseline[line] = current;
    if (!old || !current || !facts) continue;
    for (const item of compare(old, current, now)) news.set(keyOf(item), item);
  }
  return { news: [...news.values()], baseline };
}

const keyOf = (news: News): string =>
  [news.kind, news.imo, 'now' in news && news.now?.port, 'was' in news && news.was?.port].join(' ');

/** A vessel or port without an answer keeps its old entry. Calls that are not expected are left out. */
function nextBaseline(facts: LineFacts, old: LineFacts | undefined): LineFacts {
  switch (facts.kind) {
    case 'lane-versus':
      return facts;
    case 'next-ports': {
      const oldVessels = old?.kind === 'next-ports' ? old.vessels : [];
      const oldByImo = new Map(oldVessels.map((vessel) => [vessel.imo, vessel]));
      const vessels = facts.vessels.map((each) => (each.isUnanswered ? oldByImo.get(each.imo) : each));
      return { ...facts, vessels: vessels.filter((vessel) => vessel !== undefined) };
    }
    case 'port-calls':
      return expectedCalls(facts, portsIn(old));
    case 'several-ports': {
      const answered = facts.ports.map((each) => expectedCalls(each, portsIn(old)));
      return { ...facts, ports: [...answered, ...portsIn(old).filter((each) => !atPort(each, facts.ports))] };
    }
  }
}

/** A change of a carrier's delays is marked that was not marked in the last digest; a line that is new has no news. */
export function hasNewMark(old: LineFacts | undefined, current: LineFacts | null): boolean {
  if (old?.kind !== 'lane-versus' || current?.kind !== 'lane-versus') return false;
  return current.marked.some(
    (mark) => !old.marked.some(({ carrier, change }) => carrier === mark.carrier && change === mark.change),
  );
}

function portsIn(facts: LineFacts | undefined): readonly PortCallsFacts[] {
  if (facts?.kind === 'port-calls') return [facts];
  return facts?.kind === 'several-ports' ? facts.ports : [];
}

const atPort = ({ port }: PortCallsFacts, ports: readonly PortCallsFacts[]): PortCallsFacts | undefined =>
  ports.find((other) => samePort(other.port, port));

function expectedCalls(facts: PortCallsFacts, oldPorts: readonly PortCallsFacts[]): PortCallsFacts {
  const alreadyExpected = new Set(atPort(facts, oldPorts)?.calls.map(({ imo }) => imo));
  // The minimum that the line asks for counts if it is higher.
  const likely = Math.max(digest.likely, facts.from);
  const expected = { likely, unexpected: likely - (digest.likely - digest.unexpected) };
  const calls = facts.calls.filter((call) => isExpected(call, alreadyExpected.has(call.imo), expected));
  return { ...facts, calls };
}

function compare(old: LineFacts, current: LineFacts, now: Date): News[] {
  if (old.kind === 'next-ports' && current.kind === 'next-ports') return compareNextPorts(old, current, now);
  return portsIn(current).flatMap((facts) => {
    const before = atPort(facts, portsIn(old));
    return before ? comparePortCalls(before, facts, now) : [];
  });
}

/** A vessel that was not in the last answer has no news. */
function compareNextPorts(old: NextPortsFacts, current: NextPortsFacts, now: Date): News[] {
  const oldNextByImo = new Map(old.vessels.map(({ imo, next }) => [imo, next]));
  return current.vessels.flatMap(({ imo, next }): News[] => {
    const oldNext = oldNextByImo.get(imo);
    if (oldNext === undefined) return [];
    const [change] = changesBetween(momentOf(oldNext, now), momentOf(next, now), digest);
    switch (change?.kind) {
      case 'predicted':
      case 'lost':
      case 'diverted':
      case 'next-leg':
        return [{ kind: 'next-port-changed', imo, was: oldNext, now: next }];
      case 'eta-moved':
        return oldNext && next ? [{ kind: 'eta-moved', imo, was: oldNext, now: next }] : [];
      default:
        return [];
    }
  });
}

/** Digests store only the next port of a vessel. */
const momentOf = (next: Prospect | null, at: Date): Moment => ({
  at,
  ranked: next ? [{ ...next, port: canonicalPort(next.port) }] : [],
});

function comparePortCalls(old: PortCallsFacts, current: PortCallsFacts, now: Date): News[] {
  const [oldCalls, currentCalls] = [callsOf(old), callsOf(current)];
  const compared = [...currentCalls.values()].flatMap((call) =>
    compareCall(oldCalls.get(call.imo), call, { period: current.period, now }),
  );
  // Readers miss only calls that the last digest showed. If the ETA has passed, the vessel has probably arrived.
  const gone = [...oldCalls.values()].filter(
    ({ imo, when, eta }) =>
      !currentCalls.has(imo) && when === 'within' && !isWithin(digest.leftHours, eta, now),
  );
  return [
    ...compared,
    ...gone.map((call): News => ({ kind: 'no-longer-expected', imo: call.imo, was: prospectOf(call) })),
  ];
}

type CallAtPort = Call & Pick<PortCallsFacts, 'port'>;

const callsOf = ({ port, calls }: PortCallsFacts): Map<Imo, CallAtPort> =>
  new Map(calls.map((call) => [call.imo, { ...call, port }]));

const prospectOf = ({ port, probability, eta }: CallAtPort): Prospect => ({ port, probability, eta });

/** Only calls within `period` are shown; null means all days. A call can come within the period, or leave it. */
function compareCall(
  oldCall: CallAtPort | undefined,
  call: CallAtPort,
  { period, now }: { period: string | null; now: Date },
): News[] {
  const { imo, when } = call;
  const current = prospectOf(call);
  const isShown = when === 'within';
  if (!oldCall) return isShown ? [{ kind: 'new-arrival', imo, now: current }] : [];
  const wasShown = oldCall.when === 'within';
  if (!isShown && !wasShown) return [];
  const old = prospectOf(oldCall);
  const hasMoved = hasEtaMoved({ eta: old.eta, at: now }, { eta: current.eta, at: now }, digest);
  const moved: News[] = hasMoved ? [{ kind: 'eta-moved', imo, was: old, now: current }] : [];
  if (isShown) {
    const hasComeWithin = !wasShown && moved.length === 0 && period !== null;
    return hasComeWithin ? [{ kind: 'now-within', imo, now: current, period }] : moved;
  }
  const isLater = current.eta !== null && old.eta !== null && current.eta > old.eta;
  const hasLeftPeriod = isLater && when === 'after' && period !== null;
  return hasLeftPeriod ? [{ kind: 'eta-moved', imo, was: old, now: current, beyond: period }] : moved;
}
