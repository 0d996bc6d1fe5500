import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createReferenceIndex, type ReferenceIndex } from '../../src/grammar/vessel-directory.ts';
import type { Imo } from '../../src/reference/codes.ts';

const imos = [9461477, 9755933, 9811000, 9839430] as Imo[];
const texts = ['BK1', 'bk-1', 'BK1 MAP', 'A BK1 MAP', 'ACME', 'acme asia', 'B K1', 'A B C D E', 'C D'];

const change = fc.tuple(
  fc.constantFrom(...imos),
  fc.uniqueArray(fc.constantFrom(...texts), { maxLength: 4 }),
);

/** All that an index says. */
function answers(index: ReferenceIndex) {
  const sorted = (found: readonly { imo: number; reference: string }[]) =>
    found.map(({ imo, reference }) => `${imo} ${reference}`).sort();
  return {
    vessels: index.vessels(),
    of: imos.map(index.of),
    found: texts.map((text) => [text, sorted(index.find(text)), sorted(index.containing(text))]),
  };
}

test('an index that was changed step by step says the same as a new one, and its earlier states stay', () => {
  fc.assert(
    fc.property(fc.array(fc.uniqueArray(change, { selector: ([imo]) => imo }), { maxLength: 6 }), (steps) => {
      const stored = new Map<Imo, readonly string[]>();
      let index = createReferenceIndex(stored);
      for (const step of steps) {
        const before = index;
        const beforeSaid = answers(before);
        index = index.withChanges(new Map(step));
        for (const [imo, references] of step) {
          if (references.length > 0) stored.set(imo, references);
          else stored.delete(imo);
        }
        expect(answers(index)).toEqual(answers(createReferenceIndex(stored)));
        expect(answers(before)).toEqual(beforeSaid);
      }
    }),
  );
});
