import fc from 'fast-check';
import { expect, test } from 'vitest';
import { UserError } from '../../src/errors.ts';
import { createVesselDirectory } from '../../src/grammar/vessel-directory.ts';
import { hasValidCheckDigit, type Imo, isImo } from '../../src/reference/codes.ts';
import { fold } from '../../src/reference/nearest.ts';
import { parseLine } from '../support/registry.ts';

/** Names that contain other names, or words of a question, a port, a period or the grammar. */
const names = [
  ...['EVER GIVEN', 'EVER GIVENS', 'EVER', 'MSC', 'MSC DIANA', 'DIANA', 'MSC ETA', 'ETA', 'HOPE', 'HOPE NOW'],
  ...['THE HOPE', 'MV HOPE', 'TODAY', 'TOMORROW', 'NOW', 'PLEASE', 'GOING', 'DUE', 'IT', 'SHE'],
  ...[
    'THE SHIP',
    'ROTTERDAM',
    'SINGAPORE',
    'AT LAST',
    'DAWN AT SEA',
    'DAWN',
    'SEA',
    'ROMEO AND JULIET',
    'ROMEO',
  ],
  ...['JULIET', 'NORTH', 'FLEET NORTH', 'LIST', 'WATCHED', 'HISTORY', 'NEXT PORT', 'FRIDAY'],
];
const imos = Array.from({ length: 200_000 }, (_, index) => 9_300_000 + index)
  .filter(isImo)
  .filter(hasValidCheckDigit);
const fleet = names.map((name, index) => ({ name, imo: imos[index * 37] as Imo }));
const byName = Map.groupBy(fleet, ({ name }) => fold(name).replaceAll(' ', ''));
const vessels = createVesselDirectory(fleet);

const aName = fc.constantFrom(...names);
const aVessel = fc.oneof(
  { weight: 4, arbitrary: aName },
  fc.constantFrom(...fleet.map(({ imo }) => String(imo))),
  aName.map((name) => name.toLowerCase()),
  // Almost the name of a vessel.
  fc
    .tuple(aName, fc.constantFrom('S', ' II', ' OF', 'X'))
    .map(([name, more]) => `${name}${more}`),
  fc.tuple(aName, aName).map(([one, other]) => `${one} ${other}`),
  fc.tuple(aName, fc.constantFrom(...fleet)).map(([name, { imo }]) => `${name} (${imo})`),
);
const questions = [
  ...[
    'where is {}',
    'where is {} going',
    "where's {} now",
    'where will {} call next',
    'tell me where {} is please',
  ],
  ...['when is {} due', 'when does {} arrive', 'eta {}', 'eta of {}', "{}'s eta", "what is {}'s next port"],
  ...['when does {} get to Rotterdam', 'is {} still going to Singapore', 'when is {} due in Rotterdam', '{}'],
  ...['where are {} and {}', 'where is {}, {}', 'hi landfall, where is {} today', '{} at Rotterdam', 'at {}'],
  ...['is {} late', 'has {} arrived yet', 'has {} arrived at Rotterdam', 'any update on {}', '{} status'],
  ...[
    '{} Rotterdam',
    'eta for {} Rotterdam',
    '{} arrival',
    'how is {} doing',
    'hi, is {} late for Rotterdam? thx',
  ],
  ...['who is coming to {}', 'what changed {}', 'how late is {} from Singapore to Xiamen', '{} history'],
];
const aQuestion = fc.constantFrom(...questions);
const aWord = fc.constantFrom(
  ...names.flatMap((name) => name.split(' ')),
  ...'where is it she when does will get to at in the of and , now today going arrive who coming next port'.split(
    ' ',
  ),
  ...'watched history compare page 2 fleet list : please Rotterdam Singapore tomorrow imo eta'.split(' '),
);
const texts = fc.oneof(
  fc
    .tuple(aQuestion, fc.array(aVessel, { minLength: 2, maxLength: 2 }))
    .map(([question, [one = '', other = '']]) => question.replace('{}', one).replace('{}', other)),
  fc.array(aWord, { minLength: 1, maxLength: 9 }).map((words) => words.join(' ')),
);

interface Found {
  from: number;
  to: number;
  imo: Imo;
}

/** Every place where the text has the whole name of a vessel, in any case and spacing. */
function namesIn(text: string): Found[] {
  const words = fold(text).split(' ');
  return words.flatMap((_, from) =>
    words.slice(from).flatMap((__, length) => {
      const to = from + length + 1;
      const named = byName.get(words.slice(from, to).join('')) ?? [];
      return named.map(({ imo }) => ({ from, to, imo }));
    }),
  );
}

/** The vessels that a text names, without those whose name is part of a longer name there. */
const namedIn = (text: string): Set<Imo> =>
  // EVER GIVEN's ETA isn't that of EVER GIVENS.
  new Set([text, text.replaceAll("'s", ' of')].flatMap(vesselsNamed));

function vesselsNamed(text: string): Imo[] {
  const found = namesIn(text);
  const isPart = ({ from, to }: Found) =>
    found.some((other) => other.from <= from && to <= other.to && other.to - other.from > to - from);
  const digits = (text.match(/\d{7}/g) ?? []).map(Number).filter(isImo);
  return [...found.filter((one) => !isPart(one)).map(({ imo }) => imo), ...digits];
}

const parsedAs = (text: string, threadVessels: readonly Imo[]) => {
  try {
    return parseLine(text, { vessels, threadVessels, isTyped: true });
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
};

const vesselsOf = (line: string): Imo[] =>
  line.startsWith('nextport ') ? (line.match(/\d{7}/g) ?? []).map(Number).filter(isImo) : [];

test('no words reach a vessel whose whole name or number was not typed, but for that of the thread', () => {
  const [subject] = fleet.filter(({ name }) => name === 'DAWN').map(({ imo }) => imo);
  let answered = 0;
  fc.assert(
    fc.property(texts, (text) => {
      const named = namedIn(text);
      for (const inThread of [[], subject === undefined ? [] : [subject]]) {
        const { line = '', corrections = [] } = parsedAs(text, inThread) ?? {};
        const corrected = corrections.map(({ meant }) => meant);
        for (const imo of vesselsOf(line)) {
          answered += 1;
          const isNamed = named.has(imo) || inThread.includes(imo);
          const isSaid = isNamed || corrected.includes(vessels.nameOf(imo) ?? '');
          expect([text, line, isSaid]).toEqual([text, line, true]);
        }
      }
    }),
    { numRuns: 2000 },
  );
  expect(answered).toBeGreaterThan(400);
});

test('a question about one vessel is about that vessel, or asks back', () => {
  let answered = 0;
  for (const question of questions.filter((text) => text.split('{}').length === 2))
    for (const { name, imo } of fleet) {
      // `eta history` is the history of a vessel called ETA.
      if (name === 'HISTORY') continue;
      // `the ship Rotterdam` is the vessel of that name.
      if (name === 'THE SHIP' && /\{\} Rotterdam$/.test(question)) continue;
      const text = question.replace('{}', name);
      const about = vesselsOf(parsedAs(text, [])?.line ?? '');
      if (about.length === 0) continue;
      answered += 1;
      // The whole text may be a name: `eta` and MSC.
      const whole = vessels.named(text).map((vessel) => vessel.imo);
      expect([text, about]).toEqual([text, whole.length > 0 ? whole : [imo]]);
    }
  expect(answered).toBeGreaterThan(400);
});
