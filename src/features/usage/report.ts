import type { UsageMonth, UsagePage, UsageRecord } from '../../analytics/usage.ts';
import { monthName } from '../../answers/formatting/times.ts';
import { capitalised } from '../../answers/formatting/words.ts';
import { mergeProvenance } from '../../answers/slack/answer-message.ts';
import { ServiceTrouble, UserError } from '../../errors.ts';
import type { Provenance } from '../../reference/prediction.ts';
import { type AskCtx, requestOptions } from '../ctx.ts';

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

/** All records of one method, endpoint and text, with the sum of their counts per status. */
export interface Row {
  /** `Requests`, `Containers (PUSH)`, …: only requests have a total. */
  group: string;
  /** At the service; left out if all records are of one account. */
  account?: string;
  method: string | null;
  endpoint: string;
  /** The provider's classifier. */
  text: string | null;
  /** By status. */
  counts: Map<string, number>;
}

/** Requests come first. */
export function rowsOf(records: readonly UsageRecord[]): Row[] {
  const rows = new Map<string, Row>();
  const severalAccounts = accountIds(records).length > 1;
  for (const record of records) {
    const { userId, method, endpoint, text, status, count } = record;
    const account = severalAccounts && userId !== null ? { account: userId } : {};
    const row = { group: groupOf(record), ...account, method, endpoint, text };
    const key = JSON.stringify(row);
    const { counts } = rows.get(key) ?? { counts: new Map<string, number>() };
    counts.set(status, (counts.get(status) ?? 0) + count);
    rows.set(key, { ...row, counts });
  }
  const rank = ({ group }: Row) => (group === requests ? 0 : 1);
  const orderOf = ({ group, account = '', method, endpoint, text }: Row) =>
    [group, account, endpoint, method ?? '', text ?? ''].join('\n');
  return [...rows.values()].sort((a, b) => rank(a) - rank(b) || compare(orderOf(a), orderOf(b)));
}

export const requests = 'Requests';
const pushedContainers = 'Containers (PUSH)';
const totalContainers = 'Total container count';

function groupOf({ type, unit }: UsageRecord): string {
  return type === 'REQUEST' && unit === 'REQUESTS'
    ? requests
    : `${capitalised(unit.toLowerCase())} (${type})`;
}

/** The totals of the requests; undefined if there are none. */
export function requestTotals(records: readonly UsageRecord[]): { all: number; errors: number } | undefined {
  const counted = records.filter((record) => groupOf(record) === requests);
  if (counted.length === 0) return undefined;
  return { all: sumOf(counted), errors: sumOf(counted.filter(({ status }) => status === 'ERROR')) };
}

/**
 * The provider's own total of the tracked containers. Without one, the largest figure of a kind of reference: these are
 * never added, since one container may have several references.
 */
export function containerTotal(
  records: readonly UsageRecord[],
): { count: number; isMinimum: boolean } | undefined {
  const totals = records.filter(
    (record) => groupOf(record) === pushedContainers && record.endpoint === totalContainers,
  );
  const overall = totals.filter(({ text }) => text === null);
  if (overall.length > 0) return { count: sumOf(overall), isMinimum: false };
  if (totals.length === 0) return undefined;
  return { count: Math.max(...totals.map(({ count }) => count)), isMinimum: totals.length > 1 };
}

const sumOf = (added: readonly UsageRecord[]): number => added.reduce((total, { count }) => total + count, 0);

/** The provider's classifiers in plain words (analytics API, 2.3). */
const meanings: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "Bill of lading number transports' container count": 'containers of initiated bill-of-lading transports',
    "Carrier booking reference transports' container count":
      'containers of initiated booking-number transports',
    "Equipment reference transports' container count": 'container transports initiated by container number',
    'Bill of lading number transports': 'initiated bill-of-lading transports',
    'Carrier booking reference transports': 'initiated booking-number transports',
    'Equipment reference transports with vessel_operator_carrier_code':
      'container transports initiated with a carrier code',
    'Equipment reference transports without vessel_operator_carrier_code':
      'container transports initiated without a carrier code',
  }),
);

/** What a row counts, in plain words; nothing if its endpoint says it. */
export function meaningOf({ text, endpoint }: Pick<Row, 'text' | 'endpoint'>): string | undefined {
  if (text !== null) return meanings.get(text) ?? text;
  return endpoint === totalContainers ? 'across all identifiers' : undefined;
}

/** Accounts at the service, not Slack users. */
export const accountIds = (records: readonly UsageRecord[]): string[] => [
  ...new Set(records.flatMap(({ userId }) => userId ?? [])),
];

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

const monthsOf = ({ year, month }: UsageMonth): number => year * 12 + month - 1;

export function addMonths(month: UsageMonth, count: number): UsageMonth {
  const months = monthsOf(month) + count;
  return { year: Math.floor(months / 12), month: (months % 12) + 1 };
}

export const isBefore = (first: UsageMonth, second: UsageMonth): boolean =>
  monthsOf(first) < monthsOf(second);

/** `what`: there is none of it, as in “no usage yet”; `thisMonth`: the line for the current month. */
export const notYet = (
  { year, month }: UsageMonth,
  { what, thisMonth }: { what: string; thisMonth: string },
): UserError =>
  new UserError({
    code: 'bad-month',
    message: `${monthName(year, month)} is in the future: there is no ${what} yet.`,
    choices: [{ label: 'This month', line: thisMonth }],
    example: 'usage last month',
  });
