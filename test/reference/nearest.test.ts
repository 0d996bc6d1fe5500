import fc from 'fast-check';
import { expect, test } from 'vitest';
import { editDistance } from '../../src/reference/edit-distance.ts';
import { fold, foldTight } from '../../src/reference/fold.ts';
import { nearest } from '../../src/reference/nearest.ts';
import { isZone } from '../../src/reference/zones.ts';

const words = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 });

test('a distance is zero for equal words only, the same both ways, and a triangle', () => {
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

test('two neighbours swapped are one fault', () => {
  expect(editDistance('maersk', 'mearsk', 3)).toBe(1);
  expect(editDistance('rotterdam', 'rotterdm', 3)).toBe(1);
  expect(editDistance('tokyo', 'kyoto', 3)).toBe(4);
});

test('the nearest come first, each once', () => {
  const names = ['hamburg', 'homburg', 'hamburger'].map((key) => ({ key, value: key.slice(0, 7) }));
  expect(nearest('hamburk', names, { count: 5, weigh: () => 0 })).toEqual(['hamburg', 'homburg']);
  expect(nearest('x', names, { count: 5, weigh: () => 0 })).toEqual([]);
});

test('folding', () => {
  expect(fold("  Saint-Denis  d'Été ")).toBe('st denis dete');
  expect(fold('Malmö, Gdańsk & Łódź')).toBe('malmo gdansk lodz');
  expect(foldTight('Hồ Chí Minh')).toBe('hochiminh');
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(fold(fold(text))).toBe(fold(text));
    }),
  );
});

test('zones are names of the database', () => {
  expect(['Europe/Berlin', 'Asia/Calcutta', 'Asia/Kolkata', 'UTC'].every(isZone)).toBe(true);
  expect(['', '+01:00', 'Mars/Olympus', 'Europe/', 'Europe/Berlin; x'].some(isZone)).toBe(false);
});
