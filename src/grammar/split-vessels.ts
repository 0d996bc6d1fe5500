import type { VesselDirectory } from './vessel-directory.ts';

/**
 * The words for each vessel. Commas, semicolons, bars and quotes separate always; `and`, slashes, spaces and the like
 * only where they aren't part of a name that is known, or similar to a known one.
 */
export function splitVessels(text: string, vessels: VesselDirectory): string[] {
  const pieces = text.replace(quoted, ',$1$2$3,').split(/[,;|]/).map(withoutMarks);
  return pieces
    .filter((piece) => piece !== '' && !connection.test(piece))
    .flatMap((piece, _, { length }) =>
      // The search for similar names takes time.
      splitAtAnd(withoutAnd(piece, vessels), vessels, { keepsSimilar: length <= 3 })
        .flatMap(splitAtNumbers)
        .map(withoutMarks)
        .filter(Boolean)
        .flatMap((part) => splitAtNames(part, vessels)),
    );
}

/** `"DS CYPRESS"`, `MV 'DS CYPRESS'`; the apostrophe of `QUEEN'S` is no quote. */
const quoted =
  /(?<![\p{L}\p{N}])((?:(?:the|our|my)\s+)?(?:(?:ship|vessel|m\/?[vst])\s+)?)(?<![\p{L}\p{N}])(?:"([^"]*)"|'([^']*)'(?![\p{L}\p{N}]))/giu;

/** Between two vessels in quotes. */
const connection = /^(?:and|or|plus|vs|versus)$/i;

/** Without what is left of separators, of a question or of a numbered list at both ends. */
const withoutMarks = (part: string): string =>
  part
    .replace(/^[^\p{L}\p{N}("']+/u, '')
    .replace(/(?:\s\d{1,3}[.)])?[^\p{L}\p{N})"']*$/u, '')
    .replace(/^\d{1,3}[.)]\s+/, '');

/** For `9461477, 9755933, and 9811000`, and `DS CYPRESS and "MSC DIANA"`. */
const withoutAnd = (piece: string, vessels: VesselDirectory): string =>
  isKnown(piece, vessels) ? piece : piece.replace(/^(?:and|or)\s+|\s+(?:and|or|plus|vs|versus)$/gi, '');

/** MV, M/S or MT before a name is the type of the vessel. */
export const leadingWords = /^(?:(?:the|our|my) )?(?:(?:ship|vessel|m\/?[vst]) )?(?=\S)/i;

const isKnown = (words: string, vessels: VesselDirectory): boolean =>
  vessels.named(words).length > 0 || vessels.referenced(words).length > 0;

/** In the name of one vessel. To try all in the text for each name would take seconds for a long text. */
const maxAndsInName = 3;

/** `DS CYPRESS and MSC DIANA`, but not `ROMEO AND JULIET` if that is a vessel, or similar to one. */
function splitAtAnd(
  piece: string,
  vessels: VesselDirectory,
  { keepsSimilar }: { keepsSimilar: boolean },
): string[] {
  const separators = [
    ...piece.matchAll(/\s+(?:and|und|et|or|plus|vs\.?|versus|[&+/])\s+/gi).take(maxAndsInName + 1),
  ];
  if (separators.length === 0) return [piece];
  if (separators.length <= maxAndsInName) {
    const name = piece.replace(/(?<!\s(?:and|&))[\s(]+(?:imo\W*)?\d{7}\)?$/i, '');
    if (vessels.named(name).length > 0 || vessels.referenced(piece).length > 0) return [piece];
    if (keepsSimilar && vessels.nearest(name).length > 0) return [piece];
  }
  const [first] = separators;
  const { index, 0: words } = separators.findLast((separator) =>
    isKnown(piece.slice(0, separator.index), vessels),
  ) ??
    first ?? { index: 0, 0: '' };
  const rest = piece.slice(index + words.length);
  return [piece.slice(0, index), ...splitAtAnd(rest, vessels, { keepsSimilar: false })];
}

/** `IMO 9461477 IMO 9755933`, `DS CYPRESS (9461477) - MSC DIANA (9755933)`: one number for each vessel. */
function splitAtNumbers(piece: string): string[] {
  const numbers = [...piece.matchAll(/\(?(?:(?<!\p{L})imo[\s:#.-]*)?(?<!\d)\d{7}(?!\d)\)?/giu)];
  if (numbers.length < 2) return [piece];
  // A name stands before its number, unless the text begins with a number.
  const isNumberFirst = !/[\p{L}\p{N}]/u.test(piece.slice(0, numbers[0]?.index));
  const cuts = isNumberFirst
    ? numbers.slice(1).map(({ index }) => index)
    : numbers.slice(0, -1).map(({ index, 0: number }) => index + number.length);
  return [0, ...cuts].map((from, at) => piece.slice(from, cuts[at]));
}

/** `DS CYPRESS/9755933`, if each part is a known name, a reference or a number: M/V and BK/4711 stay whole. */
function splitAtNames(piece: string, vessels: VesselDirectory): string[] {
  const parts = piece.split(/\s*\/\s*|\s+-\s+/);
  const isVessel = (part: string) => /^(?:imo\W*)?\d{7}$/i.test(part) || isKnown(part, vessels);
  return !isKnown(piece, vessels) && parts.every(isVessel) ? parts : [piece];
}

const maxWordsInName = 10;

/** `DS CYPRESS MSC DIANA`: the longest known names first. None if a word belongs to none. */
export function namesBetweenSpaces(typed: string, vessels: VesselDirectory): string[] {
  const words = typed.split(/\s+/);
  const names: string[] = [];
  for (let at = 0; at < words.length; ) {
    const runs = Array.from({ length: Math.min(maxWordsInName, words.length - at) }, (_, index) =>
      words.slice(at, at + index + 1).join(' '),
    );
    const name = runs.findLast((run) => isKnown(run.replace(leadingWords, ''), vessels));
    if (name === undefined) return [];
    names.push(name);
    at += name.split(' ').length;
  }
  return names;
}
