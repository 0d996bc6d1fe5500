import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { formatVessels, parseVessel, parseVessels } from '../../src/grammar/vessel.ts';
import { createVesselDirectory } from '../../src/grammar/vessel-directory.ts';
import { exampleVessels, hasValidCheckDigit, type Imo, isImo } from '../../src/reference/codes.ts';
import { help as line, refusal, vessels } from '../support/grammar-samples.ts';

const help = { ...line, vessels };
const validImos = fc
  .integer({ min: 1_000_000, max: 9_999_999 })
  .filter((number): number is Imo => isImo(number) && hasValidCheckDigit(number));

test('formatted vessels parse to the same vessels, each alone too', () => {
  fc.assert(
    fc.property(fc.uniqueArray(validImos, { minLength: 1, maxLength: 20 }), (imos) => {
      expect(parseVessels(formatVessels(imos), help)).toEqual(imos);
      for (const imo of imos) expect(parseVessel(`IMO ${imo}`, help)).toBe(imo);
    }),
  );
  for (const { imo, name } of exampleVessels) expect(parseVessel(`${name} (${imo})`, help)).toBe(imo);
});

test('one vessel where two are typed: a choice', () => {
  expect(refusal(() => parseVessel('DS CYPRESS MSC DIANA', help))).toMatchInlineSnapshot(`
    "unexpected-words: “DS CYPRESS MSC DIANA” can be 2 vessels. Which one?
    [DS CYPRESS] ask DS CYPRESS
    [MSC DIANA] ask MSC DIANA"
  `);
});

test('at most twenty different vessels, or what a fleet may have', () => {
  const imos = [...new Set(fc.sample(validImos, { numRuns: 200, seed: 1 }))];
  const first = (count: number, separator = ',') => imos.slice(0, count).join(separator);
  expect(parseVessels(first(20), help)).toHaveLength(20);
  const refused = refusal(() => parseVessels(first(21), help));
  expect(refused).toContain('too-many-vessels: 21 vessels are too many for one question: at most 20.');
  expect(refused).toContain('ask for fleet:NORTH');
  expect(refused).toContain(`[The first 20] ask ${first(20, ', ')}`);
  expect(refusal(() => parseVessels('9461477,'.repeat(900), help))).toMatch(/^too-many-vessels/);
  const ofFleet = { ...help, maxInFleet: 50 };
  expect(parseVessels(first(50), ofFleet)).toHaveLength(50);
  expect(refusal(() => parseVessels(first(51), ofFleet))).toContain(
    'too-many-vessels: 51 vessels are too many at once: a fleet has at most 50.',
  );
});

test('a text full of “and” is looked up in steps that grow with its length', () => {
  const lookUps = (count: number) => {
    const named = vi.fn(vessels.named);
    const text = Array.from({ length: count }, () => 'a').join(' and ');
    refusal(() => parseVessels(text, { ...help, vessels: { ...vessels, named } }));
    return named.mock.calls.length;
  };
  expect(lookUps(400)).toBeLessThan(2.5 * lookUps(200));
});

test('a directory ignores case and spacing, and finds similar names', () => {
  expect(vessels.nameOf(9811000 as Imo)).toBe('EVER GIVEN');
  expect(vessels.named('ever  given')).toEqual([{ imo: 9811000, name: 'EVER GIVEN' }]);
  expect(vessels.named('')).toEqual([]);
  expect(vessels.nearest('msc dianna').map(({ name }) => name)).toEqual(['MSC DIANA']);
  expect(vessels.all().map(({ name }) => name)).toEqual([
    'DS CYPRESS',
    'EVER GIVEN',
    'MSC DIANA',
    'MSC GULSUN',
  ]);
});

test('similar names are ranked without searching the whole list for each', () => {
  const names = Array.from({ length: 2_000 }, (_, index) => ({
    imo: (9_000_000 + index) as Imo,
    name: `NORTHERN TRADER ${String(index).padStart(4, '0')}`,
  }));
  const directory = createVesselDirectory(names.toReversed());
  const searches = [vi.spyOn(Array.prototype, 'indexOf'), vi.spyOn(Array.prototype, 'findIndex')];
  const near = directory.nearest('northern trader');
  const count = searches.reduce((sum, { mock }) => sum + mock.calls.length, 0);
  for (const search of searches) search.mockRestore();
  expect(near).toEqual(names.slice(0, 5));
  // The list that is searched at all is that of the three.
  expect(count).toBeLessThan(10);
});
