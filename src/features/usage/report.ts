import type { UsageMonth, UsagePage, UsageRecord } from '../../analytics/usage.ts';
import { mergeProvenance } from '../../answers/slack/answer-message.ts';
import { ServiceTrouble } from '../../errors.ts';
import type { Provenance } from '../../reference/prediction.ts';
import { type AskCtx, requestOptions } from '../ctx.ts';
import { addMonths, isBefore, requestTotals } from './rows.ts';

/** The entries of one month, from all pages of the report. */
export interface UsageReport extends Provenance, UsageMonth {
  records: readonly UsageRecord[];
  /** Left out if the service gives none. */
  lastUpdatedAt?: Date;
  /** There may be more records than were read. */
  truncated: boolean;
}

/** The service's reports of earlier months can't be used (analytics API, 8). */
export const firstUsageMonth: UsageMonth = { year: 2022, month: 11 };

/** Each month costs a request. */
const maxMonthsBack = 12;

/** With `maxPages`, a longer report is truncated. */
export async function askUsageOf(
  { year, month }: UsageMonth,
  ctx: AskCtx,
  maxPages = Number.POSITIVE_INFINITY,
): Promise<UsageReport> {
  const pages: UsagePage[] = [];
  let isLonger = false;
  for await (const page of ctx.services.analytics.usage({ year, month }, requestOptions(ctx))) {
    isLonger = pages.length === maxPages;
    if (isLonger) break;
    pages.push(page);
  }
  const records = pages.flatMap((page) => page.records);
  const truncated = isLonger || pages.some((page) => page.truncated);
  const [first, ...others] = pages;
  const provenance = first
    ? { lastUpdatedAt: first.lastUpdatedAt, ...mergeProvenance([first, ...others]) }
    : { fetchedAt: ctx.now(), cached: false, droppedRecords: 0 };
  return { year, month, records, truncated, ...provenance };
}

/** The newest month with entries, at most 12 months back; if there is none, the current month. */
export async function askNewestUsage(current: UsageMonth, ctx: AskCtx): Promise<UsageReport> {
  const report = await askUsageOf(current, ctx);
  if (report.records.length > 0) return report;
  for (let back = 1; back <= maxMonthsBack; back += 1) {
    const month = addMonths(current, -back);
    if (isBefore(month, firstUsageMonth)) break;
    const older = await askUsageOf(month, ctx);
    if (older.records.length > 0) return older;
  }
  return report;
}

export interface UsageTrend {
  /** The month of the report and those before it, oldest first. */
  months: readonly MonthOfRequests[];
  /** Months whose report could not be read, or not in full. */
  unread: readonly UsageMonth[];
}

interface MonthOfRequests extends UsageMonth {
  requests: number;
}

const monthsInTrend = 6;
/** Of each older month. One page has 50 rows. */
const maxTrendPages = 3;

/**
 * The requests of six months. The five older reports cost a request for each of their pages, unless the cache has them.
 * They are asked side by side, not again on Refresh, and not for a digest; one that takes longer than `timeoutMs`, or
 * until `end` is aborted, is left out.
 */
export async function askTrend(
  report: UsageReport,
  ctx: AskCtx,
  { timeoutMs = 4_000, end }: { timeoutMs?: number; end?: AbortSignal } = {},
): Promise<UsageTrend> {
  if (ctx.priority === 'background') return { months: [], unread: [] };
  const ends = [ctx.signal, AbortSignal.timeout(timeoutMs), ...(end ? [end] : [])];
  const signal = AbortSignal.any(ends);
  const older = Array.from({ length: monthsInTrend - 1 }, (_, index) => addMonths(report, -1 - index))
    .filter((month) => !isBefore(month, firstUsageMonth))
    .toReversed();
  const reports = await Promise.all(
    older.map((month) => askIfReadable(month, { ...ctx, fresh: false, signal })),
  );
  ctx.signal.throwIfAborted();
  return {
    months: [...reports.filter((each) => each !== undefined), report].map(({ year, month, records }) => ({
      ...{ year, month },
      requests: requestTotals(records)?.all ?? 0,
    })),
    unread: older.filter((_, index) => reports[index] === undefined),
  };
}

/** Undefined if the service has trouble, or the report is not whole: its sum would be too small. */
async function askIfReadable(month: UsageMonth, ctx: AskCtx): Promise<UsageReport | undefined> {
  try {
    const report = await askUsageOf(month, ctx, maxTrendPages);
    return report.truncated || report.droppedRecords > 0 ? undefined : report;
  } catch (error) {
    if (error instanceof ServiceTrouble || ctx.signal.aborted) return undefined;
    throw error;
  }
}
