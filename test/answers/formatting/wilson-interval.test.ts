import fc from 'fast-check';
import { expect, test } from 'vitest';
import { wilsonInterval } from '../../../src/answers/formatting/words.ts';

// R: prop.test(x, n, correct = FALSE)$conf.int
test.each([
  [5, 37, 0.0591, 0.2798],
  [3, 37, 0.028, 0.213],
  [1, 10, 0.0179, 0.4042],
  [5, 10, 0.2366, 0.7634],
  [81, 263, 0.2553, 0.3662],
])('%i of %i: %f to %f', (count, of, low, high) => {
  const interval = wilsonInterval(count, of);
  expect(interval.low).toBeCloseTo(low, 3);
  expect(interval.high).toBeCloseTo(high, 3);
});

test('none and all: one bound is exact, the other is z² / (n + z²) away', () => {
  expect(wilsonInterval(0, 18)).toEqual({ low: 0, high: expect.closeTo(0.1759, 4) });
  expect(wilsonInterval(18, 18)).toEqual({ low: expect.closeTo(0.8241, 4), high: 1 });
  expect(wilsonInterval(0, 0)).toEqual({ low: 0, high: 1 });
});

test('it holds the share, is symmetric, and narrows with more journeys', () => {
  const sample = fc
    .integer({ min: 1, max: 100_000 })
    .chain((of) => fc.tuple(fc.integer({ min: 0, max: of }), fc.constant(of)));
  fc.assert(
    fc.property(sample, ([count, of]) => {
      const { low, high } = wilsonInterval(count, of);
      expect(low).toBeGreaterThanOrEqual(0);
      expect(high).toBeLessThanOrEqual(1);
      expect(low).toBeLessThanOrEqual(count / of);
      expect(high).toBeGreaterThanOrEqual(count / of);
      const mirrored = wilsonInterval(of - count, of);
      expect(mirrored.low).toBeCloseTo(1 - high, 9);
      expect(mirrored.high).toBeCloseTo(1 - low, 9);
      const wider = wilsonInterval(count * 4, of * 4);
      expect(wider.high - wider.low).toBeLessThan(high - low);
    }),
  );
});
