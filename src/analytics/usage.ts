import { z } from 'zod';
import type { UsageMonth, UsagePage, UsageRecord } from './answers.ts';
import type { JsonReply, ServiceRequest } from './http-transport.ts';
import { countField, readEnvelope, readRecords } from './read-records.ts';
import { serviceTime } from './service-time.ts';

/** A page as it came, and what shows whether it is the last one. */
export interface ReadUsagePage extends UsagePage {
  /** Rows sent, unreadable ones included: a page is short if few were sent, not if few could be read. */
  sent: number;
  /** Equal for a page that the service sent again. */
  fingerprint: string;
}

const usagePageSize = 50;

/** GET /administration/usage; pages count from 1. */
export const usageRequest = ({ year, month }: UsageMonth, page: number): ServiceRequest => ({
  resource: 'the usage report',
  path: 'administration/usage',
  query: { year: String(year), month: String(month), page: String(page), page_size: String(usagePageSize) },
});

const envelope = z.object({ last_updated_datetime: serviceTime, usage: z.array(z.unknown()) });
const textOrNull = z.string().nullish();
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
  .transform(
    (row): UsageRecord => ({
      userId: row.user_id ?? null,
      year: row.usage_year,
      month: row.usage_month,
      type: row.usage_type,
      method: row.usage_method ?? null,
      endpoint: row.endpoint,
      status: row.status,
      unit: row.unit,
      count: row.usage_count,
      text: row.text ?? null,
    }),
  );

/** A row of another month is dropped and counted. Throws UnreadableResponseError. */
export function readUsagePage(
  reply: JsonReply,
  { year, month }: UsageMonth,
): Omit<ReadUsagePage, 'fetchedAt' | 'cached'> {
  const { last_updated_datetime, usage } = readEnvelope(envelope, reply);
  return {
    ...readRecords(record, usage, (row) => row.year === year && row.month === month),
    lastUpdatedAt: last_updated_datetime.at,
    truncated: false,
    sent: usage.length,
    fingerprint: JSON.stringify(usage),
  };
}

/** Asks for pages until one is empty, short or a repeat; at the limit the last one is marked truncated. */
export async function* walkUsage(
  page: (number: number) => Promise<ReadUsagePage>,
  pageLimit: number,
): AsyncGenerator<UsagePage, void, void> {
  const seen = new Set<string>();
  for (let number = 1; number <= pageLimit; number += 1) {
    const { sent, fingerprint, ...current } = await page(number);
    if (number > 1 && (sent === 0 || seen.has(fingerprint))) return;
    seen.add(fingerprint);
    const short = sent < usagePageSize;
    yield { ...current, truncated: !short && number === pageLimit };
    if (short) return;
  }
}
