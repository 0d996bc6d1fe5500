import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type DayWord,
  dateOrderOf,
  type IsoMonth,
  isoMonth,
  type PeriodDay,
  weekdays,
} from '../../src/grammar/dates.ts';
import { parseMonth } from '../../src/grammar/parse-month.ts';
import { parsePeriod, periodOption } from '../../src/grammar/parse-period.ts';
import { formatPeriod, type MonthPart, type Period } from '../../src/grammar/period.ts';
import { resolveMonth, resolvePeriod, resolvePeriodWithin } from '../../src/grammar/resolve-period.ts';
import type { DayPart } from '../../src/grammar/times.ts';
import { carriers } from '../../src/reference/carriers.ts';
import { allPorts } from '../../src/reference/ports.ts';
import { help, refusal } from '../support/grammar-samples.ts';

const dates = fc
  .date({ min: new Date('2000-01-01'), max: new Date('2100-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10) as DayWord);
const openDays = fc.oneof(
  fc.constantFrom<PeriodDay>(...weekdays),
  dates.map((date): PeriodDay => ({ month: Number(date.slice(5, 7)), date: Number(date.slice(8)) })),
);
const dayWords = fc.oneof(
  dates,
  openDays,
  fc.constantFrom<PeriodDay>(
    'today',
    'tomorrow',
    'yesterday',
    'in 3 days',
    'next monday',
    'next sunday',
    'last monday',
    'thanksgiving',
    'the 1st',
    'the 31st',
  ),
);
const pairs = fc
  .tuple(dates, dates)
  .map(([one, other]): [DayWord, DayWord] => (one < other ? [one, other] : [other, one]));
// The first seven characters of a date are a month.
const monthOf = (day: string) => day.slice(0, 7) as IsoMonth;

const months = fc.integer({ min: 1, max: 12 });
const dayPartNames = fc.constantFrom<DayPart>('morning', 'afternoon', 'evening', 'night');
const weeks: fc.Arbitrary<Period> = fc.record(
  {
    kind: fc.constant('named-week' as const),
    week: fc.integer({ min: 1, max: 26 }),
    last: fc.integer({ min: 27, max: 52 }),
    year: fc.integer({ min: 2000, max: 2100 }),
  },
  { requiredKeys: ['kind', 'week'] },
);
const minutes = fc.integer({ min: 0, max: 24 * 60 });
const years = fc.integer({ min: 2000, max: 2100 });

const periods: fc.Arbitrary<Period> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('last' as const, 'next' as const),
    amount: fc.integer({ min: 1, max: 24 }),
    unit: fc.constantFrom('hours' as const, 'days' as const, 'months' as const),
  }),
  fc.record({
    kind: fc.constantFrom(...(['week', 'weekend', 'month', 'quarter', 'year'] as const)),
    offset: fc.constantFrom(-1, 0, 1),
  }),
  fc.record({
    kind: fc.constant('last-full' as const),
    amount: fc.integer({ min: 2, max: 12 }),
    unit: fc.constantFrom(...(['week', 'month', 'quarter', 'year'] as const)),
  }),
  years.map((year) => ({ kind: 'year-to-date' as const, year })),
  fc
    .tuple(
      fc.oneof(
        months.map((month) => ({ kind: 'named' as const, month })),
        fc.integer({ min: 1, max: 4 }).map((quarter) => ({ kind: 'named-quarter' as const, quarter })),
        fc.integer({ min: 1, max: 2 }).map((half) => ({ kind: 'named-half' as const, half })),
      ),
      fc.constantFrom(-1, 0),
    )
    .map(([of, offset]) => ({ kind: 'of-year' as const, of, offset })),
  dayWords.map((day) => ({ kind: 'day' as const, day })),
  fc.record({
    kind: fc.constantFrom(...(['week', 'month', 'quarter', 'year'] as const)),
    offset: fc.integer({ min: 2, max: 2 }),
  }),
  fc.record({ kind: fc.constant('part-of-day' as const), day: dayWords, part: dayPartNames }).filter(
    // That is tonight.
    ({ day, part }) => day !== 'today' || part !== 'night',
  ),
  fc.record(
    { kind: fc.constantFrom('since' as const, 'until' as const), day: dayWords, minutes },
    { requiredKeys: ['kind', 'day'] },
  ),
  dayWords
    .filter((day) => !/^(?:in|today|tom|yest)/.test(String(day)))
    .map((day) => ({ kind: 'week-from' as const, day })),
  pairs.map(([from, to]) => ({ kind: 'days' as const, from, to })),
  fc.tuple(openDays, openDays).map(([from, to]) => ({ kind: 'days' as const, from, to })),
  pairs.map(([from, to]) => ({ kind: 'months' as const, from: monthOf(from), to: monthOf(to) })),
  fc
    .tuple(pairs, minutes, minutes)
    .filter(([[from, to], begin, end]) => from < to || begin < end)
    .map(([[from, to], begin, end]) => ({
      kind: 'times' as const,
      from: { day: from, minutes: begin % 1440 },
      to: { day: to, minutes: end },
    })),
  months.map((month) => ({ kind: 'named' as const, month })),
  fc
    .tuple(months, months)
    .filter(([month, last]) => month !== last)
    .map(([month, last]) => ({ kind: 'named' as const, month, last })),
  fc.record(
    {
      kind: fc.constant('named-part' as const),
      part: fc.constantFrom<MonthPart>('early', 'mid', 'late', 'first half of', 'second half of'),
      month: months,
      year: years,
    },
    { requiredKeys: ['kind', 'part', 'month'] },
  ),
  fc.constantFrom({ kind: 'named-half' as const, half: 1 }, { kind: 'named-half' as const, half: 2 }),
  weeks,
  fc.record({ kind: fc.constantFrom('since-start' as const, 'until-end' as const), of: weeks }),
  fc.constant({ kind: 'until-end' as const, of: { kind: 'week' as const, offset: 0 } }),
  fc.record(
    {
      kind: fc.constant('named-quarter' as const),
      quarter: fc.integer({ min: 1, max: 4 }),
      year: years,
    },
    { requiredKeys: ['kind', 'quarter'] },
  ),
  fc.constant({ kind: 'tonight' as const }),
);

test('a formatted period parses to the same period', () => {
  fc.assert(
    fc.property(periods, (period) => {
      expect(parsePeriod(formatPeriod(period), help)).toEqual(period);
    }),
  );
});

test('no port, carrier or code ends in the words of a period', () => {
  const names = [
    ...allPorts().flatMap(({ name, locode }) => [name, locode]),
    ...carriers.flatMap(({ name, scac }) => [name, scac]),
  ];
  for (const direction of ['past', 'future'] as const) {
    const take = periodOption(direction);
    expect(names.filter((name) => take(name, () => help) !== undefined)).toEqual([]);
  }
});

test('a formatted month parses to the same month', () => {
  const isMonth = (period: Period) => period.kind === 'named' && period.last === undefined;
  const months = fc.oneof(
    fc.constantFrom<Period>({ kind: 'month', offset: 0 }, { kind: 'month', offset: -1 }),
    periods.filter(isMonth),
    dates.map((day) => ({ kind: 'months' as const, from: monthOf(day), to: monthOf(day) })),
  );
  fc.assert(
    fc.property(months, (month) => {
      expect(parseMonth(formatPeriod(month), help)).toEqual(month);
    }),
  );
});

test.each([
  ['this month', '2027-01-01T00:30:00Z', 'America/New_York', '2026-12'],
  ['this month', '2027-01-01T00:30:00Z', 'Asia/Tokyo', '2027-01'],
  ['last month', '2027-01-01T00:30:00Z', 'UTC', '2026-12'],
  ['dec', '2026-11-21T09:05:00Z', 'UTC', '2025-12'],
  ['november', '2026-11-21T09:05:00Z', 'UTC', '2026-11'],
])('%s, asked at %s in %s, is %s', (typed, at, zone, resolved) => {
  expect(isoMonth(resolveMonth(parseMonth(typed, help), { now: new Date(at), zone }))).toBe(resolved);
});

test.each([
  ['Q3 this yr', 'q3 this year'],
  ["last year's q3", 'q3 last year'],
  ['Feb-Apr this year', 'february..april this year'],
  ['first nine months of 2026', '2026-01..2026-09'],
  ['CY2025', '2025-01..2025-12'],
  ['the whole of 2025', '2025-01..2025-12'],
  ['November so far', 'november'],
  ['so far this month', 'this month'],
  ['since the beginning of the year', 'this year'],
  ['since the 1st of august', 'since 1 aug'],
  ['from july on', 'since july'],
  ['Jul-26 to Sep-26', '2026-07..2026-09'],
  ['sept + oct', 'september..october'],
  ['jul/aug/sep 2025', '2025-07..2025-09'],
  ['q2 and q3', 'april..september'],
  ['3Q26', 'q3 2026'],
  ['1H 2026', '2026-01..2026-06'],
  ['L90D', 'last 90 days'],
  ['LTM', 'last 12 months'],
  ['last full quarter', 'last quarter'],
  ['2026-10-01;2026-10-31', '2026-10-01..2026-10-31'],
])('%s is %s', (typed, canonical) => {
  expect(formatPeriod(parsePeriod(typed, { ...help, direction: 'past' }))).toBe(canonical);
});

test.each(['aug and oct', 'aug + oct', 'q1 and q3'])('%s leaves something out', (typed) => {
  expect(refusal(() => parsePeriod(typed, help))).toMatch(/^bad-period:/);
});

test('november so far is over where the future is asked for, and nov-26 may be a day', () => {
  const future = { ...help, direction: 'future' } as const;
  for (const typed of ['november so far', 'nov-26'])
    expect(refusal(() => parsePeriod(typed, future))).toMatch(/^bad-period:/);
});

describe('resolving a period', () => {
  const now = new Date('2026-11-21T09:05:00Z');
  const resolved = (typed: string, zone: string, direction: 'past' | 'future' = 'future') => {
    const { begin, end } = resolvePeriod(parsePeriod(typed, help), { now, zone, direction });
    return `${begin.toISOString().slice(0, 16)} to ${end.toISOString().slice(0, 16)}`;
  };

  test.each([
    ['next 3 days', 'Europe/Berlin', '2026-11-21T09:05 to 2026-11-24T09:05'],
    ['next 36 hours', 'Europe/Berlin', '2026-11-21T09:05 to 2026-11-22T21:05'],
    ['last 30 days', 'UTC', '2026-10-22T09:05 to 2026-11-21T09:05'],
    ['last 3 months', 'UTC', '2026-08-21T09:05 to 2026-11-21T09:05'],
    ['today', 'Asia/Kolkata', '2026-11-20T18:30 to 2026-11-21T18:30'],
    ['tomorrow', 'Europe/Berlin', '2026-11-21T23:00 to 2026-11-22T23:00'],
    ['tomorrow', 'Pacific/Auckland', '2026-11-21T11:00 to 2026-11-22T11:00'],
    ['yesterday', 'America/New_York', '2026-11-20T05:00 to 2026-11-21T05:00'],
    ['next friday', 'UTC', '2026-11-27T00:00 to 2026-11-28T00:00'],
    ['next sunday', 'UTC', '2026-11-29T00:00 to 2026-11-30T00:00'],
    ['until next monday', 'UTC', '2026-11-21T09:05 to 2026-11-24T00:00'],
    ['next mon to next wed', 'UTC', '2026-11-23T00:00 to 2026-11-26T00:00'],
    ['this week', 'UTC', '2026-11-16T00:00 to 2026-11-23T00:00'],
    ['next week', 'UTC', '2026-11-23T00:00 to 2026-11-30T00:00'],
    ['last month', 'Europe/Berlin', '2026-09-30T22:00 to 2026-10-31T23:00'],
    ['2026-01..2026-03', 'UTC', '2026-01-01T00:00 to 2026-04-01T00:00'],
    ['2026-11-24..2026-11-25', 'UTC', '2026-11-24T00:00 to 2026-11-26T00:00'],
    ['since 2026-08-01', 'UTC', '2026-08-01T00:00 to 2026-11-21T09:05'],
    ['until 2026-11-30', 'UTC', '2026-11-21T09:05 to 2026-12-01T00:00'],
    ['this weekend', 'Europe/Berlin', '2026-11-20T23:00 to 2026-11-22T23:00'],
    ['next weekend', 'UTC', '2026-11-28T00:00 to 2026-11-30T00:00'],
    ['last weekend', 'UTC', '2026-11-14T00:00 to 2026-11-16T00:00'],
    // In Kiritimati it is almost Sunday.
    ['this weekend', 'Pacific/Kiritimati', '2026-11-20T10:00 to 2026-11-22T10:00'],
    ['tonight', 'Europe/Berlin', '2026-11-21T17:00 to 2026-11-22T05:00'],
    ['tonight', 'Asia/Tokyo', '2026-11-21T09:05 to 2026-11-21T21:00'],
    ['tonight', 'America/Los_Angeles', '2026-11-21T09:05 to 2026-11-21T14:00'],
    ['this quarter', 'UTC', '2026-10-01T00:00 to 2027-01-01T00:00'],
    ['last quarter', 'Europe/Berlin', '2026-06-30T22:00 to 2026-09-30T22:00'],
    ['next quarter', 'UTC', '2027-01-01T00:00 to 2027-04-01T00:00'],
    ['this year', 'UTC', '2026-01-01T00:00 to 2027-01-01T00:00'],
    ['last year', 'Asia/Tokyo', '2024-12-31T15:00 to 2025-12-31T15:00'],
    ['2025', 'UTC', '2025-01-01T00:00 to 2026-01-01T00:00'],
    ['q3 2026', 'Europe/Berlin', '2026-06-30T22:00 to 2026-09-30T22:00'],
    ['q3 last year', 'UTC', '2025-07-01T00:00 to 2025-10-01T00:00'],
    ['oct-jan last year', 'UTC', '2024-10-01T00:00 to 2025-02-01T00:00'],
    ['last six full months', 'UTC', '2026-05-01T00:00 to 2026-11-01T00:00'],
    ['last 2 complete quarters', 'UTC', '2026-04-01T00:00 to 2026-10-01T00:00'],
    ['2025 ytd', 'UTC', '2025-01-01T00:00 to 2025-11-21T09:05'],
  ])('%s in %s', (typed, zone, expected) => {
    expect(resolved(typed, zone)).toBe(expected);
  });

  test.each([
    ['25 nov', 'future', '2026-11-25T00:00 to 2026-11-26T00:00'],
    ['october', 'past', '2026-10-01T00:00 to 2026-11-01T00:00'],
    ['november', 'past', '2026-11-01T00:00 to 2026-12-01T00:00'],
    ['november', 'future', '2026-11-01T00:00 to 2026-12-01T00:00'],
    ['december', 'past', '2025-12-01T00:00 to 2026-01-01T00:00'],
    ['december', 'future', '2026-12-01T00:00 to 2027-01-01T00:00'],
    ['tonight', 'past', '2026-11-20T18:00 to 2026-11-21T06:00'],
    ['q4', 'past', '2026-10-01T00:00 to 2027-01-01T00:00'],
    ['q4', 'future', '2026-10-01T00:00 to 2027-01-01T00:00'],
    ['q1', 'past', '2026-01-01T00:00 to 2026-04-01T00:00'],
    ['q1', 'future', '2027-01-01T00:00 to 2027-04-01T00:00'],
    ['mon-wed', 'future', '2026-11-23T00:00 to 2026-11-26T00:00'],
    ['fri-sun', 'future', '2026-11-20T00:00 to 2026-11-23T00:00'],
    ['mon-wed', 'past', '2026-11-16T00:00 to 2026-11-19T00:00'],
    ['25 nov', 'past', '2025-11-25T00:00 to 2025-11-26T00:00'],
    ['21 nov', 'past', '2026-11-21T00:00 to 2026-11-22T00:00'],
    ['29 feb', 'future', '2028-02-29T00:00 to 2028-03-01T00:00'],
    ['friday', 'future', '2026-11-27T00:00 to 2026-11-28T00:00'],
    ['friday', 'past', '2026-11-20T00:00 to 2026-11-21T00:00'],
    ['saturday', 'future', '2026-11-21T00:00 to 2026-11-22T00:00'],
    ['20 dec..5 jan', 'future', '2026-12-20T00:00 to 2027-01-06T00:00'],
    ['29 feb..1 mar', 'future', '2028-02-29T00:00 to 2028-03-02T00:00'],
    ['29 feb..1 mar', 'past', '2024-02-29T00:00 to 2024-03-02T00:00'],
    ['20 nov..23 nov', 'future', '2026-11-20T00:00 to 2026-11-24T00:00'],
    ['monday..friday', 'past', '2026-11-16T00:00 to 2026-11-21T00:00'],
    ['today..friday', 'future', '2026-11-21T00:00 to 2026-11-28T00:00'],
    ['since 25 nov', 'past', '2025-11-25T00:00 to 2026-11-21T09:05'],
    ['from 1st to 7th', 'future', '2026-12-01T00:00 to 2026-12-08T00:00'],
    ['1st-7th', 'past', '2026-11-01T00:00 to 2026-11-08T00:00'],
    ['the 28th to the 3rd', 'future', '2026-11-28T00:00 to 2026-12-04T00:00'],
    ['on the 21st', 'future', '2026-11-21T00:00 to 2026-11-22T00:00'],
    ['the 31st', 'future', '2026-12-31T00:00 to 2027-01-01T00:00'],
    ['the 31st', 'past', '2026-10-31T00:00 to 2026-11-01T00:00'],
    ['up to and incl. the 27th', 'future', '2026-11-21T09:05 to 2026-11-28T00:00'],
    ['mon to wed next week', 'future', '2026-11-23T00:00 to 2026-11-26T00:00'],
    ['27-Nov-26 28-Nov-26', 'future', '2026-11-27T00:00 to 2026-11-29T00:00'],
    ['hoy y mañana', 'future', '2026-11-21T00:00 to 2026-11-23T00:00'],
    ['2day', 'future', '2026-11-21T00:00 to 2026-11-22T00:00'],
    ['last friday', 'past', '2026-11-20T00:00 to 2026-11-21T00:00'],
    // It is Saturday.
    ['last saturday', 'past', '2026-11-14T00:00 to 2026-11-15T00:00'],
    ['thanksgiving', 'future', '2026-11-26T00:00 to 2026-11-27T00:00'],
    ['thanksgiving day', 'past', '2025-11-27T00:00 to 2025-11-28T00:00'],
    ['before friday', 'future', '2026-11-21T09:05 to 2026-11-27T00:00'],
    ['before december', 'future', '2026-11-21T09:05 to 2026-12-01T00:00'],
    ['before next week', 'future', '2026-11-21T09:05 to 2026-11-23T00:00'],
    ['before week 50', 'future', '2026-11-21T09:05 to 2026-12-07T00:00'],
    ['before q1', 'future', '2026-11-21T09:05 to 2027-01-01T00:00'],
  ] as const)('%s in the %s', (typed, direction, expected) => {
    expect(resolved(typed, 'UTC', direction)).toBe(expected);
  });

  test('on a Sunday the weekend is today, where predictions are asked for', () => {
    const sunday = { now: new Date('2026-11-22T12:00:00Z'), zone: 'UTC' };
    const weekend = { kind: 'weekend', offset: 0 } as const;
    const end = new Date('2026-11-23');
    expect(resolvePeriod(weekend, sunday)).toEqual({ begin: new Date('2026-11-22'), end });
    const past = resolvePeriod(weekend, { ...sunday, direction: 'past' });
    expect(past).toEqual({ begin: new Date('2026-11-21'), end });
  });

  test.each([
    // The clocks go forward, or back, within the night or the weekend.
    ['tonight', '2026-03-28T15:00:00Z', 'Europe/Berlin', 11],
    ['tonight', '2026-10-24T15:00:00Z', 'Europe/Berlin', 13],
    ['this weekend', '2026-03-26T15:00:00Z', 'Europe/Berlin', 47],
    ['this weekend', '2026-10-22T15:00:00Z', 'Europe/Berlin', 49],
    ['this weekend', '2026-09-04T15:00:00Z', 'America/Santiago', 47],
    ['tonight', '2026-04-23T15:00:00Z', 'Africa/Cairo', 11],
    ['fri-sun', '2026-04-21T15:00:00Z', 'Africa/Cairo', 71],
    ['this week', '2026-10-20T15:00:00Z', 'Europe/Berlin', 169],
    ['this quarter', '2026-10-20T15:00:00Z', 'Europe/Berlin', 92 * 24 + 1],
  ])('%s, asked at %s in %s, has %d hours', (typed, at, zone, hours) => {
    const { begin, end } = resolvePeriod(parsePeriod(typed, help), { now: new Date(at), zone });
    expect((end.getTime() - begin.getTime()) / 3_600_000).toBe(hours);
  });

  /** Short and long days, and days without a midnight. */
  test.each([
    ['2026-03-29', 'Europe/Berlin', 23],
    ['2026-10-25', 'Europe/Berlin', 25],
    ['2026-10-04', 'Australia/Lord_Howe', 23.5],
    ['2026-09-06', 'America/Santiago', 23],
    ['2026-04-24', 'Africa/Cairo', 23],
    ['2026-11-01', 'America/New_York', 25],
    ['2026-11-24', 'Asia/Kolkata', 24],
  ])('%s in %s has %d hours', (day, zone, hours) => {
    const { begin, end } = resolvePeriod(parsePeriod(day, help), { now, zone });
    expect((end.getTime() - begin.getTime()) / 3_600_000).toBe(hours);
    const local = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' });
    expect(local.format(begin)).toBe(day);
    expect(local.format(new Date(end.getTime() - 1))).toBe(day);
  });

  // The first of August 2014 has no midnight in Cairo, the first of October 2023 none in Asunción.
  test.each([
    ['2014-08', 'Africa/Cairo', '2014-07-31T22:00 to 2014-08-31T21:00'],
    ['2023-10', 'America/Asuncion', '2023-10-01T04:00 to 2023-11-01T03:00'],
  ])('%s in %s ends at the midnight after it', (month, zone, expected) => {
    expect(resolved(month, zone)).toBe(expected);
  });

  test('no period ends before it begins, and there is no gap between two days', () => {
    const zones = fc.constantFrom(
      'UTC',
      'Europe/Berlin',
      'America/Santiago',
      'Australia/Lord_Howe',
      'Asia/Kathmandu',
    );
    const times = fc.date({ min: new Date('2020-01-01'), max: new Date('2030-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(zones, times, (zone, at) => {
        const [yesterday, today, tomorrow] = (['yesterday', 'today', 'tomorrow'] as const).map((day) =>
          resolvePeriod({ kind: 'day', day }, { now: at, zone }),
        );
        expect(today?.begin).toEqual(yesterday?.end);
        expect(today?.end).toEqual(tomorrow?.begin);
        expect(today && today.begin <= at && at < today.end).toBe(true);
      }),
    );
    fc.assert(
      fc.property(periods, zones, (period, zone) => {
        fc.pre(!/^(?:since|until)/.test(period.kind));
        const { begin, end } = resolvePeriod(period, { now, zone });
        expect(begin < end).toBe(true);
      }),
    );
  });

  test('refuses a period that is completely in the other direction', () => {
    const ask = (typed: string, direction: 'past' | 'future') =>
      refusal(() => resolvePeriodWithin(parsePeriod(typed, help), { now, zone: 'UTC', direction, help }));
    expect(ask('2026-11-20', 'future')).toMatchInlineSnapshot(`
      "bad-period: “2026-11-20” is in the past: predictions cover the future.
      A period is written like “tomorrow”, “next 3 days”, “week 48”, “24-28 nov” or “fri 06:00-14:00”.
      [next 3 days] ask next 3 days"
    `);
    expect(ask('since 2027-01-01', 'past')).toMatchInlineSnapshot(`
      "bad-period: “since 2027-01-01” is in the future: statistics cover the past.
      A period is written like “last 30 days”, “last quarter”, “week 46”, “oct-nov” or “since 2026-08-01”.
      [last 30 days] ask last 30 days"
    `);
    expect(ask('2027-01', 'past')).toMatch(/^bad-period/);
    const offered = (typed: string, direction: 'past' | 'future') => ask(typed, direction).split('\n').at(-1);
    expect(offered('last week', 'future')).toBe('[this week] ask this week');
    expect(offered('last weekend', 'future')).toBe('[this weekend] ask this weekend');
    expect(offered('yesterday', 'future')).toBe('[today] ask today');
    expect(offered('q1 2026', 'future')).toBe('[next 3 days] ask next 3 days');
    expect(offered('next quarter', 'past')).toBe('[this quarter] ask this quarter');
    expect(offered('next 2 months', 'past')).toBe('[last 2 months] ask last 2 months');
    expect(offered('next weekend', 'past')).toBe('[last weekend] ask last weekend');
    expect(offered('december', 'future')).toContain('no refusal');
    expect(offered('october', 'future')).toBe('[next 3 days] ask next 3 days');
    expect(offered('q3', 'future')).toBe('[next 3 days] ask next 3 days');
    const onPast = { now, zone: 'UTC', direction: 'past', help } as const;
    const askPast = (typed: string) =>
      refusal(() => resolvePeriodWithin(parsePeriod(typed, { ...help, direction: 'past' }), onPast));
    expect(askPast('oct 26')).toMatchInlineSnapshot(`
      "bad-period: “oct 26” can be read in two ways: is 26 the day or the year?
      [26 oct] ask 26 oct
      [2026-10] ask 2026-10"
    `);
    // October 2024 is long ago, December 2026 isn't there yet.
    for (const typed of ['26 oct', 'oct 24', 'dec 26']) expect(askPast(typed)).toContain('no refusal');
    const onThursday = {
      now: new Date('2026-11-19T09:00:00Z'),
      zone: 'UTC',
      direction: 'past',
      help,
    } as const;
    expect(refusal(() => resolvePeriodWithin({ kind: 'weekend', offset: 0 }, onThursday))).toContain(
      '[last weekend] ask last weekend',
    );
    expect(ask('2026-11-21', 'future')).toMatch(/^no refusal/);
    expect(ask('2026-11', 'past')).toMatch(/^no refusal/);
  });
});

describe('periods as shipping writes them', () => {
  // A Monday, at 16:05 in Rotterdam.
  const monday = '2026-11-23T15:05:00Z';
  const resolved = (
    typed: string,
    at: { now?: string; zone?: string; direction?: 'past' | 'future' } = {},
  ) => {
    const { now = monday, zone = 'UTC', direction = 'future' } = at;
    const period = parsePeriod(typed, { ...help, direction });
    const { begin, end } = resolvePeriod(period, { now: new Date(now), zone, direction });
    return `${begin.toISOString().slice(0, 16)} to ${end.toISOString().slice(0, 16)}`;
  };

  test.each([
    ['week 48', '2026-11-23T00:00 to 2026-11-30T00:00'],
    ['wk 48-50', '2026-11-23T00:00 to 2026-12-14T00:00'],
    ['week 53', '2026-12-28T00:00 to 2027-01-04T00:00'],
    ['week 1', '2027-01-04T00:00 to 2027-01-11T00:00'],
    ['KW 53/2026', '2026-12-28T00:00 to 2027-01-04T00:00'],
    ['week 1 2026', '2025-12-29T00:00 to 2026-01-05T00:00'],
    ['w/c 30 nov', '2026-11-30T00:00 to 2026-12-07T00:00'],
    ['w/c 29/12', '2026-12-29T00:00 to 2027-01-05T00:00'],
    ['in 2 weeks', '2026-12-07T00:00 to 2026-12-14T00:00'],
    ['in 2 months', '2027-01-01T00:00 to 2027-02-01T00:00'],
    ['in 3 days', '2026-11-26T00:00 to 2026-11-27T00:00'],
    ['within 2 weeks', '2026-11-23T15:05 to 2026-12-07T15:05'],
    ['48hrs', '2026-11-23T15:05 to 2026-11-25T15:05'],
    ['tmrw', '2026-11-24T00:00 to 2026-11-25T00:00'],
    ['tomorrow morning', '2026-11-24T06:00 to 2026-11-24T12:00'],
    ['tomorrow afternoon', '2026-11-24T12:00 to 2026-11-24T18:00'],
    ['tomorrow evening', '2026-11-24T18:00 to 2026-11-25T00:00'],
    ['tomorrow night', '2026-11-24T18:00 to 2026-11-25T06:00'],
    ['monday night', '2026-11-23T18:00 to 2026-11-24T06:00'],
    // This Monday's morning is over.
    ['monday morning', '2026-11-30T06:00 to 2026-11-30T12:00'],
    ['mon 06:00-14:00', '2026-11-30T06:00 to 2026-11-30T14:00'],
    ['mon 06:00-18:00', '2026-11-23T06:00 to 2026-11-23T18:00'],
    ['fri 0600-1400', '2026-11-27T06:00 to 2026-11-27T14:00'],
    ['fri 22:00-06:00', '2026-11-27T22:00 to 2026-11-28T06:00'],
    ['from fri 06:00 to sat 14:00', '2026-11-27T06:00 to 2026-11-28T14:00'],
    ['sat 18:00 to mon 06:00', '2026-11-28T18:00 to 2026-11-30T06:00'],
    ['27 nov 18:00..28 nov 06:00', '2026-11-27T18:00 to 2026-11-28T06:00'],
    ['31 dec 22:00-06:00', '2026-12-31T22:00 to 2027-01-01T06:00'],
    ['until sunday 18:00', '2026-11-23T15:05 to 2026-11-29T18:00'],
    ['until mon 08:00', '2026-11-23T15:05 to 2026-11-30T08:00'],
    ['until midnight', '2026-11-23T15:05 to 2026-11-24T00:00'],
    ['eow', '2026-11-23T15:05 to 2026-11-30T00:00'],
    ['by end of month', '2026-11-23T15:05 to 2026-12-01T00:00'],
    ['until week 50', '2026-11-23T15:05 to 2026-12-14T00:00'],
    ['early december', '2026-12-01T00:00 to 2026-12-11T00:00'],
    ['mid dec', '2026-12-11T00:00 to 2026-12-21T00:00'],
    ['late dec', '2026-12-21T00:00 to 2027-01-01T00:00'],
    ['late feb 2028', '2028-02-21T00:00 to 2028-03-01T00:00'],
    ['1st half of december', '2026-12-01T00:00 to 2026-12-16T00:00'],
    ['second half of december', '2026-12-16T00:00 to 2027-01-01T00:00'],
    ['nov-jan', '2026-11-01T00:00 to 2027-02-01T00:00'],
    ['h1', '2027-01-01T00:00 to 2027-07-01T00:00'],
    ['h2', '2026-07-01T00:00 to 2027-01-01T00:00'],
    ['24/11', '2026-11-24T00:00 to 2026-11-25T00:00'],
    ['28.12.-3.1.', '2026-12-28T00:00 to 2027-01-04T00:00'],
  ])('“%s” is %s', (typed, expected) => {
    expect(resolved(typed)).toBe(expected);
  });

  test.each([
    ['week 48', '2026-11-23T00:00 to 2026-11-30T00:00'],
    ['week 49', '2025-12-01T00:00 to 2025-12-08T00:00'],
    ['week 53', '2020-12-28T00:00 to 2021-01-04T00:00'],
    ['since week 40', '2026-09-28T00:00 to 2026-11-23T15:05'],
    ['since september', '2026-09-01T00:00 to 2026-11-23T15:05'],
    ['ytd', '2026-01-01T00:00 to 2027-01-01T00:00'],
    // The latest that has begun, as q4 is.
    ['oct-dec', '2026-10-01T00:00 to 2027-01-01T00:00'],
    ['dec-feb', '2025-12-01T00:00 to 2026-03-01T00:00'],
    ['h1', '2026-01-01T00:00 to 2026-07-01T00:00'],
    ['early december', '2025-12-01T00:00 to 2025-12-11T00:00'],
    ['12 months', '2025-11-23T15:05 to 2026-11-23T15:05'],
    ['w/c 2 nov', '2026-11-02T00:00 to 2026-11-09T00:00'],
  ])('in the past “%s” is %s', (typed, expected) => {
    expect(resolved(typed, { direction: 'past' })).toBe(expected);
  });

  test.each([
    // New Year's Day 2027 is in week 53 of 2026.
    ['week 53', '2027-01-01T12:00:00Z', 'UTC', '2026-12-28T00:00 to 2027-01-04T00:00'],
    ['week 1', '2026-12-28T12:00:00Z', 'UTC', '2027-01-04T00:00 to 2027-01-11T00:00'],
    // In Tokyo the next year's first week has begun.
    ['week 1', '2027-01-03T16:00:00Z', 'Asia/Tokyo', '2027-01-03T15:00 to 2027-01-10T15:00'],
    ['tomorrow morning', monday, 'America/Los_Angeles', '2026-11-24T14:00 to 2026-11-24T20:00'],
    ['fri 06:00-14:00', monday, 'Asia/Kolkata', '2026-11-27T00:30 to 2026-11-27T08:30'],
    ['tmr', monday, 'Asia/Tokyo', '2026-11-24T15:00 to 2026-11-25T15:00'],
    // The clocks go forward, or back, within the night, and at 02:30 there is no such time.
    ['sat night', '2026-03-26T15:00:00Z', 'Europe/Berlin', '2026-03-28T17:00 to 2026-03-29T04:00'],
    ['sat night', '2026-10-22T15:00:00Z', 'Europe/Berlin', '2026-10-24T16:00 to 2026-10-25T05:00'],
    ['29 mar 02:30-06:00', '2026-03-26T15:00:00Z', 'Europe/Berlin', '2026-03-29T01:30 to 2026-03-29T04:00'],
    ['week 13', '2026-03-23T15:00:00Z', 'Europe/Berlin', '2026-03-22T23:00 to 2026-03-29T22:00'],
  ])('“%s”, asked at %s in %s, is %s', (typed, now, zone, expected) => {
    expect(resolved(typed, { now, zone })).toBe(expected);
  });

  test('a week that is long over is not the one of the next year', () => {
    const at = { now: new Date(monday), zone: 'UTC', direction: 'future', help } as const;
    const ask = (typed: string) => refusal(() => resolvePeriodWithin(parsePeriod(typed, help), at));
    expect(ask('week 45')).toContain('“week 45” is in the past');
    expect(ask('until end of week 45')).toContain('“until end of week 45” is in the past');
    expect(ask('24 nov 06:00-14:00')).toContain('no refusal');
    expect(ask('week 20')).toContain('no refusal');
  });

  test.each([
    ['en-US', 'month'],
    ['en-GB', 'day'],
    ['de-DE', 'day'],
    ['fr-FR', 'day'],
    ['pt-BR', 'day'],
    ['ja-JP', 'month'],
    ['zh-CN', 'month'],
    ['not a locale', undefined],
    [undefined, undefined],
  ])('a reader of %s writes the %s first', (locale, order) => {
    expect(dateOrderOf(locale)).toBe(order);
  });
});
