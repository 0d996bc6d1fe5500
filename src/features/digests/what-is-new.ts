import type { Imo } from '../../reference/imo.ts';
import { canonicalPort } from '../../reference/ports.ts';
import type { Prospect } from '../../reference/stored-values.ts';
import type { LineFacts } from '../line-facts.ts';
import type { BaselineLines } from './digest.ts';
import type { News } from './digest-message.ts';

const hourMs = 3_600_000;

/** Smaller changes of an ETA are not news. */
const minEtaMoveMs = 6 * hourMs;
/** A call is expected from this probability on, or from the line's minimum if that is higher. */
const minProbability = 0.5;
/** An expected call stays expected until its probability is more than this below the threshold. */
const probabilityMargin = 0.1;

type NextPortsFacts = Extract<LineFacts, { kind: 'next-ports' }>;
type PortCallsFacts = Extract<LineFacts, { kind: 'port-calls' }>;
type Call = PortCallsFacts['calls'][number];

/**
 * Compares answers with the last digest. News that several lines report appears once; a line that was not in the
 * last digest has no news. `facts` is null for a line that failed or has nothing to compare. `baseline` is for the
 * next digest to compare with; a line without facts keeps its old entry.
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
    const next = facts ? nextBaseline(facts, old) : old;
    if (next) baseline[line] = next;
    if (!old || !next || !facts) continue;
    for (const item of compare(old, next, now)) news.set(keyOf(item), item);
  }
  return { news: [...news.values()], baseline };
}

const keyOf = (news: News): string =>
  [news.kind, news.imo, 'now' in news && news.now?.port, 'was' in news && news.was?.port].join(' ');

/** A vessel without an answer keeps its old entry. Calls that are not expected are left out. */
function nextBaseline(facts: LineFacts, old: LineFacts | undefined): LineFacts {
  if (facts.kind === 'next-ports') {
    const before = new Map(
      old?.kind === 'next-ports' ? old.vessels.map((vessel) => [vessel.imo, vessel]) : [],
    );
    const vessels = facts.vessels.map((vessel) => (vessel.isUnanswered ? before.get(vessel.imo) : vessel));
    return { ...facts, vessels: vessels.filter((vessel) => vessel !== undefined) };
  }
  const expected = new Set(old?.kind === 'port-calls' ? old.calls.map(({ imo }) => imo) : []);
  const least = Math.max(minProbability, facts.from);
  const isExpected = ({ imo, probability }: Call) =>
    probability >= (expected.has(imo) ? least - probabilityMargin : least);
  return { ...facts, calls: facts.calls.filter(isExpected) };
}

function compare(before: LineFacts, after: LineFacts, now: Date): News[] {
  if (before.kind === 'next-ports' && after.kind === 'next-ports') return compareNextPorts(before, after);
  if (before.kind === 'port-calls' && after.kind === 'port-calls')
    return comparePortCalls(before, after, now);
  return [];
}

/** A vessel that was not in the last answer has no news. */
function compareNextPorts(before: NextPortsFacts, after: NextPortsFacts): News[] {
  const old = new Map(before.vessels.map(({ imo, next }) => [imo, next]));
  return after.vessels.flatMap(({ imo, next: now }): News[] => {
    const was = old.get(imo);
    if (was === undefined || (!was && !now)) return [];
    if (!was || !now || canonicalPort(was.port) !== canonicalPort(now.port))
      return [{ kind: 'next-port-changed', imo, was, now }];
    return compareEta(imo, was, now);
  });
}

function comparePortCalls(before: PortCallsFacts, after: PortCallsFacts, now: Date): News[] {
  const [was, is] = [callsOf(before), callsOf(after)];
  const compared = [...is].flatMap(([imo, call]) => compareCall(imo, was.get(imo), call, after.period));
  // The last digest didn't show calls outside the period, so nobody misses them.
  const gone = [...was].filter(
    ([imo, { when, eta }]) => !is.has(imo) && when === 'within' && (!eta || eta > now),
  );
  return [
    ...compared,
    ...gone.map(([imo, call]): News => ({ kind: 'no-longer-expected', imo, was: prospectOf(call) })),
  ];
}

type CallAtPort = Call & Pick<PortCallsFacts, 'port'>;

const callsOf = ({ port, calls }: PortCallsFacts): Map<Imo, CallAtPort> =>
  new Map(calls.map((call) => [call.imo, { ...call, port }]));

const prospectOf = ({ port, probability, eta }: CallAtPort): Prospect => ({ port, probability, eta });

/** Over time, the ETA of an expected call can come within the period, or leave it. */
function compareCall(
  imo: Imo,
  before: CallAtPort | undefined,
  after: CallAtPort,
  period: string | null,
): News[] {
  const now = prospectOf(after);
  const isShown = after.when === 'within';
  if (!before) return isShown ? [{ kind: 'new-arrival', imo, now }] : [];
  const wasShown = before.when === 'within';
  if (!isShown && !wasShown) return [];
  const was = prospectOf(before);
  const moved = compareEta(imo, was, now);
  if (isShown) {
    const hasComeWithin = !wasShown && moved.length === 0 && period !== null;
    return hasComeWithin ? [{ kind: 'now-within', imo, now, period }] : moved;
  }
  const isLater = now.eta !== null && was.eta !== null && now.eta > was.eta;
  if (after.when !== 'after' || period === null || !isLater) return moved;
  return [{ kind: 'eta-moved', imo, was, now, beyond: period }];
}

function compareEta(imo: Imo, was: Prospect, now: Prospect): News[] {
  if (!was.eta || !now.eta) return [];
  const movedMs = Math.abs(now.eta.getTime() - was.eta.getTime());
  return movedMs < minEtaMoveMs ? [] : [{ kind: 'eta-moved', imo, was, now }];
}
