import fc from 'fast-check';
import { expect, test } from 'vitest';
import { percent, percentPair, percentUnder } from '../../../src/answers/formatting/words.ts';

const nearHalf = fc.double({ min: 0.48, max: 0.52, noNaN: true });
const probability = fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), nearHalf);
const threshold = fc.integer({ min: 1, max: 99 }).map((whole) => whole / 100);

/** Half a step below its figure for “under 0.1%”. */
const figure = (shown: string): number => {
  const value = Number(/[\d.]+/.exec(shown)?.[0]);
  return shown.startsWith('under') ? value / 2 : value;
};

test('shows a decimal only where whole percents hide the difference', () => {
  expect(percentPair(0.82, 0.74)).toEqual({ was: '82%', now: '74%' });
  expect(percentPair(0.502, 0.496, 0.5)).toEqual({ was: '50.2%', now: '49.6%' });
  expect(percentPair(0.498, 0.496)).toEqual({ was: '49.8%', now: '49.6%' });
  expect(percentPair(0.9, 0.4999, 0.5)).toEqual({ was: '90%', now: '49.9%' });
  expect(percentPair(0.5, 0.5)).toEqual({ was: '50%', now: '50%' });
  expect(percentPair(0.999, 0.992)).toEqual({ was: '99.9%', now: '99.2%' });
  expect(percentUnder(0.496, 0.5)).toBe('49.6%');
  expect(percentUnder(0.57, 0.57)).toBe('57%');
  expect(percentUnder(0.003, 0.01)).toBe('0.3%');
});

test('what is shown never contradicts the rule', () => {
  fc.assert(
    fc.property(probability, probability, threshold, (was, now, below) => {
      const shown = percentPair(was, now, below);
      const bar = figure(percent(below));
      expect(figure(shown.was) >= bar).toBe(was >= below);
      expect(figure(shown.now) >= bar).toBe(now >= below);
      expect(Math.sign(figure(shown.was) - figure(shown.now)) * Math.sign(was - now)).toBeGreaterThanOrEqual(
        0,
      );
      if (Math.abs(was - now) > 0.001 + 1e-9) expect(shown.was).not.toBe(shown.now);
      // A whole percentage would have done.
      if (Math.abs(was - now) > 0.02 && was > below + 0.01 && now > below + 0.01)
        expect(shown).toEqual({ was: percent(was), now: percent(now) });
    }),
    { numRuns: 2_000 },
  );
});
