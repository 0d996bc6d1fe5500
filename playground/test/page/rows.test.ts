import { describe, expect, it } from 'vitest';
import { isGrouped, rowsOf } from '../../page/message/rows.ts';
import type { PageMessage } from '../../src/page-api/page-api.ts';
import { pageMessage } from '../support/page-message.ts';

const NINE = 1_795_251_600; // 2026-11-21 09:00 UTC
const at = (seconds: number, over: Partial<PageMessage> = {}) =>
  pageMessage(`${NINE + seconds}.000100`, over);

describe('rows', () => {
  it("are in chronological order with notices, each on the reader's calendar day", () => {
    const time = (NINE + 30) * 1000;
    const notice = { id: 1, userId: 'ADA', channelId: 'C1', text: 'failed', at: time, shownAt: time };
    const rows = rowsOf([at(0), at(60), at(15 * 3600)], [notice], 'Europe/Berlin');
    expect(rows.map((row) => [row.day, 'notice' in row])).toEqual([
      ['2026-11-21', false],
      ['2026-11-21', true],
      ['2026-11-21', false],
      ['2026-11-22', false],
    ]);
  });

  it('show the time of the invented world, but stay in the order of their `ts`', () => {
    const day = 86_400_000;
    const postedAt = [NINE * 1000 + 7 * day, NINE * 1000];
    const rows = rowsOf(
      postedAt.map((ms, index) => at(index, { postedAt: ms })),
      [],
      'UTC',
    );
    expect(rows.map(({ shownAt }) => shownAt)).toEqual(postedAt);
    expect(rows.map((row) => row.day)).toEqual(['2026-11-28', '2026-11-21']);
  });

  const grouped = (first: PageMessage, second: PageMessage): boolean => {
    const [before, row] = rowsOf([first, second], [], 'UTC');
    return row !== undefined && isGrouped(before, row);
  };

  it('are grouped under one name for five minutes', () => {
    expect(grouped(at(0), at(299))).toBe(true);
    expect(grouped(at(0), at(301))).toBe(false);
    expect(grouped(at(0, { postedAt: 0 }), at(1, { postedAt: 301_000 }))).toBe(false);
    expect(grouped(at(0), at(10, { userId: 'ADA' }))).toBe(false);
  });

  it.each([
    ['an ephemeral message', { ephemeralTo: 'ADA' }],
    ['a broadcast reply', { broadcast: true, threadTs: '1.000001' }],
  ])('%s stands alone', (_, over) => {
    expect(grouped(at(0, over), at(1))).toBe(false);
    expect(grouped(at(0), at(1, over))).toBe(false);
  });

  it('are not grouped with a message that has a thread', () => {
    expect(grouped(at(0, { replyCount: 1 }), at(1))).toBe(false);
  });
});
