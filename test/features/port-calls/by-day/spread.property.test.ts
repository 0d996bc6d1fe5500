import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chancesOfCounts, likelyCallsOf } from '../../../../src/features/port-calls/days.ts';

const probability = fc.double({ min: 0, max: 1, noNaN: true });
const some = fc.array(probability, { maxLength: 9 });

/** Goes through every combination of vessels that call and vessels that don't. */
function bruteForce(probabilities: readonly number[]): number[] {
  const chances = Array.from({ length: probabilities.length + 1 }, () => 0);
  for (let calls = 0; calls < 2 ** probabilities.length; calls += 1) {
    const calling = probabilities.map((_, index) => Math.floor(calls / 2 ** index) % 2 === 1);
    const chance = probabilities.reduce((product, p, index) => product * (calling[index] ? p : 1 - p), 1);
    const count = calling.filter(Boolean).length;
    chances[count] = (chances[count] ?? 0) + chance;
  }
  return chances;
}

test('the chances of each number of calls are those of all combinations', () => {
  fc.assert(
    fc.property(some, (probabilities) => {
      const expected = bruteForce(probabilities);
      const chances = chancesOfCounts(probabilities);
      expect(chances).toHaveLength(expected.length);
      for (const [count, chance] of chances.entries()) expect(chance).toBeCloseTo(expected[count] ?? 0, 10);
    }),
    { numRuns: 200 },
  );
});

test('the range holds in at least eight of ten cases, with at most one of ten on either side', () => {
  fc.assert(
    fc.property(some, (probabilities) => {
      const { low, high, likely, vessels } = likelyCallsOf(probabilities);
      const chances = bruteForce(probabilities);
      const sum = (from: number, to: number) =>
        chances.slice(from, to).reduce((total, each) => total + each, 0);
      expect(sum(0, low)).toBeLessThanOrEqual(0.1 + 1e-9);
      expect(sum(high + 1, chances.length)).toBeLessThanOrEqual(0.1 + 1e-9);
      expect(sum(low, high + 1)).toBeGreaterThanOrEqual(0.8 - 1e-9);
      // A smaller range would leave out more.
      expect(sum(0, low + 1)).toBeGreaterThanOrEqual(0.1 - 1e-9);
      expect(sum(high, chances.length)).toBeGreaterThan(0.1 - 1e-9);
      expect(likely).toBeCloseTo(probabilities.reduce((total, p) => total + p, 0));
      expect(vessels).toBe(probabilities.length);
    }),
    { numRuns: 200 },
  );
});

test('certain calls have no range, and no vessels no calls', () => {
  expect(likelyCallsOf([1, 1, 0])).toEqual({ likely: 2, low: 2, high: 2, vessels: 3 });
  expect(likelyCallsOf([])).toEqual({ likely: 0, low: 0, high: 0, vessels: 0 });
  expect(likelyCallsOf([1.0001])).toEqual({ likely: 1, low: 1, high: 1, vessels: 1 });
});

test('five hundred vessels of a large port', () => {
  const { low, high, likely } = likelyCallsOf(Array.from({ length: 500 }, () => 0.5));
  // The normal distribution: 250 ± 1.2816 × 11.18.
  expect([low, likely, high]).toEqual([236, 250, 264]);
});
