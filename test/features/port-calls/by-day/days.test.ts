import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Prediction } from '../../../../src/analytics/answers.ts';
import { countByDay, dayAfter, daysOf, sameTimeBefore } from '../../../../src/features/port-calls/days.ts';
import type { Imo } from '../../../../src/reference/codes.ts';
import { aPrediction, aTime } from '../../../support/answer-arbitraries.ts';
import { prediction } from '../../../support/view-fixtures.ts';

const now = new Date('2026-11-21T09:05:00Z');
const amsterdam = { zone: 'Europe/Amsterdam', now, period: undefined };

const calls = (...etas: readonly (string | undefined)[]): Prediction[] =>
  etas.map((eta, index) => prediction('NLRTM', 0.5, eta, { imo: (9000000 + index) as Imo }));

const shown = (predictions: readonly Prediction[], options: Parameters<typeof countByDay>[1] = amsterdam) =>
  countByDay(predictions, options).counted.days.map(({ day, vessels }) => `${day.slice(5)}: ${vessels}`);

describe('the days', () => {
  test('are ten of the port, from today on, unless a period is asked for', () => {
    const predictions = calls('2026-11-21T22:59:00Z', '2026-11-21T23:01:00Z', '2026-11-30T22:00:00Z');
    expect(shown(predictions)).toEqual([
      '11-21: 1',
      '11-22: 1',
      ...['23', '24', '25', '26', '27', '28', '29'].map((day) => `11-${day}: 0`),
      '11-30: 1',
    ]);
  });

  test('of a period are whole days, though it ends at noon', () => {
    const period = { begin: new Date('2026-11-22T11:00:00Z'), end: new Date('2026-11-24T11:00:00Z') };
    const predictions = calls('2026-11-22T01:00:00Z', '2026-11-24T20:00:00Z', '2026-11-25T01:00:00Z');
    expect(shown(predictions, { ...amsterdam, period })).toEqual(['11-22: 1', '11-23: 0', '11-24: 1']);
  });

  test('do not include the day at whose midnight the period ends', () => {
    const period = { begin: new Date('2026-11-21T23:00:00Z'), end: new Date('2026-11-22T23:00:00Z') };
    expect(shown([], { ...amsterdam, period })).toEqual(['11-22: 0']);
  });

  test('of a long period end with the last predicted call, but there are twenty at least', () => {
    const period = { begin: now, end: new Date('2027-11-21T09:05:00Z') };
    const long = { ...amsterdam, period };
    expect(shown(calls('2026-11-22T12:00:00Z'), long)).toHaveLength(20);
    expect(shown(calls('2027-01-10T12:00:00Z'), long).at(-1)).toBe('01-10: 1');
  });

  test('have 23 or 25 hours when the clocks change', () => {
    const autumn = { ...amsterdam, now: new Date('2026-10-24T10:00:00Z') };
    // 25 October 2026 begins at 22:00 UTC and ends at 23:00 UTC.
    const long = calls(
      '2026-10-24T21:59:00Z',
      '2026-10-24T22:00:00Z',
      '2026-10-25T22:59:00Z',
      '2026-10-25T23:00:00Z',
    );
    expect(shown(long, autumn).slice(0, 3)).toEqual(['10-24: 1', '10-25: 2', '10-26: 1']);
    const spring = { ...amsterdam, now: new Date('2027-03-27T10:00:00Z') };
    // 28 March 2027 begins at 23:00 UTC and ends at 22:00 UTC.
    const short = calls(
      '2027-03-27T22:59:00Z',
      '2027-03-27T23:00:00Z',
      '2027-03-28T21:59:00Z',
      '2027-03-28T22:00:00Z',
    );
    expect(shown(short, spring).slice(0, 3)).toEqual(['03-27: 1', '03-28: 2', '03-29: 1']);
  });
});

test('vessels past their ETA, without one, or after the last day stand apart', () => {
  const predictions = calls(
    '2026-11-21T09:04:00Z',
    undefined,
    '2026-12-01T12:00:00Z',
    '2026-11-22T12:00:00Z',
  );
  const { counted, listed } = countByDay(predictions, amsterdam);
  expect(counted).toMatchObject({
    overdue: { vessels: 1, likely: 0.5 },
    undated: { vessels: 1 },
    later: { vessels: 1 },
    total: { vessels: 1, likely: 0.5 },
  });
  expect(listed.map(({ when }) => when)).toEqual(['within', 'unknown', 'after', 'within']);
});

test('if the period begins later, calls before it belong to no day', () => {
  const period = { begin: new Date('2026-11-23T23:00:00Z'), end: new Date('2026-11-24T23:00:00Z') };
  const predictions = calls('2026-11-20T12:00:00Z', '2026-11-22T12:00:00Z', '2026-11-24T12:00:00Z');
  const { counted, listed } = countByDay(predictions, { ...amsterdam, period });
  expect(listed.map(({ when }) => when)).toEqual(['before', 'before', 'within']);
  expect(counted).toMatchObject({ total: { vessels: 1 }, overdue: { vessels: 1 }, later: { vessels: 0 } });
});

test('every vessel counts once: on a day, apart, or outside of the period', () => {
  const zone = fc.constantFrom('Europe/Amsterdam', 'Asia/Kolkata', 'Pacific/Kiritimati', 'America/St_Johns');
  const period = fc.option(
    fc
      .tuple(aTime, fc.integer({ min: 1, max: 40 * 24 }))
      .map(([begin, hours]) => ({ begin, end: new Date(begin.getTime() + hours * 3_600_000) })),
    { nil: undefined },
  );
  fc.assert(
    fc.property(fc.array(aPrediction), zone, period, aTime, (predictions, inZone, span, at) => {
      const inFuture = span && span.end > at ? span : undefined;
      const { counted, listed } = countByDay(predictions, { zone: inZone, now: at, period: inFuture });
      const { days, total, overdue, undated, later } = counted;
      const outside = listed.filter(({ when, eta }) => when === 'before' && eta && eta >= at).length;
      const onDays = days.reduce((sum, { vessels }) => sum + vessels, 0);
      expect(onDays).toBe(total.vessels);
      expect(onDays + overdue.vessels + undated.vessels + later.vessels + outside).toBe(predictions.length);
      expect(days.length).toBeGreaterThan(0);
    }),
    { numRuns: 200 },
  );
});

test('the days of a calendar', () => {
  expect(daysOf('2026-02-27', '2026-03-02')).toEqual([
    '2026-02-27',
    '2026-02-28',
    '2026-03-01',
    '2026-03-02',
  ]);
  expect(daysOf('2026-03-02', '2026-03-01')).toEqual([]);
  expect(dayAfter('2026-12-31', 1)).toBe('2027-01-01');
});

test('the same time of an earlier day is that of the clock there, not 24 hours ago', () => {
  const monday = new Date('2026-10-26T09:00:00Z');
  expect(sameTimeBefore(monday, 'Europe/Amsterdam', 1).toISOString()).toBe('2026-10-25T09:00:00.000Z');
  expect(sameTimeBefore(monday, 'Europe/Amsterdam', 2).toISOString()).toBe('2026-10-24T08:00:00.000Z');
});
