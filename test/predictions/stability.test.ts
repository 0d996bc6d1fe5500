import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  calibrationOf,
  type FinishedCall,
  leads,
  minutesMoved,
  type Reading,
  stabilityOf,
  stabilityRows,
} from '../../src/predictions/stability.ts';
import type { Imo, Locode } from '../../src/reference/codes.ts';
import { port } from '../support/view-fixtures.ts';
import { cypress, hour } from '../support/watch-story.ts';

const diana = 9755933 as Imo;
const reading = (at: Locode, probability: number, eta: number | null): Reading => ({
  port: at,
  probability,
  eta: eta === null ? null : hour(eta),
});

/** To Rotterdam, with its last ETA at the start; `at48`: port, probability and ETA in hours. */
const call = (at48: Reading, more: Partial<FinishedCall> = {}): FinishedCall => ({
  imo: cypress,
  previousPort: null,
  port: port('NLRTM'),
  lastEta: hour(0),
  endedAt: hour(0),
  readings: { 72: null, 48: at48, 24: null },
  ...more,
});
const stays = (probability = 0.8, eta: number | null = 0) => call(reading(port('NLRTM'), probability, eta));
const leaves = (probability = 0.8) => call(reading(port('BEANR'), probability, 0));

test('a port stayed if the same one was on top then and at the end; calls without a poll then are left out', () => {
  const calls = [stays(), stays(), leaves(), call(null)];
  expect(stabilityOf(calls).onTop).toEqual({
    72: { count: 0, of: 0 },
    48: { count: 2, of: 3 },
    24: { count: 0, of: 0 },
  });
  expect(stabilityOf([])).toMatchObject({ calls: 0, etaMoved: null });
});

test.each([
  ['later', stays(0.8, -5), 300],
  ['earlier', stays(0.8, 2), -120],
  ['with the ETA left out', stays(0.8, null), null],
  ['to another port', leaves(), null],
  ['without a poll then', call(null), null],
])('how far the ETA moved: %s', (_, one, minutes) => {
  expect(minutesMoved(one)).toBe(minutes);
});

test('the median and the quartiles of the moves, in either direction', () => {
  const calls = [-1, 2, -3, 4, 5].map((hours) => stays(0.8, hours));
  expect(stabilityOf([...calls, leaves()]).etaMoved).toEqual({ median: 180, lower: 120, upper: 240, of: 5 });
  expect(stabilityOf(calls.slice(0, 2)).etaMoved).toEqual({ median: 90, lower: 75, upper: 105, of: 2 });
});

const repeated = (count: number, one: FinishedCall) => Array.from({ length: count }, () => one);

test('calibration begins with 20 calls, in steps that have 10', () => {
  expect(calibrationOf(repeated(19, stays()))).toEqual([]);
  expect(calibrationOf([...repeated(19, stays()), call(null)])).toEqual([]);
  const calls = [
    ...repeated(9, stays(0.8)),
    ...repeated(2, leaves(0.899)),
    ...repeated(10, stays(0.7)),
    ...repeated(9, stays(0.6)),
    ...repeated(12, stays(1)),
  ];
  expect(calibrationOf(calls)).toEqual([
    { from: 0.9, to: 1, count: 12, of: 12 },
    { from: 0.8, to: 0.9, count: 9, of: 11 },
    { from: 0.7, to: 0.8, count: 10, of: 10 },
  ]);
});

test('a row for each vessel, and for each lane with more than one call', () => {
  const hamburg = { previousPort: port('DEHAM') };
  const calls = [
    call(null, { imo: diana, ...hamburg }),
    call(null, hamburg),
    call(null, { previousPort: port('BEANR') }),
    call(null),
  ];
  expect(
    stabilityRows(calls).map((row) =>
      row.kind === 'vessel' ? [row.imo, row.calls] : [row.origin, row.destination, row.calls],
    ),
  ).toEqual([
    [cypress, 3],
    [diana, 1],
    ['DEHAM', 'NLRTM', 2],
  ]);
});

const anyReading = fc.option(
  fc.record({
    port: fc.constantFrom(port('NLRTM'), port('BEANR'), port('DEHAM')),
    probability: fc.double({ min: 0, max: 1, noNaN: true }),
    eta: fc.option(fc.integer({ min: -200, max: 200 }).map(hour)),
  }),
);
const anyCall: fc.Arbitrary<FinishedCall> = fc.record({
  imo: fc.constantFrom(cypress, diana),
  previousPort: fc.constantFrom(null, port('SGSIN'), port('DEHAM')),
  port: fc.constantFrom(port('NLRTM'), port('BEANR')),
  lastEta: fc.integer({ min: -100, max: 100 }).map(hour),
  endedAt: fc.integer({ min: -100, max: 100 }).map(hour),
  readings: fc.record({ 72: anyReading, 48: anyReading, 24: anyReading }),
});

test('shares never exceed calls, rows add up, and the order of the calls makes no difference', () => {
  fc.assert(
    fc.property(fc.array(anyCall, { maxLength: 60 }), fc.infiniteStream(fc.nat()), (calls, keys) => {
      const shuffled = calls
        .map((one) => ({ one, key: keys.next().value }))
        .sort((one, other) => one.key - other.key)
        .map(({ one }) => one);
      const all = stabilityOf(calls);
      expect(stabilityOf(shuffled)).toEqual(all);
      expect(calibrationOf(shuffled)).toEqual(calibrationOf(calls));
      expect(stabilityRows(shuffled)).toEqual(stabilityRows(calls));
      for (const lead of leads) {
        const { count, of } = all.onTop[lead];
        expect(count).toBeLessThanOrEqual(of);
        expect(of).toBeLessThanOrEqual(all.calls);
      }
      const { median = 0, lower = 0, upper = 0, of = 0 } = all.etaMoved ?? {};
      expect(lower).toBeLessThanOrEqual(median);
      expect(median).toBeLessThanOrEqual(upper);
      expect(of).toBeLessThanOrEqual(all.onTop[48].count);
      const ofVessels = stabilityRows(calls).filter(({ kind }) => kind === 'vessel');
      expect(ofVessels.reduce((sum, row) => sum + row.calls, 0)).toBe(calls.length);
    }),
  );
});
