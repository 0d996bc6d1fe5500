import type { UsageMonth, UsageRecord } from '../../analytics/usage.ts';
import { mergeProvenance } from '../../messages/frame/answer-message.ts';
import type { Provenance } from '../../reference/provenance.ts';
import type { WorkspaceServices } from '../feature.ts';
import { type AnalyticsServices, type RunContext, requestOptions } from '../run-context.ts';

export interface UsageServices extends AnalyticsServices {
  settings: Pick<WorkspaceServices['settings'], 'usageVisibleTo'>;
}

export type UsageContext = RunContext & UsageServices;

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

export async function askUsageOf({ year, month }: UsageMonth, context: UsageContext): Promise<UsageReport> {
  const pages = await Array.fromAsync(context.analytics.usage({ year, month }, requestOptions(context)));
  const records = pages.flatMap((page) => page.records);
  const truncated = pages.some((page) => page.truncated);
  const [first, ...others] = pages;
  const provenance = first
    ? { lastUpdatedAt: first.lastUpdatedAt, ...mergeProvenance([first, ...others]) }
    : { fetchedAt: context.now(), cached: false, droppedRecords: 0 };
  return { year, month, records, truncated, ...provenance };
}

/** The newest month with entries, at most 12 months back; if there is none, the current month. */
export async function askNewestUsage(current: UsageMonth, context: UsageContext): Promise<UsageReport> {
  const report = await askUsageOf(current, context);
  if (report.records.length > 0) return report;
  for (let back = 1; back <= maxMonthsBack; back += 1) {
    const month = addMonths(current, -back);
    if (isBefore(month, firstUsageMonth)) break;
    const older = await askUsageOf(month, context);
    if (older.records.length > 0) return older;
  }
  return report;
}

const monthsOf = ({ year, month }: UsageMonth): number => year * 12 + month - 1;

export function addMonths(month: UsageMonth, count: number): UsageMonth {
  const months = monthsOf(month) + count;
  return { year: Math.floor(months / 12), month: (months % 12) + 1 };
}

export const isBefore = (first: UsageMonth, second: UsageMonth): boolean =>
  monthsOf(first) < monthsOf(second);
