import type { Imo } from '../reference/imo.ts';

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
  /** A copy in which these vessels have these references; those with an empty list have none. */
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
      const found = withKey(text) ?? withKey(text.replace(leadingWords, '')) ?? [];
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

const leadingWords = /^(?:our |my |the )?(?:ref(?:erence)?|booking|b\/?l)(?: (?:no|number)\.?)?[\s:#]+/i;

/** The same for spellings of a reference that differ only in case, spaces or dashes. */
export const referenceKey = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[\s\p{Pd}]+/gu, '')
    .toUpperCase();

const wordsOf = (text: string): string[] => text.split(/\s+/).filter(Boolean);

/** Whether some of the words, without those between them, have this key. */
function hasRun(reference: string, wanted: string): boolean {
  const words = wordsOf(reference).map(referenceKey);
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
  const words = wordsOf(text);
  return words.flatMap((_, from) =>
    words.slice(from).flatMap((_, length) => {
      const run = words.slice(from, from + length + 1);
      return run.length < words.length ? [run.join(' ')] : [];
    }),
  );
}
