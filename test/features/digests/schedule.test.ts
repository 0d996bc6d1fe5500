import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UserError } from '../../../src/errors.ts';
import {
  countRuns,
  formatSchedule,
  nextRun,
  nextRunAfter,
  parseSchedule,
  type Schedule,
} from '../../../src/features/digests/schedule.ts';
import { anyCharacter } from '../../support/any-character.ts';
import { everyDay } from '../../support/digest-fixture.ts';
import { refusedBy } from '../../support/refusal.ts';

const at = (...times: string[]): number[] =>
  times.map((time) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3)));
const daily = (...times: string[]): Schedule => ({ days: everyDay, minutes: at(...times) });

/** The runs after `from`, as UTC times without seconds. */
function runs(schedule: Schedule, { zone, from, count }: { zone: string; from: string; count: number }) {
  const found: string[] = [];
  for (let after = new Date(from); found.length < count; ) {
    after = nextRun(schedule, zone, after);
    found.push(after.toISOString().slice(0, 16));
  }
  return found;
}

/** The local time in that zone, found without the code under test. */
function wallClock(instant: Date, zone: string): string {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' });
  return format.format(instant);
}

const someOf = (min: number, max: number, maxLength: number) =>
  fc
    .uniqueArray(fc.integer({ min, max }), { minLength: 1, maxLength })
    .map((values) => values.toSorted((one, other) => one - other));
const schedules = fc.record({
  days: fc.oneof(
    someOf(1, 7, 7).map((weekdays) => ({ kind: 'week' as const, weekdays })),
    someOf(1, 31, 5).map((dates) => ({ kind: 'month' as const, dates })),
  ),
  minutes: someOf(0, 1439, 5),
});

describe('a local time that does not exist or exists twice', () => {
  const cases = [
    // The clock jumps from 02:00 to 03:00 in spring, and back from 03:00 to 02:00 in autumn.
    ['Europe/Berlin', '02:30', '2027-03-27T12:00Z', ['2027-03-28T01:00', '2027-03-29T00:30']],
    ['Europe/Berlin', '02:30', '2027-10-30T12:00Z', ['2027-10-31T00:30', '2027-11-01T01:30']],
    ['America/New_York', '02:30', '2027-03-13T12:00Z', ['2027-03-14T07:00', '2027-03-15T06:30']],
    ['America/New_York', '01:30', '2027-11-06T12:00Z', ['2027-11-07T05:30', '2027-11-08T06:30']],
    // By half an hour: back from 02:00 to 01:30 in April, forward from 02:00 to 02:30 in October.
    ['Australia/Lord_Howe', '01:45', '2027-04-03T00:00Z', ['2027-04-03T14:45', '2027-04-04T15:15']],
    ['Australia/Lord_Howe', '02:15', '2027-10-02T00:00Z', ['2027-10-02T15:30', '2027-10-03T15:15']],
    // Midnight is skipped, in Cairo on a Friday and in Santiago on a Sunday.
    ['Africa/Cairo', '00:15', '2027-04-29T10:00Z', ['2027-04-29T22:00', '2027-04-30T21:15']],
    ['America/Santiago', '00:00', '2027-09-04T12:00Z', ['2027-09-05T04:00', '2027-09-06T03:00']],
    // Samoa skipped 30 December 2011: the midnights of two days coincide, and run once.
    ['Pacific/Apia', '00:00', '2011-12-29T20:00Z', ['2011-12-30T10:00', '2011-12-31T10:00']],
    ['Asia/Kolkata', '08:00', '2026-11-21T02:30Z', ['2026-11-22T02:30', '2026-11-23T02:30']],
  ] as const;
  it.each(cases)('%s %s after %s', (zone, time, from, expected) => {
    expect(runs(daily(time), { zone, from, count: 2 })).toEqual(expected);
  });

  it('runs once if several times fall into one gap', () => {
    const schedule = daily('02:10', '02:50', '03:00', '03:30');
    expect(runs(schedule, { zone: 'Europe/Berlin', from: '2027-03-28T00:30Z', count: 3 })).toEqual([
      '2027-03-28T01:00',
      '2027-03-28T01:30',
      '2027-03-29T00:10',
    ]);
  });
});

describe('dates of the month', () => {
  const month = (...dates: number[]): Schedule => ({ days: { kind: 'month', dates }, minutes: at('09:00') });
  const from = '2027-01-30T12:00Z';
  it('each have a run', () => {
    expect(runs(month(1, 15), { zone: 'UTC', from, count: 3 })).toEqual([
      '2027-02-01T09:00',
      '2027-02-15T09:00',
      '2027-03-01T09:00',
    ]);
  });
  it('fall on the last day of a shorter month, once', () => {
    expect(runs(month(29, 30, 31), { zone: 'UTC', from, count: 5 })).toEqual([
      '2027-01-31T09:00',
      '2027-02-28T09:00',
      '2027-03-29T09:00',
      '2027-03-30T09:00',
      '2027-03-31T09:00',
    ]);
    expect(runs(month(31), { zone: 'Pacific/Kiritimati', from: '2028-02-01T00:00Z', count: 2 })).toEqual([
      '2028-02-28T19:00',
      '2028-03-30T19:00',
    ]);
  });
});

describe('the next run of any schedule in any zone', () => {
  const zones = fc.constantFrom(...Intl.supportedValuesOf('timeZone'));
  const instants = fc.date({
    min: new Date('2026-11-21T00:00Z'),
    max: new Date('2028-11-21T00:00Z'),
    noInvalidDate: true,
  });

  it('is in the future, and never goes back as time passes', () => {
    fc.assert(
      fc.property(schedules, zones, instants, instants, (schedule, zone, one, other) => {
        const [early, late] = one < other ? [one, other] : [other, one];
        const [first, second] = [nextRun(schedule, zone, early), nextRun(schedule, zone, late)];
        expect(first.getTime()).toBeGreaterThan(early.getTime());
        expect(second.getTime()).toBeGreaterThanOrEqual(first.getTime());
        // No run in between: none is lost or repeated.
        if (late < first) expect(second).toEqual(first);
      }),
    );
  });

  it('is at its local time, or at the first time that exists', () => {
    fc.assert(
      fc.property(schedules, zones, instants, (schedule, zone, after) => {
        const run = nextRun(schedule, zone, after);
        const shown = wallClock(run, zone);
        const minute = at(shown.slice(11))[0] ?? -1;
        const justBefore = wallClock(new Date(run.getTime() - 1), zone);
        const minutesBefore = at(justBefore.slice(11))[0] ?? -1;
        const isOnTime = schedule.minutes.includes(minute);
        // The clock was put forward at that instant, over one of the times.
        const jumped = schedule.minutes.some((wanted) => wanted > minutesBefore && wanted <= minute);
        expect(isOnTime || jumped || minute < minutesBefore).toBe(true);
      }),
    );
  });
});

describe('the number of runs', () => {
  const time = fc.date({ min: new Date('2026-11-01'), max: new Date('2027-01-01'), noInvalidDate: true });

  it('is that of the next runs, one after the other', () => {
    fc.assert(
      fc.property(
        schedules,
        fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Kolkata', 'America/Santiago'),
        fc.tuple(time, time),
        (schedule, zone, times) => {
          const [from = 0, until = 0] = times.map(Number).sort((a, b) => a - b);
          let expected = 0;
          // A run at `from` itself counts.
          for (let run = nextRun(schedule, zone, new Date(from - 1)); run.getTime() < until; expected += 1)
            run = nextRun(schedule, zone, run);
          expect(countRuns(schedule, zone, { from: new Date(from), until: new Date(until) })).toBe(expected);
        },
      ),
      { numRuns: 50 },
    );
  });
});

const help = {
  line: (fixed: string) => `digest add ${fixed}: usage`,
  example: 'digest add weekdays 08:00: usage',
};
const read = (text: string) => formatSchedule(parseSchedule(text, help));
const refusal = (text: string) => refusedBy(() => parseSchedule(text, help));

describe('the words of a schedule', () => {
  it.each([
    ['weekdays 08:00 Europe/Berlin', 'weekdays 08:00 Europe/Berlin'],
    ['mon,thu 07:30', 'mon,thu 07:30'],
    ['Mondays and Thursdays at 7:30', 'mon,thu 07:30'],
    ['every tuesday 8 am', 'tue 08:00'],
    ['Mon - Fri 0800', 'weekdays 08:00'],
    ['fri-mon 6:15pm', 'mon,fri,sat,sun 18:15'],
    ['sat, sun 9.30', 'sat,sun 09:30'],
    ['daily 18:00, 06:00, 6am', 'daily 06:00, 18:00'],
    ['every day at noon and midnight', 'daily 00:00, 12:00'],
    ['mon,tue,wed,thu,fri,sat,sun 12:00', 'daily 12:00'],
    ['08:00', 'daily 08:00'],
    ['08:00 weekdays', 'weekdays 08:00'],
    ['on the 1st, 15th 09:00', 'on the 1st, 15th 09:00'],
    ['monthly on the 15th and the 1st at 12 pm', 'on the 1st, 15th 12:00'],
    ['on the last day of the month 17:00', 'on the last day 17:00'],
    ['on the 31st 17:00', 'on the last day 17:00'],
    ['last day 12am', 'on the last day 00:00'],
    ['on the 2nd, 3rd, 11th, 12th, 13th, 21st, 22nd, 23rd, 30th 09:00 utc', undefined],
    ['weekdays 08:00 berlin', 'weekdays 08:00 Europe/Berlin'],
    ['weekdays 08:00 new york', 'weekdays 08:00 America/New_York'],
    ['weekdays 08:00 asia/kolkata', 'weekdays 08:00 Asia/Kolkata'],
    ['weekdays 08:00 Asia/Calcutta', 'weekdays 08:00 Asia/Calcutta'],
    ['weekdays 08:00 australia/lord_howe', 'weekdays 08:00 Australia/Lord_Howe'],
    ['weekdays 08:00 america/port_of_spain', 'weekdays 08:00 America/Port_of_Spain'],
    ['weekdays 08:00 america/argentina/buenos_aires', 'weekdays 08:00 America/Argentina/Buenos_Aires'],
    ['weekdays 08:00 gmt', 'weekdays 08:00 UTC'],
    ['every morning at 6:30', 'daily 06:30'],
    ['daily at 6.30', 'daily 06:30'],
    ['every day 6:30am', 'daily 06:30'],
    ['weekdays at 7', 'weekdays 07:00'],
    ['weekdays 7 Berlin', 'weekdays 07:00 Europe/Berlin'],
    ['every monday at 8', 'mon 08:00'],
    ['mon and thu 7 and 19', 'mon,thu 07:00, 19:00'],
    ['each weekday morning at 7', 'weekdays 07:00'],
    ['monday mornings 7', 'mon 07:00'],
    ["daily 7 o'clock in the morning", 'daily 07:00'],
    ['every evening at 6:30', 'daily 18:30'],
    ['sunday at 7 in the evening', 'sun 19:00'],
    ['every evening at 18:30', 'daily 18:30'],
    ['business days 7', 'weekdays 07:00'],
    ['on the 1st at 9', 'on the 1st 09:00'],
  ])('%s', (typed, canonical) => {
    expect(read(typed)).toBe(canonical ?? typed.replace('utc', 'UTC'));
  });

  it.each([
    ['', '“When should it be sent?”', 'weekdays 08:00'],
    ['weekdays', '“weekdays” is missing a time of day.', 'weekdays 08:00'],
    ['mon Europe/Berlin', '“mon Europe/Berlin” is missing a time of day.', 'mon 08:00 Europe/Berlin'],
    ['weekdays 07:00, 8', "“8” isn't a valid day, date or time of day.", 'weekdays 07:00, 08:00'],
    ['mornings at 7:00, evenings at 6', "“evenings” isn't a valid day, date or time of day.", undefined],
    ['weekdays 25:00', "“25:00” isn't a valid day, date or time of day.", undefined],
    ['weekdays 24:00', "“24:00” isn't a valid day, date or time of day.", undefined],
    ['weekdays 13pm', "“13pm” isn't a valid day, date or time of day.", undefined],
    ['on the 32nd 08:00', "“32nd” isn't a valid day, date or time of day.", undefined],
    ['weekdays 08:00 Europe/Berln', "“europe/berln” isn't a valid time zone.", undefined],
    ['weekdays 08:00 EST', "“est” isn't a valid time zone.", undefined],
    ['weekdays 08:00 UTC+2', "“utc+2” isn't a valid time zone.", undefined],
    ['mon, 1st 08:00', 'A digest runs on days of the week or on dates of the month, not both.', undefined],
  ])('refuses %s', (typed, message, choice) => {
    const error = refusal(typed);
    expect(error.code).toBe('bad-schedule');
    expect(error.message).toBe(message.replace(/^“(When.*)”$/, '$1'));
    expect(error.choices.map(({ label }) => label)).toEqual(choice === undefined ? [] : [choice]);
    for (const { label } of error.choices) expect(read(label)).toBe(label);
  });

  it('takes a digest for every hour, and refuses more', () => {
    const hours = Array.from({ length: 24 }, (_, hour) => `${hour}:00`).join(', ');
    expect(read(`daily ${hours}`)).toMatch(/^daily 00:00, 01:00, .*, 23:00$/);
    expect(read(`daily ${hours}, 23:00`)).toMatch(/^daily 00:00, 01:00, .*, 23:00$/);
    const error = refusal(`mon ${hours}, 23:30`);
    expect(error.code).toBe('bad-schedule');
    expect(error.message).toBe('A digest is sent at most 24 times a day, and that is 25 times.');
    expect(error.hint).toBe('To be notified as soon as something changes, watch the vessels instead.');
  });

  it('gives the same schedule and the same words after formatting and parsing', () => {
    const zones = fc.constantFrom(undefined, 'UTC', 'Asia/Kolkata', ...Intl.supportedValuesOf('timeZone'));
    fc.assert(
      fc.property(schedules, zones, (schedule, zone) => {
        const value = { schedule, ...(zone !== undefined && { zone }) };
        const words = formatSchedule(value);
        expect(parseSchedule(words, help)).toEqual(value);
        expect(parseSchedule(words.toUpperCase(), help)).toEqual(value);
      }),
    );
  });

  it('parses any input to a schedule or throws UserError', () => {
    const pieces = fc.constantFrom(
      'mon',
      '-',
      ',',
      '08:00',
      '31st',
      'last day',
      'of the month',
      'am',
      '8',
      '/',
    );
    const typed = fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 60 }),
      fc.array(pieces).map((list) => list.join(' ')),
    );
    fc.assert(
      fc.property(typed, (text) => {
        try {
          const value = parseSchedule(text, help);
          expect(parseSchedule(formatSchedule(value), help)).toEqual(value);
        } catch (error) {
          expect(error).toBeInstanceOf(UserError);
        }
      }),
    );
  });
});

it('a run in a pause of everything is the first one after it', () => {
  const of = { schedule: daily('08:00'), zone: 'UTC', nextRunAt: new Date('2026-11-24T08:00Z') };
  const next = (since: string, until?: string) =>
    nextRunAfter({ since: new Date(since), until: until === undefined ? null : new Date(until) }, of)
      ?.toISOString()
      .slice(0, 13);
  expect(next('2026-11-23T00:00Z', '2026-11-26T08:00Z')).toBe('2026-11-26T08');
  expect(next('2026-11-23T00:00Z', '2026-11-24T08:00Z')).toBe('2026-11-24T08');
  expect(next('2026-11-23T00:00Z')).toBeUndefined();
  // It begins later.
  expect(next('2026-11-24T09:00Z')).toBe('2026-11-24T08');
});
