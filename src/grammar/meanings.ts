import { usualWords, weights } from '../reference/meanings.data.ts';
import { stemsOf } from '../reference/plain-words.ts';
import type { Mentions } from './mentions.ts';

/** Of a text that nothing here answers. */
export const noMeaning = 'none';

/** What people mean with a text, by the name of a `Meaning`, or `noMeaning`. */
export interface Likelihood {
  meaning: string;
  /** From 0 to 1; of all meanings, 1. */
  share: number;
}

/**
 * What a text may mean, the likeliest first, by its words and by what it names: a logistic regression over the lines of
 * test/corpus/days/. It orders what is offered, and makes a reading that it finds unlikely be asked about.
 */
export function rankMeanings(mentions: Mentions): Likelihood[] {
  const sums = new Map<string, number>();
  for (const feature of featuresOf(mentions))
    for (const [meaning, weight] of table().get(feature) ?? [])
      sums.set(meaning, (sums.get(meaning) ?? 0) + weight);
  const powers = [...sums].map(([meaning, sum]) => ({ meaning, power: Math.exp(sum) }));
  const all = powers.reduce((sum, { power }) => sum + power, 0);
  return powers
    .map(({ meaning, power }) => ({ meaning, share: power / all }))
    .sort((one, other) => other.share - one.share);
}

/** The stems of the words that name nothing, and how much is named of each kind. */
export function featuresOf({ rest, ...named }: Mentions): readonly string[] {
  const words = rest
    .split(' ')
    .filter(Boolean)
    .map((word) => (/^\d+$/.test(word) ? '#' : stemOf(word)));
  const counted = countedKinds.map((kind) => `=${kind} ${Math.min(named[kind].length, 2)}`);
  const given = givenKinds.filter((kind) => named[kind] !== undefined).map((kind) => `=${kind}`);
  return [
    ...new Set([
      ...words,
      ...counted,
      ...given,
      ...named.groups.map(({ kind }) => `=${kind}`),
      `=shape ${shapeKinds.map((kind) => Math.min(named[kind].length, 2)).join('')}`,
      `=topic ${named.topic}`,
      `=first ${words[0] ?? ''}`,
      `=command ${named.command ?? ''}`,
      named.text.trimEnd().endsWith('?') ? '=asked' : '=said',
    ]),
  ];
}

/** The words that nobody has written around what has this meaning: they may say something else. */
export function unusualWords({ rest }: Pick<Mentions, 'rest'>, meaning: string): string[] {
  const usual = wordsByMeaning().get(meaning);
  return usual ? wordsIn(rest).filter((word) => !usual.has(stemOf(word))) : [];
}

/** Without figures and single letters. */
export const wordsIn = (rest: string): string[] =>
  rest.split(' ').filter((word) => /^\p{L}{2,}$/u.test(word));

let byMeaning: ReadonlyMap<string, ReadonlySet<string>> | undefined;

const wordsByMeaning = (): ReadonlyMap<string, ReadonlySet<string>> => {
  byMeaning ??= new Map(
    usualWords
      .trim()
      .split('\n')
      .map((line) => {
        const [meaning = '', words = ''] = line.split('\t');
        return [meaning, new Set(words.split(' '))];
      }),
  );
  return byMeaning;
};

const countedKinds = ['vessels', 'ports', 'carriers', 'routes', 'periods', 'codes', 'references'] as const;
const shapeKinds = ['vessels', 'groups', 'ports', 'codes', 'references'] as const;
const givenKinds = ['promise', 'date', 'versus', 'minimum'] as const;

export const stemOf = (word: string): string =>
  word.length <= 3
    ? word
    : stemsOf(word)
        .reduce((best, stem) => (stem.length < best.length && stem.length >= 3 ? stem : best))
        .replace(/e$/, '');

type Table = ReadonlyMap<string, readonly (readonly [meaning: string, weight: number])[]>;

let parsed: Table | undefined;

/** Parsed when it is first needed. */
const table = (): Table => {
  parsed ??= new Map(
    weights
      .trim()
      .split('\n')
      .map((line) => {
        const [feature = '', ...entries] = line.split('\t');
        return [
          feature,
          entries.map((entry) => {
            const at = entry.lastIndexOf(' ');
            return [entry.slice(0, at), Number(entry.slice(at + 1)) / 10] as const;
          }),
        ];
      }),
  );
  return parsed;
};
