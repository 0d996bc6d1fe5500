import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { carriersOption, formatCarriers, parseCarriers } from '../../src/grammar/carriers.ts';
import {
  formatPage,
  joinWords,
  minimumOption,
  orderOption,
  pageOption,
  scanOptions,
  takeVisibility,
  wordOption,
} from '../../src/grammar/line.ts';
import { periodOption } from '../../src/grammar/parse-period.ts';
import { formatPort, formatPortPair, parsePort, parsePortPair } from '../../src/grammar/port.ts';
import { formatListName, parseListName } from '../../src/grammar/vessel.ts';
import { isScac, carriers as knownCarriers } from '../../src/reference/carriers.ts';
import { help, locodes, refusal } from '../support/grammar-samples.ts';

const options = {
  period: periodOption('future'),
  minimum: minimumOption,
  order: orderOption(['eta', 'probability']),
  page: pageOption,
  all: wordOption('all'),
};
const scan = (words: string) => {
  const { rest, values } = scanOptions(words, options, { command: 'portcalls', example: 'portcalls NLRTM' });
  return { rest, ...values };
};
const laneOptions = { period: periodOption('past'), carriers: carriersOption };
const scanLane = (words: string) =>
  scanOptions(words, laneOptions, { command: 'lane', example: 'lane Singapore Xiamen' });

describe('options at the end of a line', () => {
  test('are optional and can be in any order', () => {
    expect(scan('Rotterdam')).toEqual({ rest: 'Rotterdam' });
    const all = { rest: 'Le Havre', minimum: 30, order: 'eta', page: 2 };
    expect(scan('Le Havre min 30% by eta page 2')).toEqual(all);
    expect(scan('Le Havre page 2 by ETA at least 30 percent')).toEqual(all);
    expect(scan('Rotterdam next 3 days all')).toEqual({
      rest: 'Rotterdam',
      period: { kind: 'next', amount: 3, unit: 'days' },
      all: true,
    });
    expect(scan('')).toEqual({ rest: '' });
  });

  test.each([
    'min 30%',
    'min. 30 %',
    'minimum 30',
    'min 0.3',
    'min 30.0%',
    '>= 30%',
    'MIN 30 percent',
    'min:30',
  ])('%s', (typed) => {
    expect(scan(`Rotterdam ${typed}`)).toEqual({ rest: 'Rotterdam', minimum: 30 });
  });

  test('a share with two decimals is a whole percentage, also where binary fractions are not exact', () => {
    for (let percent = 0; percent <= 100; percent += 1)
      expect(scan(`Rotterdam min ${(percent / 100).toFixed(2)}`)).toMatchObject({ minimum: percent });
  });

  test.each([
    ['min 0.5%', '0', '1'],
    ['min 99,5 %', '99', '100'],
    ['min 0.295', '29', '30'],
  ])('%s is no whole percentage, and is not rounded', (typed, below, above) => {
    expect(refusal(() => scan(`Rotterdam ${typed} by eta`))).toBe(
      [
        `unexpected-words: “${typed}” isn't a whole percentage.`,
        `[min ${below}%] portcalls Rotterdam min ${below}% by eta`,
        `[min ${above}%] portcalls Rotterdam min ${above}% by eta`,
      ].join('\n'),
    );
  });

  test('the choice for a wrong option keeps the rest of the line', () => {
    expect(refusal(() => scan('Rotterdam min 300% by eta'))).toMatchInlineSnapshot(`
      "unexpected-words: “min 300%” isn't a valid probability: it goes from 0% to 100%.
      [min 30%] portcalls Rotterdam min 30% by eta"
    `);
    expect(refusal(() => scan('Rotterdam by size page 2'))).toMatchInlineSnapshot(`
      "unexpected-words: “size” isn't a valid order. It can be by eta or by probability.
      [by eta] portcalls Rotterdam by eta page 2
      [by probability] portcalls Rotterdam by probability page 2"
    `);
    expect(refusal(() => scan('Rotterdam page 0'))).toMatchInlineSnapshot(`
      "unexpected-words: “0” isn't a valid page: pages are numbered from 1.
      [page 1] portcalls Rotterdam page 1"
    `);
    expect(refusal(() => scan('Rotterdam next 0 days min 30%'))).toMatchInlineSnapshot(`
      "bad-period: “next 0 days” isn't a valid period: the number of days goes from 1 to 400.
      A period is written like “next 3 days”, “this week”, “tomorrow” or “2026-11-24..2026-11-30”.
      [next 3 days] portcalls Rotterdam next 3 days min 30%"
    `);
  });

  test('an option can appear only once', () => {
    expect(refusal(() => scan('Rotterdam page 2 min 5% page 3'))).toMatchInlineSnapshot(`
      "unexpected-words: “page 2” can appear only once.
      [portcalls Rotterdam min 5% page 3] portcalls Rotterdam min 5% page 3"
    `);
  });

  test('the choice for a wrong subject keeps the options', () => {
    const scanned = scanOptions('rotterdm next 3 days min 30%', options, {
      command: 'portcalls',
      example: '',
    });
    expect(refusal(() => parsePort(scanned.rest, scanned.help))).toMatchInlineSnapshot(`
      "unknown-port: “rotterdm” isn't a known port.
      You can also give a port by its UN/LOCODE, such as NLRTM.
      [Rotterdam, NL (NLRTM)] portcalls NLRTM next 3 days min 30%
      [Rotterdam, US (USRAJ)] portcalls USRAJ next 3 days min 30%"
    `);
  });

  test('a line must fit in a button', () => {
    expect(refusal(() => scan('a'.repeat(1_501)))).toMatchInlineSnapshot(
      `"too-long: That is too long for one question: at most 1,500 characters."`,
    );
  });

  test('public and private', () => {
    expect(takeVisibility('nextport 9461477 public')).toEqual({
      rest: 'nextport 9461477',
      visibility: 'public',
    });
    expect(takeVisibility('Private')).toEqual({ rest: '', visibility: 'private' });
    expect(takeVisibility('republic')).toEqual({ rest: 'republic' });
  });

  test('a formatted line parses to the same values', () => {
    const parts = fc.record({
      port: locodes,
      minimum: fc.option(fc.integer({ min: 0, max: 100 }), { nil: undefined }),
      order: fc.constantFrom(undefined, 'eta', 'probability'),
      page: fc.integer({ min: 1, max: 99 }),
    });
    fc.assert(
      fc.property(parts, ({ port, minimum, order, page }) => {
        const line = joinWords(
          formatPort(port),
          minimum === undefined ? undefined : `min ${minimum}%`,
          order && `by ${order}`,
          formatPage(page),
        );
        const { rest, ...values } = scan(line);
        expect(parsePort(rest, help)).toBe(port);
        expect({ page: 1, ...values }).toEqual({
          page,
          ...(minimum !== undefined && { minimum }),
          ...(order && { order }),
        });
      }),
    );
  });
});

describe('carriers', () => {
  test.each([
    ['maersk', ['MAEU']],
    ['MAEU,msc', ['MAEU', 'MSCU']],
    ['Hapag-Lloyd, CMA CGM and ONE', ['HLCU', 'CMDU', 'ONEY']],
    ['maersk msc hapag lloyd', ['MAEU', 'MSCU', 'HLCU']],
    ['maersk, MAEU', ['MAEU']],
    ['carriers: ABCD', ['ABCD']],
  ])('%s', (typed, scacs) => {
    expect(parseCarriers(typed, help)).toEqual(scacs);
  });

  test('a misspelt carrier', () => {
    expect(refusal(() => parseCarriers('msc, mearsk', help))).toMatchInlineSnapshot(`
      "unknown-carrier: “mearsk” isn't a known carrier.
      You can also give a carrier by its SCAC in capital letters, such as MAEU.
      [Maersk (MAEU)] ask msc,MAEU"
    `);
  });

  test.each([
    ['Singapore Xiamen', 'SGSIN CNXAM', undefined],
    ['Singapore Xiamen maersk, msc', 'SGSIN CNXAM', ['MAEU', 'MSCU']],
    ['Singapore, Xiamen, Maersk', 'SGSIN CNXAM', ['MAEU']],
    ['Hong Kong Los Angeles Hapag Lloyd since 2026-08-01', 'HKHKG USLAX', ['HLCU']],
    ['SGSIN → CNXAM ONE last 30 days', 'SGSIN CNXAM', ['ONEY']],
    ['SGSIN CNXAM carriers ABCD', 'SGSIN CNXAM', ['ABCD']],
    [
      'SGSIN CNXAM Hapag Lloyd, CMA CGM, Hamburg Sud, Yang Ming, Wan Hai, Gold Star',
      'SGSIN CNXAM',
      ['HLCU', 'CMDU', 'SUDU', 'YMLU', 'WHLC', 'GSLU'],
    ],
  ])('after a lane: %s', (typed, lane, carriers) => {
    const { rest, values, help: laneHelp } = scanLane(typed);
    expect(formatPortPair(parsePortPair(rest, laneHelp))).toBe(lane);
    expect(values.carriers).toEqual(carriers);
  });

  test('an unknown carrier in a list', () => {
    expect(refusal(() => scanLane('Singapore Xiamen maersk, mcs last 30 days'))).toMatchInlineSnapshot(`
      "unknown-carrier: “mcs” isn't a known carrier.
      You can also give a carrier by its SCAC in capital letters, such as MAEU.
      [MSC (MSCU)] lane Singapore Xiamen maersk,MSCU last 30 days"
    `);
  });

  test('formatted carriers parse again, alone and after a lane', () => {
    const known = knownCarriers.map(({ scac }) => scac);
    const unknown = fc.stringMatching(/^[A-Z]{4}$/).filter(isScac);
    const lists = fc.uniqueArray(fc.oneof(fc.constantFrom(...known), unknown), {
      minLength: 1,
      maxLength: 8,
    });
    fc.assert(
      fc.property(lists, locodes, (carriers, origin) => {
        expect(parseCarriers(formatCarriers(carriers), help)).toEqual(carriers);
        const { rest, values } = scanLane(`${formatPort(origin)} to SGSIN ${formatCarriers(carriers)}`);
        expect(values.carriers).toEqual(carriers);
        expect(rest).toBe(`${formatPort(origin)} to SGSIN`);
      }),
    );
  });
});

describe('names of lists', () => {
  test.each([
    ['list:FEEDERS', 'FEEDERS'],
    ['List: North Sea / 2', 'North Sea / 2'],
    ['list:"North Sea"', 'North Sea'],
    ['shiplist:x', 'x'],
  ])('%s', (typed, name) => {
    expect(parseListName(typed, help)).toBe(name);
  });

  test('words that are not a list', () => {
    expect(parseListName('9461477', help)).toBeUndefined();
    expect(parseListName('listing', help)).toBeUndefined();
  });

  test('invalid names', () => {
    expect(refusal(() => parseListName('list:', help))).toMatchInlineSnapshot(`
      "missing-argument: Which list? Its name follows “list:”.
      The provider maintains lists; they can't be created here."
    `);
    expect(refusal(() => parseListName('list:..', help))).toMatch(/^missing-argument/);
    expect(refusal(() => parseListName('list:"North Sea', help))).toMatchInlineSnapshot(`
      "unclosed-quote: The quotation mark before “North Sea” is never closed.
      [list:"North Sea"] ask list:"North Sea""
    `);
    expect(refusal(() => parseListName('list:"a" b', help))).toMatchInlineSnapshot(
      `"unexpected-words: I can't read “b” after the name of the list."`,
    );
    expect(refusal(() => parseListName(`list:${'x'.repeat(101)}`, help))).toMatchInlineSnapshot(
      `"too-long: The name of a list has at most 100 characters."`,
    );
  });

  test('a formatted name parses again, also before options', () => {
    const names = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
      .map((name) => name.trim())
      .filter((name) => name !== '' && name !== '.' && name !== '..');
    fc.assert(
      fc.property(
        fc.oneof(names, fc.constantFrom('a page 2', 'x compare', '"', 'a "b" c', 'all')),
        (name) => {
          expect(parseListName(formatListName(name), help)).toBe(name);
          const scanned = scanOptions(
            `${formatListName(name)} page 3`,
            { page: pageOption },
            { command: '', example: '' },
          );
          expect([parseListName(scanned.rest, help), scanned.values.page]).toEqual([name, 3]);
        },
      ),
    );
  });
});
