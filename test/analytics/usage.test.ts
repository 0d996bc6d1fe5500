import { describe, expect, test } from 'vitest';
import type { UsagePage } from '../../src/analytics/usage.ts';
import { analyticsHarness, failure } from '../support/analytics-harness.ts';
import type { Answer } from '../support/fake-service.ts';

const october = { year: 2026, month: 10 };

function row(fields: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    user_id: 'u1',
    usage_year: 2026,
    usage_month: 10,
    usage_type: 'REQUEST',
    usage_method: 'GET',
    endpoint: '/nextport/vessel/{vessel_imo_number}/predictions',
    status: 'SUCCESS',
    unit: 'REQUESTS',
    usage_count: 7,
    text: null,
    ...fields,
  };
}

const rows = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => row({ usage_count: from + index }));

const report = (usage: unknown) => ({ body: { last_updated_datetime: '2026-11-21T11:45:00+00:00', usage } });

/** A report of these rows, divided into the requested pages. */
function paged(all: Record<string, unknown>[]): Answer {
  return ({ query }) => {
    const size = Number(query.page_size);
    const start = (Number(query.page) - 1) * size;
    return report(all.slice(start, start + size));
  };
}

const collect = (pages: AsyncIterable<UsagePage>) => Array.fromAsync(pages);

describe('the usage report', () => {
  test('is requested with year, month, page and size, and parsed', async () => {
    const push = row({ user_id: null, usage_method: null, usage_type: 'PUSH', text: undefined });
    const { client, service, clock } = await analyticsHarness(() => report([row(), push]));
    const pages = await collect(client.usage(october));
    expect(service.requests[0]).toMatchObject({
      path: '/administration/usage',
      query: { year: '2026', month: '10', page: '1', page_size: '50' },
    });
    expect(pages).toEqual([
      {
        records: [
          {
            userId: 'u1',
            year: 2026,
            month: 10,
            type: 'REQUEST',
            method: 'GET',
            endpoint: '/nextport/vessel/{vessel_imo_number}/predictions',
            status: 'SUCCESS',
            unit: 'REQUESTS',
            count: 7,
            text: null,
          },
          expect.objectContaining({ userId: null, method: null, type: 'PUSH', text: null }),
        ],
        lastUpdatedAt: new Date('2026-11-21T11:45:00Z'),
        truncated: false,
        droppedRecords: 0,
        fetchedAt: clock.domain,
        cached: false,
      },
    ]);
  });

  test.each([
    { count: 120, lengths: [50, 50, 20], requests: 3 },
    { count: 100, lengths: [50, 50], requests: 3 },
    { count: 0, lengths: [0], requests: 1 },
  ])('of $count rows ends with a short page, which may be empty', async ({ count, lengths, requests }) => {
    const { client, service } = await analyticsHarness(paged(rows(count)));
    const pages = await collect(client.usage(october));
    expect(pages.map(({ records }) => records.length)).toEqual(lengths);
    expect(pages.flatMap(({ records }) => records.map((record) => record.count))).toEqual(
      Array.from({ length: count }, (_, index) => index),
    );
    expect(pages.filter(({ truncated }) => truncated)).toEqual([]);
    expect(service.requests).toHaveLength(requests);
  });

  test('ends if a service that ignores `page` repeats itself', async () => {
    const { client, service } = await analyticsHarness(() => report(rows(70)));
    const pages = await collect(client.usage(october));
    expect(pages.map(({ records, truncated }) => [records.length, truncated])).toEqual([[70, false]]);
    expect(service.requests).toHaveLength(2);
  });

  test('stops at the limit of pages, and is marked as truncated', async () => {
    const { client, service } = await analyticsHarness(
      ({ query }) => report(rows(50, Number(query.page) * 50)),
      {
        maxUsagePages: 3,
      },
    );
    const pages = await collect(client.usage(october));
    expect(pages.map(({ truncated }) => truncated)).toEqual([false, false, true]);
    expect(service.requests).toHaveLength(3);
  });

  test('a bad row, or a row of another month, is dropped, but makes no page short', async () => {
    const first = [...rows(48), row({ usage_count: 'many' }), row({ usage_month: 9 })];
    const { client } = await analyticsHarness(paged([...first, ...rows(1, 100)]));
    const pages = await collect(client.usage(october));
    expect(pages.map(({ records, droppedRecords }) => [records.length, droppedRecords])).toEqual([
      [48, 2],
      [1, 0],
    ]);
  });

  test('is cached page by page for 10 minutes', async () => {
    const { client, service, clock } = await analyticsHarness(paged(rows(60)));
    await collect(client.usage(october));
    clock.domain = new Date(clock.domain.getTime() + 9 * 60_000);
    expect((await collect(client.usage(october))).map(({ cached }) => cached)).toEqual([true, true]);
    expect(service.requests).toHaveLength(2);
    await collect(client.usage({ year: 2026, month: 9 }));
    expect(service.requests).toHaveLength(4);
  });

  test('no more pages are requested after the caller stops reading', async () => {
    const { client, service } = await analyticsHarness(paged(rows(200)));
    for await (const page of client.usage(october)) {
      expect(page.records).toHaveLength(50);
      break;
    }
    expect(service.requests).toHaveLength(1);
  });

  test('is unreadable without the time of its last update; 404 is an error', async () => {
    const { client, service } = await analyticsHarness(() => ({ body: { usage: [] } }));
    expect(await failure(collect(client.usage(october)))).toMatchObject({ code: 'unreadable' });
    service.answer = () => ({ status: 404 });
    expect(await failure(collect(client.usage(october)))).toMatchObject({ code: 'not-found', status: 404 });
  });
});
