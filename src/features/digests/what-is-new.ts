import type { Comparison } from '../../answers/answer.ts';
import {
  type Change,
  changeAtPort,
  changesBetween,
  etaShiftMs,
  isExpected,
} from '../../predictions/changes.ts';
import type { Moment } from '../../predictions/next-port.ts';
import { type Thresholds, thresholds } from '../../predictions/thresholds.ts';
import type { Imo } from '../../reference/codes.ts';
import { canonicalPort } from '../../reference/ports.ts';
import type { BaselineLines, News } from './digest.ts';

type Question = Comparison['questions'][number];
type Row = NonNullable<Question['rows']>[number];

/**
 * Compares answers with the last digest. News that several lines report appears once; a line that was not in the last
 * digest has no news, and neither has a question that had no answer. `comparison` is null for a line that failed or has
 * nothing to compare. The next digest is compared with the returned `baseline`; there, what has no answer keeps its old rows.
 */
export function whatIsNew(
  before: BaselineLines,
  answers: readonly { line: string; comparison: Comparison | null }[],
  now: Date,
): { news: News[]; baseline: BaselineLines } {
  const news = new Map<string, News>();
  const baseline: BaselineLines = {};
  for (const { line, comparison } of answers) {
    const old = before[line];
    const current = comparison ? nextBaseline(comparison, old) : old;
    if (!current) continue;
    baseline[line] = current;
    for (const item of old ? compare(old, current, now) : []) news.set(keyOf(item), item);
  }
  return { news: [...news.values()], baseline };
}

const keyOf = (news: News): string =>
  [news.kind, news.imo, 'now' in news && news.now?.port, 'was' in news && news.was?.port].join(' ');

/** Calls that a port doesn't expect are left out. */
function nextBaseline(comparison: Comparison, old: Comparison | undefined): Comparison {
  const own = thresholdsOf(comparison);
  const oldQuestions = byId(old?.questions);
  const questions = comparison.questions.flatMap((question): Question[] => {
    const before = oldQuestions.get(question.id);
    if (!question.rows) return before ? [before] : [];
    const oldRows = byId(before?.rows);
    const isKept = ({ id, call }: Row) => !question.isList || !call || isExpected(call, oldRows.has(id), own);
    return [{ ...question, rows: question.rows.filter(isKept) }];
  });
  return { ...comparison, questions };
}

/** The minimum probability that the line asks for counts if it is higher. */
function thresholdsOf({ from = 0 }: Comparison): Thresholds {
  const { digest } = thresholds;
  const likely = Math.max(digest.likely, from);
  return { ...digest, likely, unexpected: likely - (digest.likely - digest.unexpected) };
}

const byId = <Item extends { id: string }>(items: readonly Item[] | null | undefined): Map<string, Item> =>
  new Map(items?.map((item) => [item.id, item]));

/** A list has a new row without a call, such as a carrier with more delays. A line that is new has no news. */
export function hasNewRow(old: Comparison | undefined, current: Comparison | null): boolean {
  const oldQuestions = byId(old?.questions);
  return (current?.questions ?? []).some(({ id, isList, rows }) => {
    const before = oldQuestions.get(id);
    const oldRows = byId(before?.rows);
    return before && isList && rows?.some((row) => !row.call && !oldRows.has(row.id));
  });
}

/** A row before and now, and what has changed between the two. */
interface Difference {
  imo: Imo;
  was: Row | undefined;
  row: Row | undefined;
  change: Change | undefined;
}

function compare(old: Comparison, current: Comparison, now: Date): News[] {
  const own = thresholdsOf(current);
  const oldQuestions = byId(old.questions);
  return current.questions.flatMap((question) => {
    const before = oldQuestions.get(question.id);
    if (!before) return [];
    const [oldRows, rows] = [byId(before.rows), byId(question.rows)];
    return [...new Set([...rows.keys(), ...oldRows.keys()])].flatMap((id): News[] => {
      const [was, row] = [oldRows.get(id), rows.get(id)];
      const imo = (row ?? was)?.imo;
      if (imo === undefined) return [];
      const moments = [momentOf(was, now), momentOf(row, now)] as const;
      if (!question.isList) return newsOf({ imo, was, row, change: changesBetween(...moments, own)[0] });
      // Only what was expected is stored.
      const change = changeAtPort(...moments, own, was !== undefined);
      return newsWithin(current.period, { imo, was, row, change });
    });
  });
}

const momentOf = (row: Row | undefined, at: Date): Moment => ({
  at,
  ranked: row?.call ? [{ ...row.call, port: canonicalPort(row.call.port) }] : [],
});

/** Readers see only the calls within the period of the line; left out, all days. A call can come within it, or leave it. */
function newsWithin(period: string | undefined, difference: Difference): News[] {
  const { imo, was, row, change } = difference;
  const [wasShown, isShown] = [was, row].map((each) => each?.when === 'within');
  if (!wasShown && !isShown) return [];
  if (period !== undefined && was?.call && row?.call) {
    const [before, now] = [was.call, row.call];
    if (!wasShown && !change) return [{ kind: 'now-within', imo, now, period }];
    if (row.when === 'after' && etaShiftMs(before, now) > 0)
      return [{ kind: 'eta-moved', imo, was: before, now, beyond: period }];
  }
  return newsOf(difference);
}

function newsOf({ imo, change, ...rows }: Difference): News[] {
  const [was = null, now = null] = [rows.was?.call, rows.row?.call];
  switch (change?.kind) {
    case 'predicted':
    case 'lost':
    case 'diverted':
    case 'next-leg':
      return [{ kind: 'next-port-changed', imo, was, now }];
    case 'eta-moved':
      return was && now ? [{ kind: 'eta-moved', imo, was, now }] : [];
    case 'expected':
      return now ? [{ kind: 'new-arrival', imo, now }] : [];
    case 'not-expected':
      return was ? [{ kind: 'no-longer-expected', imo, was }] : [];
    default:
      return [];
  }
}
