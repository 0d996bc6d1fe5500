import fc from 'fast-check';
import { expect, test } from 'vitest';
import { wilsonInterval } from '../../../src/answers/formatting/words.ts';
import { compareCarriers } from '../../../src/features/lane/statistics.ts';
import { carrier } from '../../support/view-fixtures.ts';

const delayed = (scac: string, count: number, of: number) =>
  carrier(scac, of, { delayed: [0, count], omitted: [0, 0] });
const changesOf = (compared: ReturnType<typeof compareCarriers>['compared']) =>
  compared.map(({ carrier: scac, change }) => `${scac} ${change}`);

test('a change is clear only where the 95% intervals part', () => {
  const { compared } = compareCarriers({
    earlier: [
      delayed('MAEU', 3, 40),
      delayed('MSCU', 20, 40),
      delayed('ONEY', 4, 40),
      delayed('HLCU', 0, 100),
    ],
    later: [
      delayed('MAEU', 20, 40),
      delayed('MSCU', 3, 40),
      delayed('ONEY', 10, 40),
      delayed('HLCU', 0, 100),
    ],
  });
  expect(changesOf(compared)).toEqual(['MAEU more', 'MSCU fewer', 'ONEY unclear', 'HLCU unclear']);
});

test('each period needs ten journeys; the carriers with most journeys come first among the others', () => {
  const { compared, uncompared } = compareCarriers({
    earlier: [delayed('MAEU', 0, 9), delayed('MSCU', 0, 50), delayed('ONEY', 0, 10)],
    later: [delayed('MAEU', 50, 50), delayed('ONEY', 10, 10), delayed('HLCU', 3, 3)],
  });
  expect(changesOf(compared)).toEqual(['ONEY more']);
  expect(uncompared.map(({ carrier: scac }) => scac)).toEqual(['MAEU', 'MSCU', 'HLCU']);
});

const counts = fc
  .tuple(fc.nat(200), fc.nat(200))
  .map(([a, b]) => ({ of: Math.max(a, b), count: Math.min(a, b) }));

test('the other way round, more becomes fewer; a marked change has intervals that part', () => {
  fc.assert(
    fc.property(counts, counts, (one, other) => {
      const [earlier, later] = [one, other].map(({ of, count }) => [delayed('MAEU', count, of)]);
      const [forward] = compareCarriers({ earlier: earlier ?? [], later: later ?? [] }).compared;
      const [backward] = compareCarriers({ earlier: later ?? [], later: earlier ?? [] }).compared;
      const opposite = { more: 'fewer', fewer: 'more', unclear: 'unclear' } as const;
      expect(backward?.change).toBe(forward && opposite[forward.change]);
      expect(forward !== undefined).toBe(one.of >= 10 && other.of >= 10);
      const [before, after] = [one, other].map(({ of, count }) => wilsonInterval(count, of));
      if (!forward || !before || !after) return;
      const isApart = after.low > before.high || after.high < before.low;
      expect(forward.change !== 'unclear').toBe(isApart);
    }),
  );
});
