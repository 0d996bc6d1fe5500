// `node bench/names.ts`: the processor time of questions about vessel names, in a workspace with the maximum number
// of names. Arguments: another number of names, and the number of rounds.
import { commands } from '../src/features/index.ts';
import { createParseLine } from '../src/features/parse-line.ts';
import { maxNames } from '../src/features/vessels/vessel-names.ts';
import { findVessels } from '../src/grammar/vessel.ts';
import {
  createVesselDirectory,
  type NamedVessel,
  type VesselDirectory,
} from '../src/grammar/vessel-directory.ts';
import type { Imo } from '../src/reference/codes.ts';
import { median, percentile } from './statistics.ts';

const parseLine = createParseLine(commands);

const count = Number(process.argv[2] ?? maxNames);
const rounds = Number(process.argv[3] ?? 60);

const first = 'EVER MSC CMA MAERSK COSCO HYUNDAI OOCL ONE NORDIC ATLANTIC PACIFIC STOLT BOW CAP SPIRIT'.split(
  ' ',
);
const second =
  'GIVEN DIANA GULSUN STAR PIONEER HARMONY FORTUNE EXPRESS TRADER GLORY ANGEL BREEZE CYPRESS'.split(' ');
const third = 'ALPHA BRAVO CHARLIE DELTA ECHO HOTEL INDIA LIMA MIKE OSCAR PAPA QUEBEC ROMEO SIERRA'.split(
  ' ',
);
const pick = (words: readonly string[], index: number): string => words[index % words.length] ?? '';

const nameSets: Record<string, (index: number) => string> = {
  'like real names': (index) =>
    [
      pick(first, index),
      pick(second, Math.floor(index / 15)),
      pick(third, Math.floor(index / 195)),
      letters(index),
    ]
      .join(' ')
      .trim(),
  'all begin alike': (index) => `NORTHERN TRADER ${String(index).padStart(5, '0')}`,
  '60 characters, all begin alike': (index) =>
    `NORTHERN TRADER OF THE SEVEN SEAS AND ALL THE STRAITS ${String(index).padStart(6, '0')}`,
  '60 characters, all alike': (index) =>
    `${letters(index).padEnd(2, 'A')} ${'NORTHERN TRADER OF THE SEVEN SEAS AND OF ALL THE STRAITS '.slice(0, 54)}${letters(index * 7).padStart(3, 'A')}`,
};

/** An empty text for 0, then A to ZZZ. */
function letters(index: number): string {
  return index === 0 ? '' : letters(Math.floor(index / 26)) + String.fromCharCode(65 + (index % 26));
}

/** What is typed, derived from a known name. */
const typedTexts: Record<string, (name: string, index: number) => string> = {
  exact: (name) => name.toLowerCase(),
  'its beginning': (name, index) => name.slice(0, 3 + (index % 8)),
  'a fragment': (name) => name.slice(4, 14),
  'misspelt at the end': (name) => `${name.slice(0, -2)}#${name.at(-1)}x`,
  'misspelt at both ends': (name) => `${swapped(name)}Q`,
  'three faults': (name) => `Q${swapped(name).slice(2, 9)}${name.slice(10)}J`,
  unknown: (_, index) => pick(['WHO KNOWS', 'ZZYZX QWOP', 'THE FLYING DUTCHMAN'], index),
  'unknown, 60 characters': (name) =>
    `${name.slice(3)} ${'NORTHERN TRADER OF THE EIGHT SEAS '.repeat(3)}`.slice(0, 60),
  'a wrong digit': (_, index) => String(1_000_003 + index * 11),
};

const swapped = (name: string): string => `${name[1]}${name[0]}${name.slice(2)}`;

const figures: string[][] = [];
for (const [set, nameOf] of Object.entries(nameSets)) {
  const names = Array.from({ length: count }, (_, index) => ({
    imo: (9_000_000 + index) as Imo,
    name: nameOf(index),
  }))
    // The store returns them sorted.
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  measure([set, '(all names are loaded)'], 10, () => void createVesselDirectory(names));
  const vessels = createVesselDirectory(names);
  measure([set, '(one vessel is named)'], rounds, (round) => {
    const named = [{ imo: (9_000_000 + round) as Imo, name: nameOf(round + count) }];
    vessels.withChanges({ named, forgotten: [] });
  });
  for (const [kind, typed] of Object.entries(typedTexts)) {
    measure([set, kind], rounds, (round) => ask(typed(nameAt(names, round * 331), round), vessels));
  }
  const message = (round: number) =>
    Array.from({ length: 2000 }, (_, index) => `and ${nameAt(names, round + index * 7)}`)
      .join(' ')
      .slice(0, 40_000);
  measure(
    [set, '(a message of 40,000 characters)'],
    10,
    (round) => void findVessels(message(round), vessels),
  );
}
process.stdout.write(
  [
    `Processor time of a question about a vessel's name, with ${count.toLocaleString('en')} names, in milliseconds:`,
    '',
    '| names | what is typed | median | max |',
    '|---|---|---:|---:|',
    ...figures.map((row) => `| ${row.join(' | ')} |`),
    '',
  ].join('\n'),
);

function nameAt(names: readonly NamedVessel[], index: number): string {
  return names[index % names.length]?.name ?? '';
}

/** An unknown name is answered with an error that suggests the nearest names. */
function ask(typed: string, vessels: VesselDirectory): void {
  try {
    parseLine(`nextport ${typed}`, { vessels });
  } catch {
    // The error is the answer.
  }
}

function measure([set, kind]: [string, string], times: number, work: (round: number) => void): void {
  for (let warmUp = 0; warmUp < 3; warmUp += 1) work(warmUp + 1_000);
  const processorMs = Array.from({ length: times }, (_, round) => {
    const before = process.cpuUsage();
    work(round);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  figures.push([set, kind, median(processorMs).toFixed(1), percentile(processorMs, 1).toFixed(1)]);
}
