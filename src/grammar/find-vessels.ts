import { fold } from '../reference/fold.ts';
import { hasValidCheckDigit, type Imo, isImo } from '../reference/imo.ts';
import { unescapeSlack } from './clean.ts';
import type { NamedVessel, VesselDirectory } from './vessel-directory.ts';

/** A word of two letters is rarely a vessel. */
const minNameLength = 3;

/**
 * The vessels that a text mentions, each once: first numbers of seven digits with a valid check digit, also in
 * links and code, then names from the directory, as whole words. Where one name contains another, the longer counts.
 */
export function findVessels(text: string, vessels: VesselDirectory): Imo[] {
  return [...new Set([...numbersIn(text), ...namesIn(unescapeSlack(text), vessels)])];
}

function numbersIn(text: string): Imo[] {
  const found = text.matchAll(/(?<![\p{L}\p{N}])(?:imo[\s:#.-]*)?(\d{7})(?![\p{L}\p{N}])/giu);
  return [...found]
    .map(([, digits]) => Number(digits))
    .filter(isImo)
    .filter(hasValidCheckDigit);
}

function namesIn(text: string, vessels: VesselDirectory): Imo[] {
  const known = Map.groupBy(vessels.all(), ({ name }) => tight(wordsOf(name)));
  const maxWords = Math.max(0, ...vessels.all().map(({ name }) => wordsOf(name).length));
  const words = wordsOf(text);
  const found: NamedVessel[] = [];
  for (let from = 0; from < words.length; ) {
    const match = nameAt(words, from, { known, maxWords });
    found.push(...(match?.vessels ?? []));
    from += match?.length ?? 1;
  }
  return found.map(({ imo }) => imo);
}

function nameAt(
  words: readonly string[],
  from: number,
  { known, maxWords }: { known: ReadonlyMap<string, readonly NamedVessel[]>; maxWords: number },
) {
  for (let length = Math.min(maxWords, words.length - from); length > 0; length -= 1) {
    const name = tight(words.slice(from, from + length));
    const vessels = name.length < minNameLength ? undefined : known.get(name);
    if (vessels) return { vessels, length };
  }
  return undefined;
}

const wordsOf = (text: string): string[] => fold(text).split(' ').filter(Boolean);

/** As the directory compares names. */
const tight = (words: readonly string[]): string => words.join('');
