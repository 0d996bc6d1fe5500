import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exampleVessels, hasValidCheckDigit, type Imo, isImo } from '../../src/reference/codes.ts';

const imos = fc.integer({ min: 1_000_000, max: 9_999_999 }).filter(isImo);

test('the example vessels have valid numbers', () => {
  expect(exampleVessels.map(({ imo }) => hasValidCheckDigit(imo))).toEqual([true, true, true, true]);
});

test('exactly one check digit fits any six digits', () => {
  fc.assert(
    fc.property(imos, (imo) => {
      const base = Math.floor(imo / 10) * 10;
      const fitting = Array.from({ length: 10 }, (_, digit) => base + digit).filter(
        (number): number is Imo => isImo(number) && hasValidCheckDigit(number),
      );
      expect(fitting).toHaveLength(1);
    }),
  );
});

test('an IMO number is a whole number of seven digits', () => {
  expect([999_999, 10_000_000, 1_234_567.5, Number.NaN].some(isImo)).toBe(false);
});
