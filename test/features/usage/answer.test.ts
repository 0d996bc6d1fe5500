import { describe, expect, test } from 'vitest';
import type { Reader } from '../../../src/answers/message.ts';
import { type Usage, usageAnswer } from '../../../src/features/usage/answer.ts';
import { messageOf } from '../../support/answer-message.ts';
import { asRead } from '../../support/message-text.ts';
import { asked, pushRecord, reader, usageRecord } from '../../support/view-fixtures.ts';

const answer: Usage = {
  year: 2026,
  month: 10,
  isRunning: false,
  insteadOfCurrent: false,
  trend: {
    months: [
      { year: 2026, month: 8, requests: 1010 },
      { year: 2026, month: 9, requests: 1150 },
      { year: 2026, month: 10, requests: 1300 },
    ],
    unread: [],
  },
  records: [
    usageRecord('/nextport/vessel', 1234),
    usageRecord('/nextport/vessel', 66, { status: 'ERROR' }),
    pushRecord('Total container count', 777, "Bill of lading number transports' container count"),
    pushRecord('Container with data count', 512),
    pushRecord('Total container count', 3, 'a new classifier'),
  ],
  lastUpdatedAt: new Date('2026-10-01T00:00:00Z'),
  truncated: false,
  others: [{ label: 'September 2026', line: 'usage 2026-09' }],
  ...asked,
};

const viewOf = ({ page = 1, ...usage }: Usage & { page?: number }, shownTo: Reader = reader) =>
  messageOf(usageAnswer(usage, { now: shownTo.now, page }), 'usage october', shownTo);

test("the verdict has the provider's own total of the containers, and adds up nothing", () => {
  const read = (records: Usage['records']) => viewOf({ ...answer, records }, reader).text;
  const bill = pushRecord('Total container count', 777, "Bill of lading number transports' container count");
  const booking = pushRecord('Total container count', 3, 'a new classifier');
  expect(read([bill])).toMatch(/^October 2026: no requests · 777 containers \(PUSH\)/);
  expect(read([bill, booking])).toMatch(/^October 2026: no requests · at least 777 containers \(PUSH\)/);
  expect(read([bill, booking])).toContain('Total container count, a new classifier · 3');
  expect(read([pushRecord('Container with data count', 512)])).toMatch(/^October 2026: no requests\./);
  expect(read([bill, booking, pushRecord('Total container count', 779)])).toMatch(
    /· 779 containers \(PUSH\)/,
  );
});

test('only requests that are counted in requests are in the total', () => {
  const records = [
    usageRecord('/nextport/vessel', 1),
    usageRecord('/nextport/vessel', 20, { unit: 'CONTAINERS' }),
    usageRecord('/nextport/vessel', 300, { type: 'PUSH' }),
  ];
  const shown = asRead(viewOf({ ...answer, records }, reader));
  expect(shown).toMatch(/October 2026: 1 request\b/);
  expect(shown).toContain('Containers (REQUEST)');
  expect(shown).toContain('Requests (PUSH)');
});

test("the provider's own total comes before the figures of its parts, and says what it counts", () => {
  const bill = pushRecord('Total container count', 777, "Bill of lading number transports' container count");
  const shown = asRead(
    viewOf({ ...answer, records: [bill, pushRecord('Total container count', 779)] }, reader),
  );
  expect(shown).toContain(
    'Total container count, across all identifiers | 779 |\n  | Total container count, containers of initiated bill-of-lading transports | 777 |',
  );
});

describe('the chart', () => {
  const trend = {
    months: [
      { year: 2025, month: 12, requests: 900 },
      { year: 2026, month: 1, requests: 1300 },
    ],
    unread: [
      { year: 2025, month: 10 },
      { year: 2025, month: 11 },
    ],
  };
  const january = { ...answer, year: 2026, month: 1, trend };

  test('marks a month that is not over, and names the year where it differs', () => {
    expect(asRead(viewOf({ ...january, isRunning: true }, reader))).toContain(
      'Requests: Dec 2025 900, Jan so far 1300',
    );
  });

  test('leaves out months that could not be read; the small print says which', () => {
    expect(asRead(viewOf(january, reader))).toContain(
      'not in the chart, since unreadable: October 2025 and November 2025',
    );
  });

  test('needs two months', () => {
    const one = { months: trend.months.slice(1), unread: [] };
    expect(asRead(viewOf({ ...january, trend: one }, reader))).not.toContain('chart');
  });

  test('with November 2022 in it, the small print says that it is not fully correct', () => {
    const months = [{ year: 2022, month: 11, requests: 5 }, ...trend.months];
    expect(asRead(viewOf({ ...january, trend: { months, unread: [] } }, reader))).toContain(
      'not fully correct before December 2022',
    );
  });
});

test('November 2022 has a note', () => {
  expect(asRead(viewOf({ ...answer, year: 2022, month: 11 }, reader))).toContain(
    'not fully correct before December 2022',
  );
  expect(asRead(viewOf({ ...answer, year: 2022, month: 12 }, reader))).not.toContain('not fully correct');
});

test('several accounts have separate rows', () => {
  const records = [usageRecord('/nextport/ship', 1), usageRecord('/nextport/ship', 2, { userId: 'u2' })];
  const shown = asRead(viewOf({ ...answer, records }, reader));
  expect(shown).toContain('API accounts u1, u2');
  expect(shown).toContain('| /nextport/ship | 2 | 0 | GET | u2 |');
});

test('a month without entries', () => {
  expect(viewOf({ ...answer, records: [] }, reader).text).toBe(
    'October 2026: no entries · an endpoint that was not called has none. API requests by month: Aug 1,010 · Sep 1,150 · Oct 1,300. Updated 1 Oct 2026 (51 d ago) · the provider refreshes quarterly · an endpoint not listed was not called · asked 09:05 UTC',
  );
});
