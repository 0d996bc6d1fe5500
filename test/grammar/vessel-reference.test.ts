import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { UserError } from '../../src/errors.ts';
import { parseVessel, parseVessels } from '../../src/grammar/vessel.ts';
import {
  createVesselDirectory,
  type References,
  referenceFault,
  splitReferences,
} from '../../src/grammar/vessel-directory.ts';
import type { Imo } from '../../src/reference/codes.ts';
import { findPorts } from '../../src/reference/ports.ts';

const cypress = 9461477 as Imo;
const diana = 9755933 as Imo;
const unnamed = 9811000 as Imo;
const named = [
  { imo: cypress, name: 'DS CYPRESS' },
  { imo: diana, name: 'MSC DIANA' },
];
const directory = (references: References = new Map()) => createVesselDirectory(named, references);
const help = (references: References) => ({
  vessels: directory(references),
  line: (fixed: string) => `nextport ${fixed}`,
  example: 'nextport 9461477',
});
const stored: References = new Map([
  [cypress, ['BK-123', 'MEDU 4711', '261234567', 'ACME', 'MSCU1234566']],
  [unnamed, ['Smith and Sons', 'ACME']],
]);

describe('a reference finds its vessel', () => {
  it.each([
    ['BK-123', cypress],
    ['bk 123', cypress],
    ['BK123', cypress],
    ['medu4711', cypress],
    ['261234567', cypress],
    ['booking BK123', cypress],
    ['our booking no. BK123', cypress],
    ['B/L MEDU4711', cypress],
    ['smith and sons', unnamed],
    ['mscu 123456-6', cypress],
    ['MV BK-123 V. 12E', cypress],
  ])('%s', (typed, imo) => expect(parseVessel(typed, help(stored))).toBe(imo));

  it('among others', () => {
    expect(parseVessels('BK123, MSC DIANA', help(stored))).toEqual([cypress, diana]);
    expect(parseVessels('BK123 and Smith and Sons', help(stored))).toEqual([cypress, unnamed]);
  });

  it('after names: a vessel that gets the name later is found by it', () => {
    const vessels = directory(stored).withChanges({ named: [{ imo: diana, name: 'ACME' }] });
    expect(parseVessel('acme', { ...help(stored), vessels })).toBe(diana);
  });
});

test('a reference of two vessels asks which, and offers all where several can be typed', () => {
  const errorOf = (parse: () => unknown) => {
    try {
      parse();
    } catch (error) {
      if (error instanceof UserError) return { message: error.message, choices: error.choices };
    }
    throw new Error('not refused');
  };
  const which = [
    { label: 'DS CYPRESS (9461477)', line: 'nextport 9461477' },
    { label: 'IMO 9811000', line: 'nextport 9811000' },
  ];
  expect(errorOf(() => parseVessel('acme', help(stored)))).toEqual({
    message: '2 vessels have the reference ACME. Which one?',
    choices: which,
  });
  expect(errorOf(() => parseVessels('acme', help(stored))).choices).toEqual([
    { label: 'All 2', line: 'nextport 9461477, 9811000' },
    ...which,
  ]);
});

test.each([
  'BK123',
  'MEDU4711',
  '261234567',
  'ABC/12.3-4',
  'Ünal Łódź 7',
  'Smith and Sons',
  'MSCU1234567',
  'ACME',
  'SMITHS',
  'BK234',
])('%s is a good reference', (text) =>
  expect(referenceFault(text, diana, directory(stored))).toBeUndefined());

test.each([
  ['9461477', 'looks like an IMO number'],
  ['94 61-477', 'looks like an IMO number'],
  ['1234567', 'looks like an IMO number'],
  ['imo 77', 'looks like an IMO number'],
  ['BK 9461477', 'contains the IMO number 9461477'],
  ['NLRTM', 'is the name or the UN/LOCODE of a port'],
  ['nl-rtm', 'is the name or the UN/LOCODE of a port'],
  ['hamburg', 'is the name or the UN/LOCODE of a port'],
  ['Rotterdam US', 'is the name or the UN/LOCODE of a port'],
  ['list of May', 'looks like a list, a fleet or a port'],
  ['fleet 7', 'looks like a list, a fleet or a port'],
  ['watched', 'is a word of a command'],
  ['BK77 public', 'is a word of a command'],
  ['ds cypress', 'is the name of a vessel (IMO 9461477)'],
  ['DS CYPRESS map', 'contains the name DS CYPRESS, which is another vessel (IMO 9461477)'],
  ['ACME map', 'contains “ACME”, a reference of another vessel'],
  ['Smith', 'is part of “Smith and Sons”, a reference of another vessel (IMO 9811000)'],
  ['A', 'is too short: a reference has at least 3 letters or figures'],
  ['X'.repeat(41), 'has more than 40 characters'],
  ['BK<123>', 'may have only letters, figures, spaces and - / . between them'],
  ['Smith & Sons', 'may have only letters, figures, spaces and - / . between them (write “and” for “&”)'],
  ['-BK123', 'may have only letters, figures, spaces and - / . between them'],
])('%s is refused: it %s', (text, fault) =>
  expect(referenceFault(text, diana, directory(stored))).toBe(fault));

test('references are kept as typed, without duplicates', () => {
  expect(splitReferences(' BK 123,bk-123; MEDU4711 ,, ')).toEqual(['BK 123', 'MEDU4711']);
});

test('whatever is saved finds its own vessel, or asks; it hides no vessel, number or port', () => {
  const word = fc.oneof(
    fc.constantFrom(
      'DS',
      'CYPRESS',
      'MSC',
      'DIANA',
      'ACME',
      'BK1',
      'map',
      'and',
      'IMO',
      'list',
      'Rotterdam',
      'at',
    ),
    fc.constantFrom('9461477', '9755933', '946-1477', 'NLRTM', '261234567', 'x/1', 'she', 'public'),
    fc.string({ unit: fc.constantFrom(...'AB12-/.'), minLength: 1, maxLength: 6 }),
  );
  const text = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '));
  const change = fc.record({ imo: fc.constantFrom(cypress, diana, unnamed), text });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 12 }), (changes) => {
      const references = new Map<Imo, readonly string[]>();
      for (const { imo, text } of changes) {
        if (referenceFault(text, imo, directory(references)) !== undefined) continue;
        expect(parsedWithout(text)).toBeUndefined();
        expect(findPorts(text).kind).toBe('none');
        references.set(imo, [text, ...(references.get(imo) ?? [])]);
      }
      for (const [imo, texts] of references) {
        for (const typed of texts) {
          const owners = directory(references)
            .referenced(typed)
            .map((vessel) => vessel.imo);
          expect(owners).toContain(imo);
          const found = parsed(typed, references);
          if (found !== undefined) expect([found]).toEqual(owners);
          else expect(owners.length).toBeGreaterThan(1);
          // An option after a part of it leads to no other vessel.
          const shorter = typed.replace(/\s+\S+$/, '');
          const cut = parsed(shorter, references);
          if (shorter !== typed && cut !== undefined) expect(cut).toBe(imo);
        }
      }
    }),
  );
});

function parsed(text: string, references: References): Imo | undefined {
  try {
    return parseVessel(text, help(references));
  } catch {
    return undefined;
  }
}

const parsedWithout = (text: string): Imo | undefined => parsed(text, new Map());
