import fc from 'fast-check';
import { expect, test } from 'vitest';
import { retryAfterMs } from '../../src/analytics/http-transport.ts';
import { formatQueryTime, parseServiceTime } from '../../src/analytics/read-records.ts';

const at = new Date('2026-11-24T04:54:00Z');

test.each([
  ['2026-11-24T04:54:00Z', 'given'],
  ['2026-11-24T04:54:00.000Z', 'given'],
  ['2026-11-24T05:54:00.000000+01:00', 'given'],
  ['2026-11-24T05:54:00+0100', 'given'],
  ['2026-11-24T05:54:00+01', 'given'],
  ['2026-11-23T23:24:00-05:30', 'given'],
  ['2026-11-24T04:54Z', 'given'],
  ['2026-11-24T04:54:00', 'assumed-utc'],
  [' 2026-11-24t04:54:00.0 ', 'assumed-utc'],
])('%s is parsed', (text, zone) => {
  expect(parseServiceTime(text.replace('t', 'T'))).toEqual({ at, zone });
});

test.each([
  '',
  'soon',
  '2026-11-24',
  '2026-02-30T00:00:00Z',
  '2026-13-01T00:00:00Z',
  '2026-11-24T25:00:00Z',
  '24/11/2026 04:54',
  '2026-11-24T04:54:00+99:00',
  '1',
])('%j is not a time', (text) => {
  expect(parseServiceTime(text)).toBeUndefined();
});

test('any time is parsed back to the millisecond; times are sent without milliseconds', () => {
  const times = fc.date({ min: new Date('1970-01-01'), max: new Date('2200-01-01'), noInvalidDate: true });
  fc.assert(
    fc.property(times, (time) => {
      expect(parseServiceTime(time.toISOString())).toEqual({ at: time, zone: 'given' });
      expect(formatQueryTime(time)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    }),
  );
});

test('any text is a time or undefined, never an error', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const time = parseServiceTime(text);
      expect(time === undefined || !Number.isNaN(time.at.getTime())).toBe(true);
    }),
  );
});

test.each([
  ['120', 120_000],
  [' 0 ', 0],
  ['Tue, 24 Nov 2026 04:55:00 GMT', 60_000],
  ['Tue, 24 Nov 2026 04:00:00 GMT', 0],
  ['99999999999', 3_600_000],
  ['Tue, 24 Nov 2099 04:00:00 GMT', 3_600_000],
  ['-5', undefined],
  ['1.5', undefined],
  ['soon', undefined],
  [null, undefined],
])('Retry-After %j', (header, expected) => {
  expect(retryAfterMs(header, at.getTime())).toBe(expected);
});
