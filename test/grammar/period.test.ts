import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type DayWord, type IsoMonth, type PeriodDay, weekdays } from '../../src/grammar/dates.ts';
import { parsePeriod } from '../../src/grammar/parse-period.ts';
import { formatPeriod, type Period } from '../../src/grammar/period.ts';
import { resolvePeriod, resolvePeriodWithin } from '../../src/grammar/resolve-period.ts';
import { help, refusal } from '../support/grammar-samples.ts';

const dates = fc
  .date({ min: new Date('2000-01-01'), max: new Date('2100-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10) as DayWord);
const openDays = fc.oneof(
  fc.constantFrom<PeriodDay>(...weekdays),
  dates.map((date): PeriodDay => ({ month: Number(date.slice(5, 7)), date: Number(date.slice(8)) })),
);
const dayWords = fc.oneof(dates, openDays, fc.constantFrom<DayWord>('today', 'tomorrow', 'yesterday'));
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
    kind: fc.constantFrom('week' as const, 'month' as const),
    offset: fc.constantFrom(-1 as const, 0 as const, 1 as const),
  }),
  dayWords.map((day) => ({ kind: 'day' as const, day })),
  dayWords.map((day) => ({ kind: 'since' as const, day })),
  dayWords.map((day) => ({ kind: 'until' as const, day })),
  pairs.map(([from, to]) => ({ kind: 'days' as const, from, to })),
  fc.tuple(openDays, openDays).map(([from, to]) => ({ kind: 'days' as const, from, to })),
  pairs.map(([from, to]) => ({ kind: 'months' as const, from: monthOf(from), to: monthOf(to) })),
  fc.integer({ min: 1, max: 12 }).map((month) => ({ kind: 'named' as const, month })),
);

describe('periods as typed', () => {
  test.each([
    ['next 3 days', 'next 3 days'],
    ['Next Three Days', 'next 3 days'],
    ['the next 2 weeks', 'next 14 days'],
    ['next 36h', 'next 36 hours'],
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
    expect(refusal(() => parsePeriod('08/01/2026', help))).toMatchInlineSnapshot(`
      "bad-date: “08/01/2026” can be read in two ways: which number is the month?
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
    expect(refusal(() => parsePeriod('28-25 nov', help))).toMatchInlineSnapshot(`
      "bad-period: “28 nov..25 nov” ends before it begins.
      [25 nov..28 nov] ask 25 nov..28 nov"
    `);
  });

  test('refuses a period that is too long or has no number', () => {
    expect(refusal(() => parsePeriod('next 0 days', help))).toMatchInlineSnapshot(`
      "bad-period: “next 0 days” isn't a valid period: the number of days goes from 1 to 400.
      A period is written like “next 3 days”, “tomorrow” or “2026-11-24..2026-11-30”, or like “last 30 days”, “since 2026-08-01” or “2026-01..2026-03”.
      [next 3 days] ask next 3 days"
    `);
    expect(refusal(() => parsePeriod('last 9999999999 days', help))).toMatch(/^bad-period/);
    expect(refusal(() => parsePeriod('next umpteen hours', help))).toMatch(/^bad-period/);
  });

  test('refuses words that are not a period', () => {
    expect(refusal(() => parsePeriod('soon', help))).toMatchInlineSnapshot(`
      "bad-period: “soon” isn't a valid period.
      A period is written like “next 3 days”, “tomorrow” or “2026-11-24..2026-11-30”, or like “last 30 days”, “since 2026-08-01” or “2026-01..2026-03”."
    `);
  });

  test('refuses a period in the wrong direction', () => {
    expect(
      refusal(() => parsePeriod('last 3 days', { ...help, direction: 'future' })),
    ).toMatchInlineSnapshot(`
      "bad-period: “last 3 days” is in the past: predictions cover the future.
      A period is written like “next 3 days”, “tomorrow” or “2026-11-24..2026-11-30”.
      [next 3 days] ask next 3 days"
    `);
    expect(refusal(() => parsePeriod('tomorrow', { ...help, direction: 'past' }))).toMatchInlineSnapshot(`
      "bad-period: “tomorrow” is in the future: statistics cover the past.
      A period is written like “last 30 days”, “since 2026-08-01” or “2026-01..2026-03”.
      [last 30 days] ask last 30 days"
    `);
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
      A period is written like “next 3 days”, “tomorrow” or “2026-11-24..2026-11-30”."
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
    ['this week', 'UTC', '2026-11-16T00:00 to 2026-11-23T00:00'],
    ['next week', 'UTC', '2026-11-23T00:00 to 2026-11-30T00:00'],
    ['last month', 'Europe/Berlin', '2026-09-30T22:00 to 2026-10-31T23:00'],
    ['2026-01..2026-03', 'UTC', '2026-01-01T00:00 to 2026-04-01T00:00'],
    ['2026-11-24..2026-11-25', 'UTC', '2026-11-24T00:00 to 2026-11-26T00:00'],
    ['since 2026-08-01', 'UTC', '2026-08-01T00:00 to 2026-11-21T09:05'],
    ['until 2026-11-30', 'UTC', '2026-11-21T09:05 to 2026-12-01T00:00'],
    ['october', 'Europe/Berlin', '2026-09-30T22:00 to 2026-10-31T23:00'],
    ['november', 'UTC', '2026-11-01T00:00 to 2026-12-01T00:00'],
    ['december', 'UTC', '2025-12-01T00:00 to 2026-01-01T00:00'],
  ])('%s in %s', (typed, zone, expected) => {
    expect(resolved(typed, zone)).toBe(expected);
  });

  test.each([
    ['25 nov', 'future', '2026-11-25T00:00 to 2026-11-26T00:00'],
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
      A period is written like “next 3 days”, “tomorrow” or “2026-11-24..2026-11-30”.
      [next 3 days] ask next 3 days"
    `);
    expect(ask('since 2027-01-01', 'past')).toMatchInlineSnapshot(`
      "bad-period: “since 2027-01-01” is in the future: statistics cover the past.
      A period is written like “last 30 days”, “since 2026-08-01” or “2026-01..2026-03”.
      [last 30 days] ask last 30 days"
    `);
    expect(ask('2027-01', 'past')).toMatch(/^bad-period/);
    expect(ask('2026-11-21', 'future')).toMatch(/^no refusal/);
    expect(ask('2026-11', 'past')).toMatch(/^no refusal/);
  });
});
