import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isoMonth } from '../../src/grammar/dates.ts';
import { parseMonth } from '../../src/grammar/parse-period.ts';
import { formatPeriod, type Period, resolveMonth } from '../../src/grammar/period.ts';
import { help, refusal } from '../support/grammar-samples.ts';

const now = new Date('2026-11-21T09:05:00Z');

test.each([
  ['2026-10', '2026-10', '2026-10'],
  ['2026/10', '2026-10', '2026-10'],
  ['10/2026', '2026-10', '2026-10'],
  ['Oct 2026', '2026-10', '2026-10'],
  ['October, 2026'.replace(',', ''), '2026-10', '2026-10'],
  ['october', 'october', '2026-10'],
  ['dec', 'december', '2025-12'],
  ['november', 'november', '2026-11'],
  ['this month', 'this month', '2026-11'],
  ['Last Month', 'last month', '2026-10'],
])('%s is %s, resolved to %s', (typed, canonical, resolved) => {
  const month = parseMonth(typed, help);
  expect(formatPeriod(month)).toBe(canonical);
  expect(isoMonth(resolveMonth(month, { now, zone: 'UTC' }))).toBe(resolved);
});

test('resolves by the local calendar, also at New Year', () => {
  const newYear = new Date('2027-01-01T00:30:00Z');
  expect(resolveMonth({ kind: 'month', offset: 0 }, { now: newYear, zone: 'America/New_York' })).toEqual({
    year: 2026,
    month: 12,
  });
  expect(resolveMonth({ kind: 'month', offset: 0 }, { now: newYear, zone: 'Asia/Tokyo' })).toEqual({
    year: 2027,
    month: 1,
  });
  expect(resolveMonth({ kind: 'month', offset: -1 }, { now: newYear, zone: 'UTC' })).toEqual({
    year: 2026,
    month: 12,
  });
});

test('a formatted month parses to the same month', () => {
  const months: fc.Arbitrary<Period> = fc.oneof(
    fc.constantFrom<Period>({ kind: 'month', offset: 0 }, { kind: 'month', offset: -1 }),
    fc.integer({ min: 1, max: 12 }).map((month) => ({ kind: 'named' as const, month })),
    fc
      .record({ year: fc.integer({ min: 2000, max: 2100 }), month: fc.integer({ min: 1, max: 12 }) })
      .map(isoMonth)
      .map((month) => ({ kind: 'months' as const, from: month, to: month })),
  );
  fc.assert(
    fc.property(months, (month) => {
      expect(parseMonth(formatPeriod(month), help)).toEqual(month);
    }),
  );
});

test.each([
  ['octobr', 'october'],
  ['septembr 2025', '2025-09'],
  ['lst month', 'last month'],
  ['2026-09-30', '2026-09'],
  ['2026-09-01/2026-09-30', '2026-09'],
  ['2026-13-01', 'last month'],
  ['whenever', 'last month'],
])('%s: the nearest month is %s', (typed, nearest) => {
  const offered = refusal(() => parseMonth(typed, help))
    .split('\n')
    .at(-1);
  expect(offered).toBe(`[${nearest}] ask ${nearest}`);
});

test('refuses invalid months', () => {
  expect(refusal(() => parseMonth('2026-13', help))).toMatchInlineSnapshot(`
    "bad-month: “2026-13” isn't a valid month.
    Write a month as year-month, such as 2026-10."
  `);
  expect(refusal(() => parseMonth('whenever', help))).toMatchInlineSnapshot(`
    "bad-month: “whenever” isn't a valid month.
    A month is written like 2026-10, “oct 2026” or “last month”.
    [last month] ask last month"
  `);
  expect(refusal(() => parseMonth('2022-10', { ...help, earliest: '2022-11' }))).toMatchInlineSnapshot(`
    "bad-month: There is nothing for October 2022: the first month is November 2022.
    [November 2022] ask 2022-11"
  `);
  expect(refusal(() => parseMonth('2022-11', { ...help, earliest: '2022-11' }))).toMatch(/^no refusal/);
});
