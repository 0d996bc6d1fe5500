import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type DayWord, type IsoMonth, type PeriodDay, weekdays } from '../../src/grammar/dates.ts';
import { parsePeriod, periodOption } from '../../src/grammar/parse-period.ts';
import { formatPeriod, type Period, resolvePeriod, resolvePeriodWithin } from '../../src/grammar/period.ts';
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
  fc.constantFrom<PeriodDay>('today', 'tomorrow', 'yesterday', 'next monday', 'next sunday'),
);
const pairs = fc
  .tuple(dates, dates)
  .map(([one, other]): [DayWord, DayWord] => (one < other ? [one, other] : [other, one]));
// The first seven characters of a date are a month.
const monthOf = (day: string) => day.slice(0, 7) as IsoMonth;

const periods: fc.Arbitrary<Period> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('last' as const, 'next' as const),
    amount: fc.integer({ min: 1, max: 24 }),
    unit: fc.constantFrom('hours' as const, 'days' as const, 'months' as const),
  }),
  fc.record({
    kind: fc.constantFrom(...(['week', 'weekend', 'month', 'quarter', 'year'] as const)),
    offset: fc.constantFrom(-1 as const, 0 as const, 1 as const),
  }),
  dayWords.map((day) => ({ kind: 'day' as const, day })),
  dayWords.map((day) => ({ kind: 'since' as const, day })),
  dayWords.map((day) => ({ kind: 'until' as const, day })),
  pairs.map(([from, to]) => ({ kind: 'days' as const, from, to })),
  fc.tuple(openDays, openDays).map(([from, to]) => ({ kind: 'days' as const, from, to })),
  pairs.map(([from, to]) => ({ kind: 'months' as const, from: monthOf(from), to: monthOf(to) })),
  fc.integer({ min: 1, max: 12 }).map((month) => ({ kind: 'named' as const, month })),
  fc.record(
    {
      kind: fc.constant('named-quarter' as const),
      quarter: fc.integer({ min: 1, max: 4 }),
      year: fc.integer({ min: 2000, max: 2100 }),
    },
    { requiredKeys: ['kind', 'quarter'] },
  ),
  fc.constant({ kind: 'tonight' as const }),
);

describe('periods as typed', () => {
  test.each([
    ['next 3 days', 'next 3 days'],
    ['Next Three Days', 'next 3 days'],
    ['the next 2 weeks', 'next 14 days'],
    ['next 36h', 'next 36 hours'],
    ['2026-11-24/2026-11-30', '2026-11-24..2026-11-30'],
    ['2026-01/2026-03', '2026-01..2026-03'],
    ['next24h', 'next 24 hours'],
    ['within the next 48 hours', 'next 48 hours'],
    ['last 30 days', 'last 30 days'],
    ['past 90 days', 'last 90 days'],
    ['last 3 months', 'last 3 months'],
    ['last day', 'last 1 day'],
    ['tomorrow', 'tomorrow'],
    ['on 2026-11-24', '2026-11-24'],
    ['24 Nov 2026', '2026-11-24'],
    ['Nov 24th, 2026', '2026-11-24'],
    ['24.11.2026', '2026-11-24'],
    ['2026/11/24', '2026-11-24'],
    ['since 2026-08-01', 'since 2026-08-01'],
    ['since Aug 2026', 'since 2026-08-01'],
    ['until 30 November 2026', 'until 2026-11-30'],
    ['2026-01..2026-03', '2026-01..2026-03'],
    ['2026-01...2026-03', '2026-01..2026-03'],
    ['jan 2026 to mar 2026', '2026-01..2026-03'],
    ['oct 2026', '2026-10'],
    ['2026-10', '2026-10'],
    ['from 2026-08-01 to 2026-08-31', '2026-08-01..2026-08-31'],
    ['between 2026-08-01 and 2026-08-31', '2026-08-01..2026-08-31'],
    ['2026-08-01 - 2026-08-31', '2026-08-01..2026-08-31'],
    ['2026-08-01-2026-08-31', '2026-08-01..2026-08-31'],
    ['2026-08-2026-10', '2026-08..2026-10'],
    ['today to tomorrow', 'today..tomorrow'],
    ['25 Nov', '25 nov'],
    ['Nov 25th', '25 nov'],
    ['on Friday', 'friday'],
    ['25-28 Nov', '25 nov..28 nov'],
    ['25 - 28 November 2026', '2026-11-25..2026-11-28'],
    ['25 Nov - 28 Nov', '25 nov..28 nov'],
    ['until 28 nov', 'until 28 nov'],
    ['this week', 'this week'],
    ['last month', 'last month'],
    ['next month', 'next month'],
    ['october', 'october'],
    ['in Oct.', 'october'],
    ['Tonight', 'tonight'],
    ['overnight', 'tonight'],
    ['weekend', 'this weekend'],
    ['at the weekend', 'this weekend'],
    ['over the coming weekend', 'this weekend'],
    ['Next Weekend', 'next weekend'],
    ['this year', 'this year'],
    ['last quarter', 'last quarter'],
    ['in the last quarter', 'last 3 months'],
    ['last year', 'last year'],
    ['the last 2 years', 'last 24 months'],
    ['Q3', 'q3'],
    ['in the third quarter', 'q3'],
    ['q3 2026', 'q3 2026'],
    ['Q3/2026', 'q3 2026'],
    ['2026-Q3', 'q3 2026'],
    ['3rd quarter of 2026', 'q3 2026'],
    ['in 2025', '2025-01..2025-12'],
    ['mon-wed', 'monday..wednesday'],
    ['Mon to Wed', 'monday..wednesday'],
    ['fri - sun', 'friday..sunday'],
    ['from Thurs. until Tues', 'thursday..tuesday'],
    ['this friday', 'friday'],
    ['by fri', 'until friday'],
    ['next friday', 'next friday'],
    ['on next Mon.', 'next monday'],
    ['until next tues', 'until next tuesday'],
    ['next mon - next wed', 'next monday..next wednesday'],
    ['11/25/2026', '2026-11-25'],
    ['25/11/2026', '2026-11-25'],
    ['13/12/2026', '2026-12-13'],
    ['12/12/2026', '2026-12-12'],
    ['13/12/26', '2026-12-13'],
    ['25-11-2026', '2026-11-25'],
    ['11-25-2026', '2026-11-25'],
    ['25-11-2026 to 28-11-2026', '2026-11-25..2026-11-28'],
    ['08/01/2027..03/02/2027', '2027-01-08..2027-02-03'],
    ['13.12.26', '2026-12-13'],
    ['11/25/2026 - 12/01/2026', '2026-11-25..2026-12-01'],
    ['01/12/2026 to 13/12/2026', '2026-12-01..2026-12-13'],
  ])('%s is %s', (typed, canonical) => {
    expect(formatPeriod(parsePeriod(typed, help))).toBe(canonical);
  });

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

  test('refuses days and months that do not exist', () => {
    expect(refusal(() => parsePeriod('2026-02-30', help))).toMatchInlineSnapshot(`
      "bad-date: “2026-02-30” isn't a valid date.
      Write a date as year-month-day, such as 2026-11-24.
      [2026-02-28] ask 2026-02-28"
    `);
    expect(refusal(() => parsePeriod('since 2026-13-01', help))).toMatchInlineSnapshot(`
      "bad-date: “2026-13-01” isn't a valid date.
      Write a date as year-month-day, such as 2026-11-24."
    `);
    expect(refusal(() => parsePeriod('31 Nov', help))).toBe("bad-date: “31 Nov” isn't a valid date.");
    expect(refusal(() => parsePeriod('2026-13', help))).toMatchInlineSnapshot(`
      "bad-month: “2026-13” isn't a valid month.
      Write a month as year-month, such as 2026-10."
    `);
  });

  test('a date that can be read in two ways: a choice of both', () => {
    expect(refusal(() => parsePeriod('since 08/01/2026', help))).toMatchInlineSnapshot(`
      "bad-date: “08/01/2026” can be read in two ways: which number is the month?
      Write a date as year-month-day, such as 2026-11-24.
      [since 2026-01-08] ask since 2026-01-08
      [since 2026-08-01] ask since 2026-08-01"
    `);
    expect(refusal(() => parsePeriod('01/12/2026..05/12/2026', help))).toMatchInlineSnapshot(`
      "bad-date: “01/12/2026” can be read in two ways: which number is the month?
      Write a date as year-month-day, such as 2026-11-24.
      [2026-12-01..2026-12-05] ask 2026-12-01..2026-12-05
      [2026-01-12..2026-05-12] ask 2026-01-12..2026-05-12"
    `);
    expect(refusal(() => parsePeriod('31/02/2026', help))).toMatchInlineSnapshot(`
      "bad-date: “31/02/2026” isn't a valid date.
      Write a date as year-month-day, such as 2026-11-24.
      [2026-02-28] ask 2026-02-28"
    `);
    expect(refusal(() => parsePeriod('13/13/2026', help))).toMatchInlineSnapshot(`
      "bad-date: “13/13/2026” isn't a valid date.
      Write a date as year-month-day, such as 2026-11-24."
    `);
  });

  test('corrects only the invalid end of a range', () => {
    const offered = (typed: string) =>
      refusal(() => parsePeriod(typed, help))
        .split('\n')
        .at(-1);
    expect(offered('2026-02-30..2026-03-05')).toBe('[2026-02-28..2026-03-05] ask 2026-02-28..2026-03-05');
    expect(offered('2026-02-10 to 2026-02-30')).toBe('[2026-02-10..2026-02-28] ask 2026-02-10..2026-02-28');
    expect(offered('2026-02-30..2026-04-31')).toBe('[2026-02-28..2026-04-30] ask 2026-02-28..2026-04-30');
    expect(offered('since 2026-02-30')).toBe('[since 2026-02-28] ask since 2026-02-28');
  });

  test('refuses a reversed range and offers the right order', () => {
    expect(refusal(() => parsePeriod('2026-03..2026-01', help))).toMatchInlineSnapshot(`
      "bad-period: “2026-03..2026-01” ends before it begins.
      [2026-01..2026-03] ask 2026-01..2026-03"
    `);
    expect(refusal(() => parsePeriod('from 2026-12-01 to 2026-11-24', help))).toMatchInlineSnapshot(`
      "bad-period: “from 2026-12-01 to 2026-11-24” ends before it begins.
      [2026-11-24..2026-12-01] ask 2026-11-24..2026-12-01"
    `);
    expect(refusal(() => parsePeriod('tomorrow to yesterday', help))).toMatch(/^bad-period/);
    expect(refusal(() => parsePeriod('next sun to next mon', help))).toMatch(/^bad-period/);
    expect(refusal(() => parsePeriod('28-25 nov', help))).toMatchInlineSnapshot(`
      "bad-period: “28 nov..25 nov” ends before it begins.
      [25 nov..28 nov] ask 25 nov..28 nov"
    `);
  });

  test('refuses a period that is too long or has no number', () => {
    expect(refusal(() => parsePeriod('next 0 days', help))).toMatchInlineSnapshot(`
      "bad-period: “next 0 days” isn't a valid period: the number of days goes from 1 to 400.
      A period is written like “next 3 days”, “this week”, “tomorrow” or “2026-11-24..2026-11-30”, or like “last 30 days”, “last quarter”, “since 2026-08-01” or “2026-01..2026-03”.
      [next 3 days] ask next 3 days"
    `);
    expect(refusal(() => parsePeriod('last 9999999999 days', help))).toMatch(/^bad-period/);
    expect(refusal(() => parsePeriod('next umpteen hours', help))).toMatch(/^bad-period/);
  });

  test('refuses words that are not a period', () => {
    expect(refusal(() => parsePeriod('soon', help))).toMatchInlineSnapshot(`
      "bad-period: “soon” isn't a valid period.
      A period is written like “next 3 days”, “this week”, “tomorrow” or “2026-11-24..2026-11-30”, or like “last 30 days”, “last quarter”, “since 2026-08-01” or “2026-01..2026-03”."
    `);
  });

  test('refuses a period in the wrong direction', () => {
    expect(
      refusal(() => parsePeriod('last 3 days', { ...help, direction: 'future' })),
    ).toMatchInlineSnapshot(`
      "bad-period: “last 3 days” is in the past: predictions cover the future.
      A period is written like “next 3 days”, “this week”, “tomorrow” or “2026-11-24..2026-11-30”.
      [next 3 days] ask next 3 days"
    `);
    expect(refusal(() => parsePeriod('tomorrow', { ...help, direction: 'past' }))).toMatchInlineSnapshot(`
      "bad-period: “tomorrow” is in the future: statistics cover the past.
      A period is written like “last 30 days”, “last quarter”, “since 2026-08-01” or “2026-01..2026-03”.
      [last 30 days] ask last 30 days"
    `);
    expect(refusal(() => parsePeriod('tonight', { ...help, direction: 'past' }))).toContain(
      '[last 30 days] ask last 30 days',
    );
    expect(refusal(() => parsePeriod('until yesterday', { ...help, direction: 'future' }))).toContain(
      '“until yesterday” is in the past',
    );
    expect(refusal(() => parsePeriod('since tomorrow', { ...help, direction: 'past' }))).toContain(
      '“since tomorrow” is in the future',
    );
    expect(
      refusal(() => parsePeriod('from 2026-12-01', { ...help, direction: 'future' })),
    ).toMatchInlineSnapshot(`
      "bad-period: “from 2026-12-01” has no end: say until when.
      A period is written like “next 3 days”, “this week”, “tomorrow” or “2026-11-24..2026-11-30”."
    `);
  });
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
        fc.pre(period.kind !== 'since' && period.kind !== 'until');
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
      A period is written like “next 3 days”, “this week”, “tomorrow” or “2026-11-24..2026-11-30”.
      [next 3 days] ask next 3 days"
    `);
    expect(ask('since 2027-01-01', 'past')).toMatchInlineSnapshot(`
      "bad-period: “since 2027-01-01” is in the future: statistics cover the past.
      A period is written like “last 30 days”, “last quarter”, “since 2026-08-01” or “2026-01..2026-03”.
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
