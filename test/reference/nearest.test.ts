import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isZone } from '../../src/grammar/moment.ts';
import { editDistance, fold, foldTight, nearest } from '../../src/reference/nearest.ts';
import { anyCharacter } from '../support/any-character.ts';

const words = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 });

test('a distance is zero only for equal words, symmetric, and at most the longer length', () => {
  fc.assert(
    fc.property(words, words, (one, other) => {
      const distance = editDistance(one, other, 20);
      expect(distance === 0).toBe(one === other);
      expect(editDistance(other, one, 20)).toBe(distance);
      expect(distance).toBeLessThanOrEqual(Math.max(one.length, other.length));
      expect(editDistance(one, other, 1)).toBe(Math.min(distance, 2));
    }),
  );
});

test('a distance agrees with the textbook algorithm, for any limit', () => {
  fc.assert(
    fc.property(words, words, fc.nat(6), (one, other, limit) => {
      expect(editDistance(one, other, limit)).toBe(Math.min(wholeTable(one, other), limit + 1));
    }),
    { numRuns: 2_000 },
  );
});

/** Textbook optimal string alignment: one cell per pair of letters. */
function wholeTable(from: string, to: string): number {
  const cells = new Map<string, number>();
  const at = (row: number, column: number) => cells.get(`${row} ${column}`) ?? Number.POSITIVE_INFINITY;
  for (let row = 0; row <= from.length; row += 1) {
    for (let column = 0; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwap =
        row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      const best = Math.min(
        at(row - 1, column) + 1,
        at(row, column - 1) + 1,
        at(row - 1, column - 1) + (isSame ? 0 : 1),
        isSwap ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
      );
      cells.set(`${row} ${column}`, row + column === 0 ? 0 : best);
    }
  }
  return at(from.length, to.length);
}

test('two swapped neighbours count as one edit', () => {
  expect(editDistance('maersk', 'mearsk', 3)).toBe(1);
  expect(editDistance('rotterdam', 'rotterdm', 3)).toBe(1);
  expect(editDistance('tokyo', 'kyoto', 3)).toBe(4);
});

test('the nearest values come first, without duplicates', () => {
  const names = ['hamburg', 'homburg', 'hamburger'].map((key) => ({ key, value: key.slice(0, 7) }));
  expect(nearest('hamburk', names, 5)).toEqual(['hamburg', 'homburg']);
  expect(nearest('x', names, 5)).toEqual([]);
});

test('of equally near names the first wins, and the nearest name of a value counts', () => {
  const keys = ['rotterdams', 'rotterdom', 'rotterdum', 'rotterdame', 'rotterdam'];
  const names = keys.map((key, index) => ({ key, value: index % 4 }));
  expect(nearest('rotterdamm', names, 3)).toEqual([0, 3, 1]);
  expect(nearest('rotterdamm', names, 1)).toEqual([0]);
});

test('folding a name', () => {
  expect(fold("  Saint-Denis  d'Été ")).toBe('st denis dete');
  expect(fold('Malmö, Gdańsk & Łódź')).toBe('malmo gdansk lodz');
  expect(foldTight('Hồ Chí Minh')).toBe('hochiminh');
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (text) => {
      expect(fold(fold(text))).toBe(fold(text));
    }),
  );
});

test('a zone is a name in the time zone database', () => {
  expect(['Europe/Berlin', 'Asia/Calcutta', 'Asia/Kolkata', 'UTC'].every(isZone)).toBe(true);
  expect(['', '+01:00', 'Mars/Olympus', 'Europe/', 'Europe/Berlin; x'].some(isZone)).toBe(false);
});
