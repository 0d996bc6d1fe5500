import fc from 'fast-check';
import { expect, it } from 'vitest';
import { pollIntervalMinutes, stretchFor, stretchInterval } from '../../../src/features/polling/call-plan.ts';

/** Calls a day that these intervals take. */
const callsADay = (intervals: readonly number[]) =>
  intervals.reduce((sum, minutes) => sum + 1440 / minutes, 0);
const now = new Date('2026-11-21T00:00:00Z');
const inHours = (hours: number) => new Date(now.getTime() + hours * 3_600_000);

it('polls more often near an ETA, before and after', () => {
  const minutes = [null, 500, 240, 132, 24, 0, -24].map((hours) =>
    pollIntervalMinutes(hours === null ? null : inHours(hours), now),
  );
  expect(minutes).toEqual([360, 360, 360, 188, 15, 15, 15]);
});

it('stretches intervals to the budget, and polls at least once a day', () => {
  expect(stretchFor(100, undefined)).toBe(1);
  expect(stretchFor(100, 200)).toBe(1);
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 15, max: 360 }), { minLength: 1, maxLength: 50 }),
      fc.integer({ min: 0, max: 5000 }),
      (intervals, budget) => {
        const factor = stretchFor(callsADay(intervals), budget);
        const stretched = intervals.map((minutes) => stretchInterval(minutes, factor));
        expect(callsADay(stretched)).toBeLessThanOrEqual(
          Math.max(budget, intervals.length) + intervals.length,
        );
        stretched.forEach((minutes, index) => {
          expect(minutes).toBeGreaterThanOrEqual(intervals[index] ?? 0);
          expect(minutes).toBeLessThanOrEqual(1440);
        });
      },
    ),
  );
});
