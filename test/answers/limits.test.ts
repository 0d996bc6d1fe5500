import fc from 'fast-check';
import { expect, test } from 'vitest';
import { percent, share } from '../../src/answers/formatting/words.ts';
import { clip, joinWithin, packLines, paged } from '../../src/answers/message.ts';
import { pageButtons, pageLine, shownNote } from '../../src/answers/slack/answer-message.ts';

test('a shortened name ends in …', () => {
  expect(clip('short', 5)).toBe('short');
  expect(clip('longer', 5)).toBe('long…');
  expect(clip('ab🚢cd', 4)).toBe('ab…');
});

test('a sentence says how many parts did not fit', () => {
  expect(joinWithin(['a', 'b', 'c'], '; ', 100)).toBe('a; b; c');
  expect(joinWithin(['aaaaaaaaaa', 'bbbbbbbbbb', 'cccccccccc'], '; ', 26)).toBe('aaaaaaaaaa (and 2 more)');
});

test('packs every line, in order, into texts within the limit', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ minLength: 1, maxLength: 50 }).map((line) => line.replaceAll('\n', ' '))),
      (lines) => {
        const texts = packLines(lines, 120);
        expect(texts.join('\n')).toBe(lines.join('\n'));
        for (const text of texts) expect(text.length).toBeLessThanOrEqual(120);
      },
    ),
  );
});

test('every item is on exactly one page, and the buttons reach it', () => {
  fc.assert(
    fc.property(fc.nat(200), fc.integer({ min: 1, max: 30 }), (count, size) => {
      const items = Array.from({ length: count }, (_, index) => index);
      const seen: number[] = [];
      let line: string | undefined = 'usage';
      for (let page = 1; line !== undefined && page <= 201; page += 1) {
        expect(line).toBe(pageLine('usage', page));
        const shown = paged(items, page, size);
        seen.push(...shown.items);
        line = pageButtons(line, shown, size).find(({ label }) => label.startsWith('Next'))?.line;
      }
      expect(seen).toEqual(items);
    }),
  );
});

test('a page beyond the end is the last one', () => {
  const page = paged([1, 2, 3], 99, 2);
  expect(page).toMatchObject({ items: [3], page: 2, pages: 2, after: 0 });
  expect(shownNote(page, 2)).toEqual(['3–3 of 3 shown', 'there is no page 99: this is the last']);
});

test('probabilities: whole percent, never more certain than the data', () => {
  const words = (value: number) => percent(value).replaceAll('\u00a0', ' ');
  expect([0, 0.004, 0.005, 0.164, 0.825, 0.996, 1, 1.0001].map(words)).toEqual([
    '0%',
    'under 1%',
    '1%',
    '16%',
    '83%',
    '99%',
    '100%',
    '100%',
  ]);
  expect(share(5, 37)).toBe('14% (5 of 37)');
  expect(share(0, 0)).toBe('0 of 0');
});
