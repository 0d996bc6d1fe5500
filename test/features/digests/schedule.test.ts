import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countRuns, nextRun, type Schedule } from '../../../src/features/digests/schedule.ts';

const everyDay = { kind: 'week', weekdays: [1, 2, 3, 4, 5, 6, 7] } as const;
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
  const sorted = (values: number[]) => values.toSorted((one, other) => one - other);
  const someOf = (min: number, max: number, maxLength: number) =>
    fc.uniqueArray(fc.integer({ min, max }), { minLength: 1, maxLength }).map(sorted);
  const schedules = fc.record({
    days: fc.oneof(
      someOf(1, 7, 7).map((weekdays) => ({ kind: 'week' as const, weekdays })),
      someOf(1, 31, 5).map((dates) => ({ kind: 'month' as const, dates })),
    ),
    minutes: someOf(0, 1439, 5),
  });
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
  const time = fc.date({ min: new Date('2026-11-01'), max: new Date('2027-02-01'), noInvalidDate: true });
  const minutes = fc.uniqueArray(fc.integer({ min: 0, max: 1439 }), { minLength: 1, maxLength: 3 });
  const days = fc.oneof(
    fc.record({
      kind: fc.constant('week' as const),
      weekdays: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
    }),
    fc.record({
      kind: fc.constant('month' as const),
      dates: fc.uniqueArray(fc.integer({ min: 1, max: 31 }), { minLength: 1, maxLength: 5 }),
    }),
  );

  it('is that of the next runs, one after the other', () => {
    fc.assert(
      fc.property(
        fc.record({ days, minutes: minutes.map((each) => each.sort((a, b) => a - b)) }),
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
