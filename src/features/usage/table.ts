import type { UsageRecord } from '../../analytics/usage.ts';
import type { Reader } from '../../messages/message.ts';
import { defineServiceTable, type ExportTable } from '../table.ts';
import type { UsageReport } from './answer.ts';
import { meaningOf } from './rows.ts';

export const recordsTable = defineServiceTable<UsageRecord & Pick<UsageReport, 'lastUpdatedAt'>>({
  name: 'usage',
  about: "An entry of the provider's usage report; requests and containers must not be added",
  columns: [
    { key: 'year', about: 'of the report', value: ({ year }) => year },
    { key: 'month', about: '1 to 12', value: ({ month }) => month },
    {
      key: 'type',
      about: 'as the provider gives it, such as `REQUEST` or `PUSH`',
      value: ({ type }) => type,
    },
    {
      key: 'account',
      about: "the account's user id at the service; empty for `PUSH`",
      value: ({ userId }) => userId,
    },
    { key: 'method', about: 'HTTP method', value: ({ method }) => method },
    { key: 'endpoint', about: 'what was called or counted', value: ({ endpoint }) => endpoint },
    { key: 'status', about: '`SUCCESS` or `ERROR`', value: ({ status }) => status },
    { key: 'unit', about: '`REQUESTS` or `CONTAINERS`', value: ({ unit }) => unit },
    { key: 'count', about: 'in that unit', value: ({ count }) => count },
    { key: 'counted', about: 'what is counted, in words', value: meaningOf },
    {
      key: 'updated_at',
      about: 'when the provider updated the report, in UTC',
      value: ({ lastUpdatedAt }) => lastUpdatedAt,
    },
  ],
});

/** Undefined where people of other organisations read. */
export function usageTable(report: UsageReport, reader: Reader): ExportTable | undefined {
  if (reader.audience === 'outside') return undefined;
  const { year, month, records, fetchedAt, lastUpdatedAt } = report;
  return recordsTable.of({
    rows: records.map((record) => ({ ...record, ...(lastUpdatedAt && { lastUpdatedAt }) })),
    subject: [`${year}-${String(month).padStart(2, '0')}`],
    fetchedAt,
    reader,
  });
}
