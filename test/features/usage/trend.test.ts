import { beforeEach, expect, test } from 'vitest';
import type { AnalyticsClient } from '../../../src/analytics/client.ts';
import { UnavailableError } from '../../../src/analytics/errors.ts';
import type { UsageMonth, UsagePage } from '../../../src/analytics/usage.ts';
import type { AskCtx } from '../../../src/features/ctx.ts';
import type { WorkspaceServices } from '../../../src/features/services.ts';
import { askTrend, askUsageOf } from '../../../src/features/usage/report.ts';
import { now, runContext } from '../../support/run-command.ts';
import { usageRecord } from '../../support/view-fixtures.ts';

type Asked = Parameters<AnalyticsClient['usage']>;

let asked: Asked[];
beforeEach(() => {
  asked = [];
});

const page = (requests: number): UsagePage => ({
  records: [usageRecord('/nextport/vessel', requests), usageRecord('/nextport/port', 1)],
  lastUpdatedAt: now,
  truncated: false,
  fetchedAt: now,
  cached: false,
  droppedRecords: 0,
});

/** A service whose report of each month is what `pages` yields. */
function contextOver(
  pages: (month: UsageMonth, options: Asked[1]) => AsyncIterable<UsagePage>,
  more: Partial<AskCtx> = {},
): AskCtx {
  const usage: AnalyticsClient['usage'] = (month, options) => {
    asked.push([month, options]);
    return pages(month, options);
  };
  // Only the function that the line needs is there.
  const services = { analytics: { usage } } as unknown as WorkspaceServices;
  return { ...runContext(), services, ...more };
}

async function* requestsOf({ year, month }: UsageMonth) {
  yield page(year + month);
}

const trendOf = async (month: UsageMonth, context: AskCtx, options?: { timeoutMs: number }) =>
  askTrend(await askUsageOf(month, context), context, options);

test('six months, the oldest first; each older one is asked once, and not again on Refresh', async () => {
  const { months, unread } = await trendOf(
    { year: 2026, month: 2 },
    contextOver(requestsOf, { fresh: true }),
  );
  expect(months).toEqual([
    { year: 2025, month: 9, requests: 2035 },
    { year: 2025, month: 10, requests: 2036 },
    { year: 2025, month: 11, requests: 2037 },
    { year: 2025, month: 12, requests: 2038 },
    { year: 2026, month: 1, requests: 2028 },
    { year: 2026, month: 2, requests: 2029 },
  ]);
  expect(unread).toEqual([]);
  expect(asked.map(([month, options]) => [month.month, options?.fresh])).toEqual([
    [2, true],
    ...[9, 10, 11, 12, 1].map((month) => [month, false]),
  ]);
});

test('no month before November 2022 is asked', async () => {
  const { months } = await trendOf({ year: 2022, month: 12 }, contextOver(requestsOf));
  expect(months.map(({ month }) => month)).toEqual([11, 12]);
});

test('a digest asks for no other month', async () => {
  const context = contextOver(requestsOf, { priority: 'background' });
  expect(await trendOf({ year: 2026, month: 10 }, context)).toEqual({ months: [], unread: [] });
  expect(asked).toHaveLength(1);
});

test('months that fail, take too long, or can be read only in part are left out and named', async () => {
  async function* troubled(month: UsageMonth, options: Asked[1]) {
    if (month.month === 6) throw new UnavailableError({ since: now });
    if (month.month === 7) {
      await new Promise((_, reject) => {
        options?.signal?.addEventListener('abort', () => reject(options.signal?.reason));
      });
    }
    yield { ...page(1), ...(month.month === 8 && { droppedRecords: 1 }) };
    // Longer than a chart is worth.
    if (month.month === 9) for (let more = 0; more < 40; more += 1) yield page(1);
  }
  const context = contextOver(troubled);
  const { months, unread } = await trendOf({ year: 2026, month: 10 }, context, { timeoutMs: 1 });
  expect(months.map(({ month }) => month)).toEqual([5, 10]);
  expect(unread.map(({ month }) => month)).toEqual([6, 7, 8, 9]);
});

test('after a report that took very long, the answer does not wait for the other months', async () => {
  async function* hanging({ month }: UsageMonth, options: Asked[1]) {
    options?.signal?.throwIfAborted();
    if (month !== 10) await new Promise(() => {});
    yield page(1);
  }
  const context = contextOver(hanging);
  const report = await askUsageOf({ year: 2026, month: 10 }, context);
  const trend = askTrend(report, context, { timeoutMs: 60_000, end: AbortSignal.abort() });
  expect(await trend).toMatchObject({
    months: [{ month: 10 }],
    unread: [{ month: 5 }, { month: 6 }, { month: 7 }, { month: 8 }, { month: 9 }],
  });
});

test('a bug is not hidden, nor that the person no longer waits', async () => {
  const report = await askUsageOf({ year: 2026, month: 10 }, contextOver(requestsOf));
  const bug = new TypeError('bug');
  const broken = contextOver(() => {
    throw bug;
  });
  await expect(askTrend(report, broken)).rejects.toBe(bug);
  const reason = new Error('gone');
  const gone = contextOver(requestsOf, { signal: AbortSignal.abort(reason) });
  await expect(askTrend(report, gone)).rejects.toBe(reason);
});
