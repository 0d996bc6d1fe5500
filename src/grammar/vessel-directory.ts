import { fold } from '../reference/fold.ts';
import type { Imo } from '../reference/imo.ts';
import { nearest } from '../reference/nearest.ts';
import {
  createReferenceIndex,
  type ReferenceIndex,
  type ReferenceOf,
  type References,
} from './reference-index.ts';

export interface NamedVessel {
  imo: Imo;
  /** In capitals: `DS CYPRESS`. */
  name: string;
}

/** The vessel names and references of the workspace; the service itself knows only IMO numbers. */
export interface VesselDirectory {
  nameOf(imo: Imo): string | undefined;
  /** As typed: booking, customer and B/L numbers, the newest first. */
  referencesOf(imo: Imo): readonly string[];
  /** The vessels that have references, by IMO number. */
  withReferences(): readonly Imo[];
  /** The vessels with that reference, in any case, with or without spaces and dashes. Names come before references. */
  referenced(text: string): readonly ReferenceOf[];
  /** The longer references that contain this one in whole words. */
  referencesWith(text: string): readonly ReferenceOf[];
  /** All vessels of exactly that name, in any case and spacing: two vessels may have the same name. */
  named(name: string): readonly NamedVessel[];
  /** At most five vessels with similar names, best first; then those whose names contain these words. */
  nearest(name: string): readonly NamedVessel[];
  /** The vessels that a text names in whole words, in its order. If a name is part of a longer name, only the longer. */
  vesselsIn(text: string): readonly NamedVessel[];
  all(): readonly NamedVessel[];
  /** Those that `it` or `them` means: of the thread in which the line was typed. */
  ofThread: readonly Imo[];
  /**
   * A copy with some names changed, and the references of some vessels replaced. A vessel in both lists of names is named.
   */
  withChanges(changes: {
    named?: readonly NamedVessel[];
    forgotten?: readonly Imo[];
    references?: References;
  }): VesselDirectory;
}

type NameLookups = Pick<VesselDirectory, 'nameOf' | 'named' | 'nearest' | 'vesselsIn' | 'all'>;

/** Names are shown in capitals; if a vessel has several names, the last counts. */
export const createVesselDirectory = (
  entries: readonly NamedVessel[],
  references: References = new Map(),
): VesselDirectory => directoryOf(createNameIndex(withKeys(entries)), createReferenceIndex(references));

/** The names alone: a reference is as unknown as one that nobody has stored. */
export const withoutReferences = (directory: VesselDirectory): VesselDirectory => ({
  ...directory,
  referencesOf: () => [],
  withReferences: () => [],
  referenced: () => [],
  referencesWith: () => [],
  withChanges: (changes) => withoutReferences(directory.withChanges(changes)),
});

interface KeyedVessel {
  value: NamedVessel;
  /** The name as it is compared: folded, without spaces. */
  key: string;
  /** Folded, with a space before and after each word. */
  spaced: string;
  wordCount: number;
}

function withKeys(entries: readonly NamedVessel[]): KeyedVessel[] {
  const lastNames = new Map(entries.map(({ imo, name }) => [imo, name]));
  return [...lastNames].map(([imo, name]) => {
    const words = wordsOf(name);
    return {
      value: { imo, name: name.toUpperCase() },
      key: words.join(''),
      spaced: ` ${words.join(' ')} `,
      wordCount: words.length,
    };
  });
}

const maxNear = 5;

/** In a text, a word of two letters is rarely a vessel. */
const minNameLength = 3;

interface NameIndex {
  names: readonly KeyedVessel[];
  lookups: NameLookups;
}

/** A change of references leaves the names as they are, and the other way round. */
const directoryOf = (nameIndex: NameIndex, index: ReferenceIndex): VesselDirectory => ({
  ...nameIndex.lookups,
  referencesOf: index.of,
  withReferences: index.vessels,
  referenced: index.find,
  referencesWith: index.containing,
  ofThread: [],
  withChanges({ named = [], forgotten = [], references }) {
    const imos = new Set([...forgotten, ...named.map(({ imo }) => imo)]);
    const unchanged = nameIndex.names.filter(({ value }) => !imos.has(value.imo));
    return directoryOf(
      imos.size > 0 ? createNameIndex([...unchanged, ...withKeys(named)]) : nameIndex,
      references ? index.withChanges(references) : index,
    );
  },
});

function createNameIndex(names: KeyedVessel[]): NameIndex {
  names.sort(
    ({ value: one }, { value: other }) => one.name.localeCompare(other.name, 'en') || one.imo - other.imo,
  );
  const vessels = names.map(({ value }) => value);
  const byImo = new Map(vessels.map((vessel) => [vessel.imo, vessel]));
  const byKey = Map.groupBy(names, ({ key }) => key);
  byKey.delete('');
  const withKey = (key: string): readonly NamedVessel[] => (byKey.get(key) ?? []).map(({ value }) => value);
  const maxWords = names.reduce((max, { wordCount }) => Math.max(max, wordCount), 0);
  const maxLength = names.reduce((max, { key }) => Math.max(max, key.length), 0);

  /** The vessels whose names contain these folded words, whole and in this order: `ds` is in `DS CYPRESS`. */
  function withWords(words: string): NamedVessel[] {
    const found = names.values().filter(({ spaced }) => spaced.includes(` ${words} `));
    return [...found.take(maxNear)].map(({ value }) => value);
  }

  /** The longest name that begins at this word: its key, and its length in words. */
  function nameAt(words: readonly string[], from: number) {
    let longest = { key: '', length: 1 };
    let key = '';
    for (const [index, word] of words.slice(from, from + maxWords).entries()) {
      key += word;
      if (key.length > maxLength) break;
      if (key.length >= minNameLength && byKey.has(key)) longest = { key, length: index + 1 };
    }
    return longest;
  }

  const lookups: NameLookups = {
    nameOf: (imo) => byImo.get(imo)?.name,
    named: (name) => withKey(wordsOf(name).join('')),
    nearest(name) {
      const words = wordsOf(name);
      const similar = nearest(words.join(''), names, 3);
      const containing = words.length === 0 ? [] : withWords(words.join(' '));
      return [...new Set([...similar, ...containing])].slice(0, maxNear);
    },
    vesselsIn(text) {
      const words = wordsOf(text);
      const vesselsInText: NamedVessel[] = [];
      for (let from = 0; from < words.length; ) {
        const { key, length } = nameAt(words, from);
        vesselsInText.push(...withKey(key));
        from += length;
      }
      return vesselsInText;
    },
    all: () => vessels,
  };
  return { names, lookups };
}

const wordsOf = (text: string): string[] => fold(text).split(' ').filter(Boolean);

export const maxNameLength = 60;

/** Why a text isn't a valid vessel name, as a short clause; undefined for a valid one. */
export function nameFault(name: string): string | undefined {
  if (name.trim() === '') return 'no name';
  if (name.length > maxNameLength) return `a name has at most ${maxNameLength} characters`;
  if (!/\p{L}/u.test(name)) return 'a name has at least one letter';
  return /^(?:(?:ship)?list|fleet|port)\s*:/i.test(name) || /[\p{Cc}<>,;]/u.test(name)
    ? "a name has no commas, semicolons, angle brackets or line breaks, and doesn't begin with list: or fleet:"
    : undefined;
}
