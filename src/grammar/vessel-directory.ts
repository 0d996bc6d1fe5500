import { hasValidCheckDigit, type Imo, isImo, type Locode } from '../reference/codes.ts';
import { editDistance, fold, isMisspelt, nearest } from '../reference/nearest.ts';
import { portOf } from '../reference/ports.ts';
import type { PortGroups } from './line.ts';
import { quote } from './line.ts';
import { readPort } from './port.ts';

export interface NamedVessel {
  imo: Imo;
  /** In capitals: `DS CYPRESS`. */
  name: string;
}

/**
 * What the workspace has named: vessels, with their references, and groups of ports. The service itself knows only IMO
 * numbers and UN/LOCODEs.
 */
export interface VesselDirectory extends PortGroups {
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
  /** At most five vessels with similar names, best first; then those whose names contain these words, perhaps misspelt. */
  nearest(name: string): readonly NamedVessel[];
  /** The vessels that a text names in whole words, in its order. If a name is part of a longer name, only the longer. */
  vesselsIn(text: string): readonly NamedVessel[];
  all(): readonly NamedVessel[];
  /** The names of the workspace's fleets. */
  fleets: readonly string[];
  /** Those that `it` or `them` means: the vessels of the line's thread. */
  ofThread: readonly Imo[];
  /**
   * A copy with some names changed, and the references of some vessels replaced. A vessel in both lists of names is named.
   */
  withChanges(changes: {
    named?: readonly NamedVessel[];
    forgotten?: readonly Imo[];
    references?: References;
    portGroups?: GroupedPorts;
  }): VesselDirectory;
}

/** The ports of each group, by its name in capitals. */
export type GroupedPorts = ReadonlyMap<string, readonly Locode[]>;

type NameLookups = Pick<VesselDirectory, 'nameOf' | 'named' | 'nearest' | 'vesselsIn' | 'all'>;

/** Names are shown in capitals; if a vessel has several names, the last counts. */
export const createVesselDirectory = (
  entries: readonly NamedVessel[],
  references: References = new Map(),
  portGroups: GroupedPorts = new Map(),
  fleets: readonly string[] = [],
): VesselDirectory =>
  directoryOf(createNameIndex(withKeys(entries)), createReferenceIndex(references), { portGroups, fleets });

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
const directoryOf = (
  nameIndex: NameIndex,
  index: ReferenceIndex,
  { portGroups: groupedPorts, fleets }: { portGroups: GroupedPorts; fleets: readonly string[] },
): VesselDirectory => ({
  ...nameIndex.lookups,
  referencesOf: index.of,
  withReferences: index.vessels,
  referenced: index.find,
  referencesWith: index.containing,
  portGroups: () => [...groupedPorts.keys()].sort(),
  portsOf: (name) => groupedPorts.get(name.toUpperCase()),
  fleets,
  ofThread: [],
  withChanges({ named = [], forgotten = [], references, portGroups = groupedPorts }) {
    const imos = new Set([...forgotten, ...named.map(({ imo }) => imo)]);
    const unchanged = nameIndex.names.filter(({ value }) => !imos.has(value.imo));
    return directoryOf(
      imos.size > 0 ? createNameIndex([...unchanged, ...withKeys(named)]) : nameIndex,
      references ? index.withChanges(references) : index,
      { portGroups, fleets },
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

  /** The vessels with a word in their names that this folded word misspells: `esex` is in `MAERSK ESSEX`. */
  function withMisspelt(typed: string): NamedVessel[] {
    // These are only offered.
    const isMeant = (word: string) =>
      word[0] === typed[0] &&
      word.length >= 4 &&
      (isMisspelt(typed, word) || (word.length >= 6 && editDistance(typed, word, 2) <= 2));
    const found = names.values().filter(({ spaced }) => spaced.split(' ').some(isMeant));
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
      const [word = '', ...others] = words;
      const misspelt = others.length === 0 && word.length >= 4 ? withMisspelt(word) : [];
      return [...new Set([...similar, ...containing, ...misspelt])].slice(0, maxNear);
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

/** The references of each vessel, the newest first. */
export type References = ReadonlyMap<Imo, readonly string[]>;

export interface ReferenceOf {
  imo: Imo;
  /** As it was typed when it was added. */
  reference: string;
}

/** Finds vessels by their references, whatever the case, spaces and dashes. */
export interface ReferenceIndex {
  vessels(): Imo[];
  of(imo: Imo): readonly string[];
  /** The vessels with that reference, also written `booking BK123`, by IMO number. */
  find(text: string): readonly ReferenceOf[];
  /** The references that contain these words, and more. Reads all references. */
  containing(text: string): readonly ReferenceOf[];
  /** A copy with the references of these vessels replaced; those with an empty list have none. */
  withChanges(changes: References): ReferenceIndex;
}

export const createReferenceIndex = (references: References): ReferenceIndex =>
  indexOf(new Map(), new Map(), references);

type ByKey = ReadonlyMap<string, readonly ReferenceOf[]>;

/** Copies the maps, but makes new entries only for what changes. */
function indexOf(oldByImo: References, oldByKey: ByKey, changes: References): ReferenceIndex {
  const byImo = new Map(oldByImo);
  const byKey = new Map(oldByKey);
  const copied = new Map<string, ReferenceOf[]>();
  const listOf = (key: string): ReferenceOf[] => {
    const list = copied.get(key) ?? [...(byKey.get(key) ?? [])];
    copied.set(key, list);
    byKey.set(key, list);
    return list;
  };
  for (const [imo, references] of changes) {
    for (const key of (byImo.get(imo) ?? []).map(referenceKey)) {
      const list = listOf(key);
      const index = list.findIndex((entry) => entry.imo === imo);
      if (index >= 0) list.splice(index, 1);
      if (list.length > 0) continue;
      byKey.delete(key);
      copied.delete(key);
    }
    for (const reference of references) listOf(referenceKey(reference)).push({ imo, reference });
    if (references.length > 0) byImo.set(imo, references);
    else byImo.delete(imo);
  }
  return lookups(byImo, byKey);
}

function lookups(byImo: References, byKey: ByKey): ReferenceIndex {
  const withKey = (text: string) => byKey.get(referenceKey(text));
  return {
    vessels: () => [...byImo.keys()].sort((one, other) => one - other),
    of: (imo) => byImo.get(imo) ?? [],
    find(text) {
      const found = withKey(text) ?? withKey(text.replace(referenceWords, '')) ?? [];
      return found.length > 1 ? found.toSorted((one, other) => one.imo - other.imo) : found;
    },
    containing(text) {
      const wanted = referenceKey(text);
      const found: ReferenceOf[] = [];
      if (wanted === '') return found;
      for (const [key, entries] of byKey) {
        if (key.length > wanted.length && key.includes(wanted))
          found.push(...entries.filter(({ reference }) => hasRun(reference, wanted)));
      }
      return found;
    },
    withChanges: (changes) => indexOf(byImo, byKey, changes),
  };
}

/** `booking no. BK123`: the words before a reference. */
export const referenceWords =
  /^(?:our |my |the )?(?:ref(?:erence)?|booking|b\/?l)(?: (?:no|number)\.?)?[\s:#]+/i;

/** The same for spellings of a reference that differ only in case, spaces or dashes. */
export const referenceKey = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[\s\p{Pd}]+/gu, '')
    .toUpperCase();

const typedWords = (text: string): string[] => text.split(/\s+/).filter(Boolean);

/** Whether some of the words, without those between them, have this key. */
function hasRun(reference: string, wanted: string): boolean {
  const words = typedWords(reference).map(referenceKey);
  return words.some((_, from) => {
    let run = '';
    for (const word of words.slice(from)) {
      run += word;
      if (run.length >= wanted.length) break;
    }
    return run === wanted;
  });
}

/** The runs of whole words in a text, without the text itself. */
export function runsOf(text: string): string[] {
  const words = typedWords(text);
  return words.flatMap((_, from) =>
    words.slice(from).flatMap((_, length) => {
      const run = words.slice(from, from + length + 1);
      return run.length < words.length ? [run.join(' ')] : [];
    }),
  );
}

/** Of one vessel. */
export const maxReferences = 20;
const maxReferenceLength = 40;
const minReferenceLength = 3;

/** `BK123, MEDU 4711; ACME` → the references as typed, without duplicates. */
export function splitReferences(text: string): string[] {
  const pieces = text.split(/[,;]/).map((piece) => piece.trim().replace(/\s+/g, ' '));
  const byKey = new Map<string, string>();
  for (const piece of pieces)
    if (piece !== '' && !byKey.has(referenceKey(piece))) byKey.set(referenceKey(piece), piece);
  return [...byKey.values()];
}

/** Words that mean something else where a vessel or a port is typed alone. */
export const commandWords: ReadonlySet<string> = new Set(
  'ALL WATCHED LIST STOP SNOOZE WAKE RESUME CHANGES HELP COMPARE HISTORY MAP ACKNOWLEDGE ACK STATUS SETTINGS AUDIT ACCOUNT'.split(
    ' ',
  ),
);

/**
 * Why a text can't be a reference of this vessel, as a clause after the text; undefined for a good one. A reference must
 * never be read as another vessel, a port or a word of a command.
 */
export const referenceFault = (text: string, imo: Imo, vessels: VesselDirectory): string | undefined =>
  meaningFault(text, imo, vessels) ?? overlapFault(text, imo, vessels);

/** The faults that other references have no part in. */
export function meaningFault(
  text: string,
  imo: Imo,
  vessels: Pick<VesselDirectory, 'named' | 'vesselsIn'>,
): string | undefined {
  const key = referenceKey(text);
  const words = text.toUpperCase().split(/[\s\p{Pd}]+/u);
  if (text.length > maxReferenceLength) return `has more than ${maxReferenceLength} characters`;
  if (!/^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}\s\p{Pd}./]*[\p{L}\p{M}\p{N}])?$/u.test(text))
    return `may have only letters, figures, spaces and - / . between them${text.includes('&') ? ' (write “and” for “&”)' : ''}`;
  if (key.length < minReferenceLength)
    return `is too short: a reference has at least ${minReferenceLength} letters or figures`;
  if (/^(?:IMO)?\d{7}$/.test(key) || /\bIMO[\s\p{Pd}]*\d/iu.test(text)) return 'looks like an IMO number';
  const number = words.find(
    (word) => /^\d{7}$/.test(word) && isImo(Number(word)) && hasValidCheckDigit(Number(word) as Imo),
  );
  if (number !== undefined) return `contains the IMO number ${number}`;
  if (isKnownPort(text) || isKnownPort(key)) return 'is the name or the UN/LOCODE of a port';
  if (/^(?:(?:ship)?list|fleet|port)\b/i.test(text)) return 'looks like a list, a fleet or a port';
  if (commandWords.has(key) || /^(?:PUBLIC|PRIVATE)$/.test(words.at(-1) ?? ''))
    return 'is a word of a command';
  const [named] = vessels.named(text);
  if (named) return `is the name of a vessel (IMO ${named.imo})`;
  const inside = vessels.vesselsIn(text).find((vessel) => vessel.imo !== imo);
  return inside && `contains the name ${inside.name}, which is another vessel (IMO ${inside.imo})`;
}

/** A code that no known port has may be a customer's name or a booking: SMITH, BK234. */
function isKnownPort(text: string): boolean {
  const read = readPort(text);
  return read.kind === 'several' || (read.kind === 'one' && portOf(read.port) !== undefined);
}

/** `BK1 MAP` beside the `BK1` of another vessel: `nextport BK1 map` would be about that one. */
export function overlapFault(
  text: string,
  imo: Imo,
  vessels: Pick<VesselDirectory, 'referenced' | 'referencesWith'>,
): string | undefined {
  const shorter = runsOf(text).find((run) => vessels.referenced(run).some((vessel) => vessel.imo !== imo));
  if (shorter !== undefined) return `contains ${quote(shorter)}, a reference of another vessel`;
  const longer = vessels.referencesWith(text).find((vessel) => vessel.imo !== imo);
  return longer && `is part of ${quote(longer.reference)}, a reference of another vessel (IMO ${longer.imo})`;
}
