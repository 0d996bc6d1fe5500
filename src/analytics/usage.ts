import { z } from 'zod';
import type { Provenance } from '../reference/prediction.ts';
import type { JsonReply, ServiceRequest } from './http-transport.ts';
import { countField, readEnvelope, readRecords, timeField } from './read-records.ts';

export interface UsageMonth {
  year: number;
  /** 1 to 12. */
  month: number;
}

export interface UsagePage extends Provenance {
  records: readonly UsageRecord[];
  lastUpdatedAt: Date;
  /** True on the last page that may be read: the report may have more pages. */
  truncated: boolean;
}

/** A page, with two facts that show whether it is the last one. */
export interface FetchedUsagePage extends UsagePage {
  /** The number of rows, unreadable rows included: a page with few readable rows is not a short page. */
  rowCount: number;
  /** Equal for a repeated page. */
  fingerprint: string;
}

const usagePageSize = 50;

/** GET /administration/usage; pages count from 1. */
export const usageRequest = ({ year, month }: UsageMonth, page: number): ServiceRequest => ({
  resource: 'the usage report',
  path: 'administration/usage',
  query: { year: String(year), month: String(month), page: String(page), page_size: String(usagePageSize) },
});

const envelope = z.object({ last_updated_datetime: timeField, usage: z.array(z.unknown()) });
const textOrNull = z.string().nullish().default(null);
const record = z
  .object({
    user_id: textOrNull,
    usage_year: z.int(),
    usage_month: z.int().min(1).max(12),
    usage_type: z.string(),
    usage_method: textOrNull,
    endpoint: z.string(),
    status: z.string(),
    unit: z.string(),
    usage_count: countField,
    text: textOrNull,
  })
  .transform(({ user_id, usage_year, usage_month, usage_type, usage_method, usage_count, ...row }) => ({
    ...row,
    /** The service's own user id, not Slack's; null on PUSH records. */
    userId: user_id,
    year: usage_year,
    month: usage_month,
    type: usage_type,
    method: usage_method,
    count: usage_count,
  }));

export type UsageRecord = z.output<typeof record>;

/** A row of another month is dropped and counted. Throws UnreadableResponseError. */
export function readUsagePage(
  reply: JsonReply,
  { year, month }: UsageMonth,
): Omit<FetchedUsagePage, 'fetchedAt' | 'cached'> {
  const { last_updated_datetime, usage } = readEnvelope(envelope, reply);
  return {
    ...readRecords(record, usage, (row) => row.year === year && row.month === month),
    lastUpdatedAt: last_updated_datetime.at,
    truncated: false,
    rowCount: usage.length,
    fingerprint: JSON.stringify(usage),
  };
}

/** Requests pages until one is empty, short or a repeat. The last of `maxPages` is marked as truncated. */
export async function* walkUsage(
  readPage: (number: number) => Promise<FetchedUsagePage>,
  maxPages: number,
): AsyncGenerator<UsagePage, void, void> {
  const seen = new Set<string>();
  for (let number = 1; number <= maxPages; number += 1) {
    const { rowCount, fingerprint, ...page } = await readPage(number);
    if (number > 1 && (rowCount === 0 || seen.has(fingerprint))) return;
    seen.add(fingerprint);
    const isShort = rowCount < usagePageSize;
    yield { ...page, truncated: !isShort && number === maxPages };
    if (isShort) return;
  }
}
