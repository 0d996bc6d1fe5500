import { fold } from '../reference/fold.ts';
import { nearest } from '../reference/nearest.ts';
import type { NamedVessel, VesselDirectory } from './vessel-directory.ts';

/** In texts: a word of two letters is rarely a vessel. */
const minNameLength = 3;

/** A directory of a fixed list. Names are shown in capitals; of several names of one IMO number the last is used. */
export function createVesselDirectory(entries: readonly NamedVessel[]): VesselDirectory {
  return directoryOf(lastNames(entries));
}

const lastNames = (entries: readonly NamedVessel[]): Listed[] => [
  ...new Map(entries.map((entry) => [entry.imo, listed(entry)])).values(),
];

/** A vessel with its name as it is compared. */
interface Listed {
  value: NamedVessel;
  key: string;
  words: number;
}

function listed({ imo, name }: NamedVessel): Listed {
  const value = { imo, name: name.toUpperCase() };
  const words = wordsOf(name);
  return { value, key: words.join(''), words: words.length };
}

function directoryOf(names: Listed[]): VesselDirectory {
  names.sort(
    ({ value: one }, { value: other }) => one.name.localeCompare(other.name, 'en') || one.imo - other.imo,
  );
  const vessels = names.map(({ value }) => value);
  const byImo = new Map(vessels.map((vessel) => [vessel.imo, vessel]));
  const byKey = new Map<string, NamedVessel[]>();
  for (const { key, value } of names) {
    const same = byKey.get(key);
    if (same) same.push(value);
    else if (key !== '') byKey.set(key, [value]);
  }
  const named = (key: string): readonly NamedVessel[] => byKey.get(key) ?? [];
  const maxWords = names.reduce((most, { words }) => Math.max(most, words), 0);
  const maxLength = names.reduce((most, { key }) => Math.max(most, key.length), 0);

  /** How many words from there on are a name, and its key; the longest one wins. */
  function nameAt(words: readonly string[], from: number) {
    let found = { key: '', length: 1 };
    let key = '';
    for (const [index, word] of words.slice(from, from + maxWords).entries()) {
      key += word;
      if (key.length > maxLength) break;
      if (key.length >= minNameLength && byKey.has(key)) found = { key, length: index + 1 };
    }
    return found;
  }

  return {
    nameOf: (imo) => byImo.get(imo)?.name,
    named: (name) => named(wordsOf(name).join('')),
    nearest: (name) => nearest(wordsOf(name).join(''), names, 3),
    namesIn(text) {
      const words = wordsOf(text);
      const found: NamedVessel[] = [];
      for (let from = 0; from < words.length; ) {
        const { key, length } = nameAt(words, from);
        found.push(...named(key));
        from += length;
      }
      return found;
    },
    all: () => vessels,
    changed({ named, forgotten }) {
      const imos = new Set([...forgotten, ...named.map(({ imo }) => imo)]);
      return directoryOf([...names.filter(({ value }) => !imos.has(value.imo)), ...lastNames(named)]);
    },
  };
}

const wordsOf = (text: string): string[] => fold(text).split(' ').filter(Boolean);
