import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { formatVessels, parseVessel, parseVessels } from '../../src/grammar/vessel.ts';
import { createVesselDirectory } from '../../src/grammar/vessel-directory.ts';
import { exampleVessels, hasValidCheckDigit, type Imo, isImo } from '../../src/reference/codes.ts';
import { help as line, refusal, vessels } from '../support/grammar-samples.ts';

const help = { ...line, vessels };
const validImos = fc
  .integer({ min: 1_000_000, max: 9_999_999 })
  .filter((number): number is Imo => isImo(number) && hasValidCheckDigit(number));

describe('one vessel', () => {
  test.each([
    '9461477',
    'IMO 9461477',
    'imo:9461477',
    'imo9461477',
    'IMO-9461477',
    'Imo No. 9461477',
    'IMO #9461477',
    'DS CYPRESS',
    'ds  cypress',
    'MV DS Cypress',
    '"DS Cypress"',
    'DS CYPRESS (9461477)',
    'DS CYPRESS IMO 9461477',
    'DS CYPRESS 9461477',
    '9461477 ds cypress',
    'the vessel 9461477',
    'our ship DS Cypress',
  ])('%s', (typed) => {
    expect(parseVessel(typed, help)).toBe(9461477);
  });

  test('the name of one vessel with the number of another: asks', () => {
    expect(refusal(() => parseVessel('MSC DIANA (9461477)', help))).toMatchInlineSnapshot(`
      "ambiguous-vessel: MSC DIANA is IMO 9755933, not 9461477. Which vessel do you mean?
      [MSC DIANA (9755933)] ask 9755933
      [DS CYPRESS (9461477)] ask 9461477"
    `);
    expect(parseVessel('SOMETHING ELSE (9461477)', help)).toBe(9461477);
  });

  test('a whole name wins over one without MV or “the”', () => {
    const named = (...names: string[]) =>
      createVesselDirectory(names.map((name, index) => ({ name, imo: [9461477, 9755933][index] as Imo })));
    expect(parseVessel('MV Hope', { ...line, vessels: named('HOPE', 'MV HOPE') })).toBe(9755933);
    expect(parseVessel('the Hope', { ...line, vessels: named('HOPE', 'THE HOPE') })).toBe(9755933);
    expect(parseVessel('MV Hope', { ...line, vessels: named('HOPE') })).toBe(9461477);
  });

  test('a word of a name: offers the vessels that have it', () => {
    const offered = (typed: string) =>
      refusal(() => parseVessel(typed, help))
        .split('\n')
        .slice(1);
    expect(offered('DS')).toEqual(['[DS CYPRESS (9461477)] ask 9461477']);
    expect(offered('given')).toEqual(['[EVER GIVEN (9811000)] ask 9811000']);
    expect(offered('MSC')).toEqual([
      '[MSC DIANA (9755933)] ask 9755933',
      '[MSC GULSUN (9839430)] ask 9839430',
    ]);
  });

  test('a wrong check digit: offers the known vessel whose number differs by one digit', () => {
    expect(refusal(() => parseVessel('9461478', help))).toMatchInlineSnapshot(`
      "bad-check-digit: 9461478 isn't a valid IMO number: its check digit doesn't match.
      Did you mean 9461477?
      [DS CYPRESS (9461477)] ask 9461477"
    `);
  });

  test('two swapped digits: offers the known vessel', () => {
    expect(refusal(() => parseVessel('IMO 9461747', help))).toMatchInlineSnapshot(`
      "bad-check-digit: 9461747 isn't a valid IMO number: its check digit doesn't match.
      Did you mean 9461477?
      [DS CYPRESS (9461477)] ask 9461477"
    `);
  });

  test('a wrong check digit without a similar vessel', () => {
    expect(refusal(() => parseVessel('1234568', help))).toMatchInlineSnapshot(`
      "bad-check-digit: 1234568 isn't a valid IMO number: its check digit doesn't match.
      Did you mean 1234567?
      [1234567] ask 1234567"
    `);
  });

  test('numbers that are not IMO numbers', () => {
    expect(refusal(() => parseVessel('946147', help))).toMatchInlineSnapshot(`
      "bad-imo: “946147” isn't a valid IMO number: it must have seven digits, the first not 0.
      The IMO number is painted on the hull; you also find it in the vessel's papers, in the booking and on vessel tracking sites."
    `);
    expect(refusal(() => parseVessel('211281610', help))).toMatchInlineSnapshot(`
      "bad-imo: “211281610” isn't a valid IMO number: it must have seven digits, the first not 0.
      Nine digits may be an MMSI, which the service doesn't know."
    `);
  });

  test('refuses words beside a number unless they are its name', () => {
    expect(refusal(() => parseVessel('9461477 tomorrow', help))).toMatchInlineSnapshot(`
      "unexpected-words: I can read 9461477 as a vessel, but not “tomorrow” beside it.
      [DS CYPRESS (9461477)] ask 9461477"
    `);
    expect(refusal(() => parseVessel('EVER GIVEN 9461477', help))).toMatchInlineSnapshot(`
      "unexpected-words: I can read 9461477 as a vessel, but not “EVER GIVEN” beside it.
      [DS CYPRESS (9461477)] ask 9461477"
    `);
    expect(refusal(() => parseVessel('9461477 and 9755933', help))).toMatchInlineSnapshot(`
      "unexpected-words: I can read 9461477 and 9755933 as vessels, but not “and” beside them.
      [9461477, 9755933] ask 9461477, 9755933"
    `);
  });

  test('an unknown name', () => {
    expect(refusal(() => parseVessel('Flying Dutchman', help))).toMatchInlineSnapshot(
      `"unknown-vessel: I don't know Flying Dutchman. What's its IMO number?"`,
    );
  });

  test('a misspelt name', () => {
    expect(refusal(() => parseVessel('Ever Givn', help))).toMatchInlineSnapshot(`
      "unknown-vessel: I don't know Ever Givn. What's its IMO number?
      [EVER GIVEN (9811000)] ask 9811000"
    `);
  });

  test('a name that two vessels have', () => {
    const twins = createVesselDirectory([
      { imo: 9461477 as Imo, name: 'Aurora' },
      { imo: 9755933 as Imo, name: 'AURORA' },
    ]);
    expect(refusal(() => parseVessel('aurora', { ...help, vessels: twins }))).toMatchInlineSnapshot(`
      "ambiguous-vessel: 2 vessels are named AURORA. Which one?
      [AURORA (9461477)] ask 9461477
      [AURORA (9755933)] ask 9755933"
    `);
  });

  test('no vessel', () => {
    expect(refusal(() => parseVessel(' ', help))).toMatchInlineSnapshot(`
      "missing-argument: Which vessel?
      Give a vessel by its IMO number of seven digits, or by a name or reference that is known here."
    `);
  });

  test('a choice does not repeat a vessel', () => {
    expect(refusal(() => parseVessels('9461477, 9461478', help))).toContain(
      '[DS CYPRESS (9461477)] ask 9461477',
    );
    expect(refusal(() => parseVessels('9461477, 9461478', help))).not.toContain('9461477, 9461477');
  });

  test('a formatted vessel parses to the same vessel', () => {
    fc.assert(
      fc.property(validImos, (imo) => {
        expect(parseVessel(String(imo), help)).toBe(imo);
        expect(parseVessel(`IMO ${imo}`, help)).toBe(imo);
      }),
    );
    for (const { imo, name } of exampleVessels) expect(parseVessel(`${name} (${imo})`, help)).toBe(imo);
  });
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

test('“and” separates vessels, unless it is part of a name', () => {
  const imos = [9461477, 9755933, 9811000] as Imo[];
  const names = ['ROMEO', 'JULIET', 'ROMEO AND JULIET'];
  const couple = createVesselDirectory(names.map((name, index) => ({ name, imo: imos[index] as Imo })));
  const read = (typed: string) => parseVessels(typed, { ...line, vessels: couple });
  expect(read('Romeo and Juliet')).toEqual([9811000]);
  expect(read('Juliet and Romeo')).toEqual([9755933, 9461477]);
  expect(read('Romeo and Juliet and Juliet & 9461477')).toEqual([9811000, 9755933, 9461477]);
  expect(parseVessels('DS CYPRESS and 9755933', help)).toEqual([9461477, 9755933]);
  expect(refusal(() => read('Romeo and Juliat'))).toContain('[ROMEO AND JULIET (9811000)] ask 9811000');
});

describe('several vessels', () => {
  test('commas, or spaces between numbers; no vessel twice', () => {
    expect(parseVessels('9461477, EVER GIVEN,9755933', help)).toEqual([9461477, 9811000, 9755933]);
    expect(parseVessels('9461477 9755933 9461477', help)).toEqual([9461477, 9755933]);
    expect(parseVessels('9461477,, 9461477;', help)).toEqual([9461477]);
  });

  test.each([
    'IMO9461477 / IMO9755933',
    '9461477、9755933',
    '9461477 • 9755933',
    '9461477 > 9755933',
    '9461477_9755933',
    '#9461477 #9755933',
    '[9461477] [9755933]',
    '1. 9461477 2. 9755933',
    '1) 9461477 2) 9755933',
    'IMO9461477IMO9755933',
    '9461477 und 9755933',
    '9461477/9755933',
    'IMO 9461477 IMO 9755933',
    '9461477 - 9755933',
    '9461477 or 9755933',
    '9461477, and 9755933',
    '9461477? and 9755933?',
    'DS CYPRESS / MSC DIANA',
    'DS CYPRESS/MSC DIANA',
    'M/V DS CYPRESS / M/V MSC DIANA',
    '"DS CYPRESS" "MSC DIANA"',
    'DS CYPRESS (9461477) MSC DIANA (9755933)',
    '9461477 DS CYPRESS 9755933 MSC DIANA',
    'DS CYPRESS IMO 9461477 | MSC DIANA IMO 9755933',
  ])('%s', (typed) => {
    expect(parseVessels(typed, help)).toEqual([9461477, 9755933]);
  });

  test('other words beside several numbers are refused, not skipped', () => {
    expect(refusal(() => parseVessels('foo 9461477 bar IMO 9755933', help))).toMatchInlineSnapshot(`
      "unexpected-words: I can read 9461477 as a vessel, but not “foo” beside it.
      [DS CYPRESS (9461477)] ask 9461477, bar IMO 9755933"
    `);
    expect(refusal(() => parseVessels('946147 IMO 9755933', help))).toMatchInlineSnapshot(`
      "unexpected-words: I can read 9755933 as a vessel, but not “946147” beside it.
      [MSC DIANA (9755933)] ask 9755933"
    `);
  });

  test('names with only spaces between them may be one name: a choice', () => {
    expect(refusal(() => parseVessels('DS CYPRESS MSC DIANA', help))).toMatchInlineSnapshot(`
      "unexpected-words: “DS CYPRESS MSC DIANA” can be 2 vessels. Put commas between them.
      [DS CYPRESS, MSC DIANA] ask DS CYPRESS, MSC DIANA"
    `);
    expect(refusal(() => parseVessel('DS CYPRESS MSC DIANA', help))).toMatchInlineSnapshot(`
      "unexpected-words: “DS CYPRESS MSC DIANA” can be 2 vessels. Which one?
      [DS CYPRESS] ask DS CYPRESS
      [MSC DIANA] ask MSC DIANA"
    `);
  });

  test('a slash in a name or a reference separates nothing', () => {
    const imos = [9461477, 9755933] as Imo[];
    const named = createVesselDirectory(
      [
        { imo: imos[0] as Imo, name: 'NORTH/SOUTH' },
        { imo: imos[1] as Imo, name: 'SOUTH' },
      ],
      new Map([[imos[1] as Imo, ['BK/4711']]]),
    );
    const read = (typed: string) => parseVessels(typed, { ...line, vessels: named });
    expect(read('North/South')).toEqual([9461477]);
    expect(read('BK/4711')).toEqual([9755933]);
    expect(read('BK/4711 / North/South')).toEqual([9755933, 9461477]);
  });

  test('a choice keeps the other vessels', () => {
    expect(refusal(() => parseVessels('9755933, 9461478, EVER GIVEN', help))).toMatchInlineSnapshot(`
      "bad-check-digit: 9461478 isn't a valid IMO number: its check digit doesn't match.
      Did you mean 9461477?
      [DS CYPRESS (9461477)] ask 9755933, 9461477, EVER GIVEN"
    `);
  });

  test('at most twenty different vessels', () => {
    const imos = fc.sample(validImos, { numRuns: 200, seed: 1 });
    const different = [...new Set(imos)].slice(0, 21);
    expect(parseVessels(different.slice(0, 20).join(','), help)).toHaveLength(20);
    const refused = refusal(() => parseVessels(different.join(','), help));
    expect(refused).toContain('too-many-vessels: 21 vessels are too many for one question: at most 20.');
    expect(refused).toContain('ask for fleet:NORTH');
    expect(refused).toContain(`[The first 20] ask ${different.slice(0, 20).join(', ')}`);
    expect(refusal(() => parseVessels('9461477,'.repeat(900), help))).toMatch(/^too-many-vessels/);
  });

  test('a fleet has a maximum of its own', () => {
    const imos = [...new Set(fc.sample(validImos, { numRuns: 200, seed: 1 }))];
    const ofFleet = { ...help, maxInFleet: 50 };
    expect(parseVessels(imos.slice(0, 50).join(','), ofFleet)).toHaveLength(50);
    expect(refusal(() => parseVessels(imos.slice(0, 51).join(','), ofFleet))).toContain(
      'too-many-vessels: 51 vessels are too many at once: a fleet has at most 50.',
    );
  });

  test('formatted vessels parse to the same vessels', () => {
    fc.assert(
      fc.property(fc.uniqueArray(validImos, { minLength: 1, maxLength: 20 }), (imos) => {
        expect(parseVessels(formatVessels(imos), help)).toEqual(imos);
      }),
    );
  });
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
