import type { UsagePage, UsageRecord } from '../../analytics/answers.ts';
import { mergeProvenance } from '../../messages/frame/answer-message.ts';
import { callOptions } from '../run-context.ts';
import type { UsageContext } from './services.ts';
import type { UsageAnswer } from './view.ts';

export interface UsageMonth {
  year: number;
  /** 1 to 12. */
  month: number;
}

/** The service's report is usable for testing from here on (analytics API, 8). */
export const firstUsageMonth: UsageMonth = { year: 2022, month: 11 };

/** How far back the newest month with entries is looked for: a call each. */
const monthsBack = 12;

type Report = Pick<
  UsageAnswer,
  | 'year'
  | 'month'
  | 'records'
  | 'lastUpdatedAt'
  | 'truncated'
  | 'fetchedAt'
  | 'cached'
  | 'staleSince'
  | 'throttled'
  | 'faults'
>;

/** All pages of one month. */
export async function askUsageOf({ year, month }: UsageMonth, context: UsageContext): Promise<Report> {
  const pages: UsagePage[] = [];
  for await (const page of context.analytics.usage({ year, month }, callOptions(context))) pages.push(page);
  const records: UsageRecord[] = pages.flatMap((page) => page.records);
  const [first, ...others] = pages;
  if (!first)
    return { year, month, records, truncated: false, fetchedAt: context.now(), cached: false, faults: 0 };
  return {
    year,
    month,
    records,
    lastUpdatedAt: first.lastUpdatedAt,
    truncated: pages.some(({ truncated }) => truncated),
    ...mergeProvenance([first, ...others]),
  };
}

/** From that month back, the newest with entries; that month itself where none of the last 12 has any. */
export async function askNewestUsage(from: UsageMonth, context: UsageContext): Promise<Report> {
  const current = await askUsageOf(from, context);
  let month = from;
  let report = current;
  for (let back = 0; report.records.length === 0 && back < monthsBack; back += 1) {
    month = monthBefore(month);
    if (isBefore(month, firstUsageMonth)) break;
    report = await askUsageOf(month, context);
  }
  return report.records.length > 0 ? report : current;
}

export function monthBefore({ year, month }: UsageMonth): UsageMonth {
  return month === 1 ? { year: year - 1, month: 12 } : { year, month: month - 1 };
}

export function monthAfter({ year, month }: UsageMonth): UsageMonth {
  return month === 12 ? { year: year + 1, month: 1 } : { year, month: month + 1 };
}

export function isBefore(one: UsageMonth, other: UsageMonth): boolean {
  return one.year < other.year || (one.year === other.year && one.month < other.month);
}
