import type { Imo } from '../../reference/imo.ts';
import { canonicalPort } from '../../reference/ports.ts';
import type { Prospect } from '../../reference/stored-values.ts';
import type { LineFacts } from '../line-facts.ts';
import type { BaselineLines, News } from './facts.ts';

const hourMs = 3_600_000;

type NextPortsFacts = Extract<LineFacts, { kind: 'next-ports' }>;
type PortCallsFacts = Extract<LineFacts, { kind: 'port-calls' }>;

/**
 * An ETA has moved when it differs by this many hours; a call is expected from `likely` on, or from what was asked
 * for where that is more, until it falls by `fall`.
 */
const damping = { etaHours: 6, likely: 0.5, fall: 0.1 } as const;

interface LineNews {
  line: string;
  /** Null: it could not be answered, or holds nothing to compare. */
  facts: LineFacts | null;
}

/**
 * What the answers say that the digest before did not, each once however many lines say it; a line that was not
 * in it has no news. `baseline` is what the next one compares with: of a line without an answer, what it was.
 */
export function whatIsNew(
  before: BaselineLines,
  answers: readonly LineNews[],
  now: Date,
): { news: News[]; baseline: BaselineLines } {
  const news = new Map<string, News>();
  const baseline: BaselineLines = {};
  for (const { line, facts } of answers) {
    const known = before[line];
    const next = facts ? nextBaseline(facts, known) : known;
    if (next) baseline[line] = next;
    if (!known || !next || !facts) continue;
    for (const one of compare(known, next, now)) news.set(keyOf(one), one);
  }
  return { news: [...news.values()], baseline };
}

const keyOf = (news: News): string =>
  [news.kind, news.imo, 'now' in news && news.now?.port, 'was' in news && news.was?.port].join(' ');

/** What is stored of an answer: what the digest before said where a vessel has no answer, and the likely calls. */
function nextBaseline(facts: LineFacts, known: LineFacts | undefined): LineFacts {
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
  const likely = Math.max(damping.likely, facts.from);
  const isExpected = ({ imo, probability }: Call) =>
    probability >= (before.has(imo) ? likely - damping.fall : likely);
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
  const { period } = after;
  // What lay outside the days asked for was not shown.
  const gone = [...was].filter(
    ([
      imo,
      {
        when,
        prospect: { eta },
      },
    ]) => !is.has(imo) && when === 'within' && (!eta || eta > now),
  );
  return [
    ...[...is].flatMap(([imo, call]) => compareCall(imo, { was: was.get(imo), is: call, period })),
    ...gone.map(([imo, { prospect }]) => ({ kind: 'no-longer-expected', imo, was: prospect }) as const),
  ];
}

type Call = PortCallsFacts['calls'][number];

interface Listed {
  when: Call['when'];
  prospect: Prospect;
}

function callsOf({ port, calls }: PortCallsFacts): Map<Imo, Listed> {
  return new Map(
    calls.map(({ imo, when, probability, eta }) => [imo, { when, prospect: { port, probability, eta } }]),
  );
}

function compareNext(imo: Imo, was: Prospect | null, now: Prospect | null): News[] {
  if (!was && !now) return [];
  if (!was || !now || canonicalPort(was.port) !== canonicalPort(now.port))
    return [{ kind: 'next-port-changed', imo, was, now }];
  return compareEta(imo, was, now);
}

/** A call comes into the days asked for, or leaves them, as time goes by, and is expected all the while. */
function compareCall(
  imo: Imo,
  { was, is, period }: { was: Listed | undefined; is: Listed; period: string | null },
): News[] {
  const now = is.prospect;
  const isShown = is.when === 'within';
  if (!was) return isShown ? [{ kind: 'new-arrival', imo, now }] : [];
  const wasShown = was.when === 'within';
  if (!isShown && !wasShown) return [];
  const moved = compareEta(imo, was.prospect, now);
  if (isShown) {
    const isNow = !wasShown && moved.length === 0 && period !== null;
    return isNow ? [{ kind: 'now-within', imo, now, period }] : moved;
  }
  if (is.when !== 'after' || period === null || !isLater(now, was.prospect)) return moved;
  return [{ kind: 'eta-moved', imo, was: was.prospect, now, beyond: period }];
}

const isLater = (one: Prospect, other: Prospect): boolean =>
  one.eta !== null && other.eta !== null && one.eta > other.eta;

function compareEta(imo: Imo, was: Prospect, now: Prospect): News[] {
  if (!was.eta || !now.eta) return [];
  const movedMs = Math.abs(now.eta.getTime() - was.eta.getTime());
  return movedMs < damping.etaHours * hourMs ? [] : [{ kind: 'eta-moved', imo, was, now }];
}
