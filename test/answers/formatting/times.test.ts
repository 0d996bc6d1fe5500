import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  ago,
  countdown,
  dateRange,
  dayLabel,
  dayRange,
  duration,
  isoDay,
  portTime,
  shortPortTime,
  spanInWords,
  untilEta,
  utcOffset,
  utcTime,
} from '../../../src/answers/formatting/times.ts';
import { now } from '../../support/view-fixtures.ts';

const at = (iso: string) => new Date(iso);

describe('an ETA in local time and UTC', () => {
  test.each([
    ['2026-11-23T14:05:00Z', 'Europe/Amsterdam', 'Mon 23 Nov 15:05 LT (14:05 UTC)'],
    ['2026-11-23T23:30:00Z', 'Asia/Kolkata', 'Tue 24 Nov 05:00 LT (Mon 23:30 UTC)'],
    ['2026-11-23T03:00:00Z', 'America/Los_Angeles', 'Sun 22 Nov 19:00 LT (Mon 03:00 UTC)'],
    ['2026-11-23T14:05:00Z', 'UTC', 'Mon 23 Nov 14:05 LT'],
    ['2026-11-23T14:05:00Z', undefined, 'Mon 23 Nov 14:05 UTC'],
    ['2027-11-23T14:05:00Z', 'Europe/Amsterdam', 'Tue 23 Nov 2027 15:05 LT (14:05 UTC)'],
  ])('%s in %s', (iso, zone, written) => {
    expect(portTime(at(iso), zone, now)).toBe(written);
  });

  test('before and after a clock change', () => {
    const [before, after] = [at('2026-10-25T00:59:00Z'), at('2026-10-25T01:00:00Z')];
    expect(portTime(before, 'Europe/Berlin', now)).toBe('Sun 25 Oct 02:59 LT (00:59 UTC)');
    expect(portTime(after, 'Europe/Berlin', now)).toBe('Sun 25 Oct 02:00 LT (01:00 UTC)');
    expect(portTime(at('2026-10-03T15:30:00Z'), 'Australia/Lord_Howe', now)).toBe(
      'Sun 4 Oct 02:30 LT (Sat 15:30 UTC)',
    );
  });
});

test('in a list of one port: the weekday, and the date unless it is within five days', () => {
  expect(shortPortTime(at('2026-11-22T04:20:00Z'), 'Europe/Amsterdam', now)).toBe('Sun 05:20 LT');
  expect(shortPortTime(at('2026-11-28T04:20:00Z'), 'Europe/Amsterdam', now)).toBe('Sat 28 Nov 05:20 LT');
  expect(shortPortTime(at('2026-11-22T04:20:00Z'), undefined, now)).toBe('Sun 04:20 UTC');
  expect(dayLabel('2026-11-22', 'Europe/Amsterdam', now)).toBe('Sun');
  expect(dayLabel('2026-11-28', 'Europe/Amsterdam', now)).toBe('28 Nov');
});

test.each([
  ['2026-11-21T00:00:00Z', 'Europe/Amsterdam', 'UTC+1'],
  ['2026-07-21T00:00:00Z', 'Europe/Amsterdam', 'UTC+2'],
  ['2026-11-21T00:00:00Z', 'Asia/Kolkata', 'UTC+5:30'],
  ['2026-11-21T00:00:00Z', 'America/St_Johns', 'UTC−3:30'],
  ['2026-11-21T00:00:00Z', 'Europe/London', 'UTC'],
])('at %s, %s is %s', (iso, zone, offset) => expect(utcOffset(at(iso), zone)).toBe(offset));

test('a weekday alone is one of the port’s next six days, and the list agrees with the sums', () => {
  // Sunday in UTC, Saturday evening in Los Angeles.
  const late = at('2026-11-22T02:00:00Z');
  const zone = 'America/Los_Angeles';
  expect(dayLabel('2026-11-20', zone, late)).toBe('20 Nov');
  expect(dayLabel('2026-11-21', zone, late)).toBe('Sat');
  expect(dayLabel('2026-11-26', zone, late)).toBe('Thu');
  expect(dayLabel('2026-11-27', zone, late)).toBe('27 Nov');
  expect(shortPortTime(at('2026-11-21T07:30:00Z'), zone, late)).toBe('Fri 20 Nov 23:30 LT');
  expect(shortPortTime(at('2026-11-27T08:30:00Z'), zone, late)).toBe('Fri 27 Nov 00:30 LT');
  expect(shortPortTime(at('2026-11-27T07:30:00Z'), zone, late)).toBe('Thu 23:30 LT');
});

test.each([
  ['2026-11-23T14:05:00Z', 'in~2~d~5~h'],
  ['2026-11-22T04:20:00Z', 'in~19~h'],
  ['2026-11-21T11:15:00Z', 'in~2~h~10~min'],
  ['2026-11-21T09:45:00Z', 'in~40~min'],
  ['2026-11-21T09:05:20Z', 'now'],
  ['2026-11-21T06:05:00Z', '3~h~past~ETA'],
  ['2026-11-23T09:05:00Z', 'in~2~d'],
])('%s is %s (~ is a no-break space)', (iso, words) => {
  expect(untilEta(at(iso), now).replaceAll('\u00a0', '~')).toBe(words);
});

test.each([
  [485, 'in~20~d'],
  [36, 'in~2~d'],
  [35.9, 'in~1~d'],
  [23.9, 'in~23~h'],
  [1, 'in~1~h'],
  [0.99, 'in~under~1~h'],
  [0, 'past~ETA'],
  [-0.9, 'past~ETA'],
  [-6.5, '6~h~past~ETA'],
  [-50, '2~d~past~ETA'],
])('a countdown of %d hours', (hours, words) => {
  const eta = new Date(now.getTime() + hours * 3_600_000);
  expect(countdown(eta, now).replaceAll('\u00a0', '~')).toBe(words);
});

test('ages', () => {
  expect(ago(0)).toBe('just now');
  expect(ago(0.5)).toBe('just now');
  expect(ago(75)).toBe('1 h 15 min ago');
  expect(duration(180)).toBe('3 h');
});

test('the time of a request: with the day unless it is today', () => {
  expect(utcTime(at('2026-11-21T08:50:00Z'), now)).toBe('08:50 UTC');
  expect(utcTime(at('2026-11-20T23:50:00Z'), now)).toBe('Fri 20 Nov 23:50 UTC');
});

test('ranges of days', () => {
  expect(dayRange(at('2026-11-21T12:00:00Z'), at('2026-11-24T12:00:00Z'), 'UTC', now)).toBe('21–24 Nov');
  expect(dayRange(at('2026-11-28T12:00:00Z'), at('2026-12-02T12:00:00Z'), 'UTC', now)).toBe('28 Nov – 2 Dec');
  expect(dayRange(at('2026-11-22T01:00:00Z'), at('2026-11-22T20:00:00Z'), 'UTC', now)).toBe('Sun 22 Nov');
  expect(dateRange(at('2026-08-23T00:00:00Z'), at('2026-11-21T00:00:00Z'), 'UTC')).toBe(
    '23 Aug – 21 Nov 2026',
  );
  expect(dateRange(at('2025-12-01T00:00:00Z'), at('2026-01-31T00:00:00Z'), 'UTC')).toBe(
    '1 Dec 2025 – 31 Jan 2026',
  );
  expect(dateRange(at('2026-10-01T00:00:00Z'), at('2026-10-31T23:00:00Z'), 'UTC')).toBe('1–31 Oct 2026');
  expect(dateRange(at('2026-10-01T00:00:00Z'), at('2026-10-01T23:00:00Z'), 'UTC')).toBe('1 Oct 2026');
  const once = at('2026-10-01T00:00:00Z');
  expect(dateRange(once, once, 'UTC')).toBe('1 Oct 2026');
});

test('local times agree with Intl, in every zone and at any time', () => {
  const zones = fc.constantFrom(...Intl.supportedValuesOf('timeZone'));
  const times = fc.date({
    min: at('1990-01-01T00:00:00Z'),
    max: at('2060-01-01T00:00:00Z'),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(zones, times, (zone, time) => {
      const day = new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' }).format(time);
      const clock = new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeStyle: 'short' }).format(time);
      expect(isoDay(time, zone)).toBe(day);
      expect(portTime(time, zone, now)).toMatch(new RegExp(` ${clock} LT(?: \\(|$)`));
    }),
    { numRuns: 300 },
  );
});

// At `now` it is Saturday 21 Nov, 09:05 UTC.
test.each([
  ['2026-11-27T05:00Z', '2026-11-27T13:00Z', 'Fri 27 Nov 06:00–14:00 LT'],
  ['2026-11-27T17:00Z', '2026-11-27T23:00Z', 'Fri 27 Nov 18:00–24:00 LT'],
  ['2026-11-27T17:00Z', '2026-11-28T05:00Z', 'Fri 27 Nov 18:00 – Sat 28 Nov 06:00 LT'],
  ['2026-11-21T09:05Z', '2026-11-22T17:00Z', 'by Sun 22 Nov 18:00 LT'],
  ['2026-11-26T23:00Z', '2026-11-27T23:00Z', 'Fri 27 Nov'],
])('a period from %s to %s is “%s” in Amsterdam', (begin, end, words) => {
  expect(spanInWords({ begin: at(begin), end: at(end) }, 'Europe/Amsterdam', now)).toBe(words);
});
