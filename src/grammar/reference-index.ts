import type { Imo } from '../reference/imo.ts';

/** The references of each vessel, the newest first. */
export type References = ReadonlyMap<Imo, readonly string[]>;

export interface ReferenceOf {
  imo: Imo;
  /** As it was typed when it was added. */
  reference: string;
}

export type ReferenceIndex = ReturnType<typeof createReferenceIndex>;

/** Finds vessels by their references, whatever the case, spaces and dashes. */
export function createReferenceIndex(references: References) {
  const all = [...references].flatMap(([imo, texts]) => texts.map((reference) => ({ imo, reference })));
  const byKey = Map.groupBy(all, ({ reference }) => referenceKey(reference));
  const byRun = Map.groupBy(
    all.flatMap((entry) => runsOf(entry.reference).map((run) => ({ entry, run: referenceKey(run) }))),
    ({ run }) => run,
  );
  return {
    vessels: (): Imo[] => [...references.keys()].sort((one, other) => one - other),
    of: (imo: Imo): readonly string[] => references.get(imo) ?? [],
    /** The vessels with that reference, also written `booking BK123`. */
    find(text: string): readonly ReferenceOf[] {
      const exact = byKey.get(referenceKey(text));
      return exact ?? byKey.get(referenceKey(text.replace(leadingWords, ''))) ?? [];
    },
    /** The references that contain these words, and more. */
    containing: (text: string): readonly ReferenceOf[] =>
      (byRun.get(referenceKey(text)) ?? []).map(({ entry }) => entry),
  };
}

const leadingWords = /^(?:our |my |the )?(?:ref(?:erence)?|booking|b\/?l)(?: (?:no|number)\.?)?[\s:#]+/i;

/** The same for spellings of a reference that differ only in case, spaces or dashes. */
export const referenceKey = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[\s\p{Pd}]+/gu, '')
    .toUpperCase();

/** The runs of whole words in a text, without the text itself. */
export function runsOf(text: string): string[] {
  const words = text.split(/\s+/).filter(Boolean);
  return words.flatMap((_, from) =>
    words.slice(from).flatMap((_, length) => {
      const run = words.slice(from, from + length + 1);
      return run.length < words.length ? [run.join(' ')] : [];
    }),
  );
}
