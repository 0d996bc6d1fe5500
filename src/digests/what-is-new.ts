import type { Imo } from '../reference/imo.ts';
import { canonicalPort } from '../reference/ports.ts';
import type { LineFacts, News, Told } from './facts.ts';
import { hourMs, type Prospect } from './values.ts';

type NextPortsFacts = Extract<LineFacts, { kind: 'next-ports' }>;
type PortCallsFacts = Extract<LineFacts, { kind: 'port-calls' }>;

/** An ETA has moved when it differs by so many hours; a call is expected from `likely` on, until it falls under the next. */
const damping = { etaHours: 6, likely: 0.5, unlikely: 0.4 } as const;

export interface LineNews {
  line: string;
  /** Null: it could not be answered, or holds nothing to compare. */
  facts: LineFacts | null;
}

/**
 * What the answers say that the digest before did not, each once however many lines say it; a line that was not
 * in it has no news. `told` is what the next one compares with: of a line without an answer, what it was.
 */
export function whatIsNew(
  before: Told,
  answers: readonly LineNews[],
  now: Date,
): { news: News[]; told: Told } {
  const news = new Map<string, News>();
  const told: Told = {};
  for (const { line, facts } of answers) {
    const known = before[line];
    const next = facts ? toBeTold(facts, known) : known;
    if (next) told[line] = next;
    if (!known || !next || !facts) continue;
    for (const one of compare(known, next, now)) news.set(keyOf(one), one);
  }
  return { news: [...news.values()], told };
}

const keyOf = (news: News): string =>
  [news.kind, news.imo, 'now' in news && news.now?.port, 'was' in news && news.was?.port].join(' ');

/** What is kept of an answer: what the digest before said where a vessel has no answer, and the likely calls. */
function toBeTold(facts: LineFacts, known: LineFacts | undefined): LineFacts {
  return facts.kind === 'next-ports' ? withKnown(facts, known) : expectedOnly(facts, known);
}

function withKnown(facts: NextPortsFacts, known: LineFacts | undefined): LineFacts {
  const before = new Map(known?.kind === 'next-ports' ? known.vessels.map((one) => [one.imo, one]) : []);
  const vessels = facts.vessels.map((one) => (one.isUnanswered ? before.get(one.imo) : one));
  return { ...facts, vessels: vessels.filter((one) => one !== undefined) };
}

/** One that was expected stays so until it is clearly not. */
function expectedOnly(facts: PortCallsFacts, known: LineFacts | undefined): LineFacts {
  const before = new Set(known?.kind === 'port-calls' ? known.calls.map(({ imo }) => imo) : []);
  const isExpected = ({ imo, probability }: PortCallsFacts['calls'][number]) =>
    probability >= (before.has(imo) ? damping.unlikely : damping.likely);
  return { ...facts, calls: facts.calls.filter(isExpected) };
}

function compare(before: LineFacts, after: LineFacts, now: Date): News[] {
  if (before.kind === 'next-ports' && after.kind === 'next-ports') {
    const known = new Map(before.vessels.map(({ imo, next }) => [imo, next]));
    // Of a vessel that is new in the line nothing was said before, so that nothing can have changed.
    return after.vessels.flatMap(({ imo, next }) => {
      const was = known.get(imo);
      return was === undefined ? [] : compareNext(imo, was, next);
    });
  }
  if (before.kind !== 'port-calls' || after.kind !== 'port-calls') return [];
  const [was, is] = [callsOf(before), callsOf(after)];
  const gone = [...was].filter(([imo, call]) => !is.has(imo) && (!call.eta || call.eta > now));
  return [
    ...[...is].flatMap(([imo, call]) => compareCall(imo, was.get(imo), call)),
    ...gone.map(([imo, call]) => ({ kind: 'no-longer-expected', imo, was: call }) as const),
  ];
}

function callsOf({ port, calls }: PortCallsFacts): Map<Imo, Prospect> {
  return new Map(calls.map(({ imo, probability, eta }) => [imo, { port, probability, eta }]));
}

function compareNext(imo: Imo, was: Prospect | null, now: Prospect | null): News[] {
  if (!was && !now) return [];
  if (!was || !now || canonicalPort(was.port) !== canonicalPort(now.port))
    return [{ kind: 'next-port-changed', imo, was, now }];
  return compareEta(imo, was, now);
}

const compareCall = (imo: Imo, was: Prospect | undefined, now: Prospect): News[] =>
  was ? compareEta(imo, was, now) : [{ kind: 'new-arrival', imo, now }];

function compareEta(imo: Imo, was: Prospect, now: Prospect): News[] {
  if (!was.eta || !now.eta) return [];
  const movedMs = Math.abs(now.eta.getTime() - was.eta.getTime());
  return movedMs < damping.etaHours * hourMs ? [] : [{ kind: 'eta-moved', imo, was, now }];
}
