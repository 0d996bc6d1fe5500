import { containerCheckDigit, hasValidCheckDigit, isImo } from '../reference/codes.ts';
import type { VesselDirectory } from './vessel-directory.ts';

/** `MV`, `M/V`, `m.v.`, `vsl`, `Vessel name:` and `Vessel/Voyage:`, which documents write before a name. */
const kind =
  '(?:(?:ship|vessel|vsl)(?: name)?(?: ?/? ?voy(?:age)?)?|m[./]?[vst]|c[./]?v)(?:\\.?\\s*:\\s*|\\.?\\s+)';
const article = '(?:(?:the|our|my)\\s+)?';
export const leadingWords = new RegExp(`^${article}(?:${kind})?(?=\\S)`, 'i');

const delimitedNumber = '(?:[a-z]{2}\\d{3}[a-z]|\\d{2,4}[a-z]?(?:-\\d{2,4}[a-z]?)?)';
const labelledNumber =
  '(?:(?:voyage|voy|v)(?:\\.\\s*|\\s*:\\s*|\\s+)(?:no\\.?\\s*|#\\s*)?[a-z]{0,3}|(?:voy|v)(?=\\d))(?!\\d{7}(?!\\d))\\d[\\da-z]*(?:[-/]\\d[\\da-z]*)*';

/** `V. 1176-044W`, `voyage 044W`, `/ 1176W`, `(1176-044W)` at the end. */
const voyage = new RegExp(
  `(?:\\s+${labelledNumber}|\\s*[/(]\\s*(?:${labelledNumber}|${delimitedNumber})\\)?)$`,
  'i',
);

/** `1176W`, `1176-044W`, `FA412R`, `0FLB3W1MA`. It may as well belong to a name or a reference. */
const bareVoyage =
  /[\s-]+(?:[a-z]{2}\d{3}[a-z]|\d{2,4} ?[nsew]|[nsew]\d{3,4}|\d{3,4}-\d{3,4}[nsew]?|0[a-z]{2}[\da-z]{6})$/i;

/** Strips the voyage from a name that is unknown here. */
export const withoutVoyage = (name: string): string =>
  name.replace(voyage, '').replace(bareVoyage, '') || name;

/** `V. 1176-044W` between commas. */
const onlyVoyage = new RegExp(`^${labelledNumber}$`, 'i');

export const isKnown = (words: string, vessels: VesselDirectory): boolean =>
  vessels.named(words).length > 0 || vessels.referenced(words).length > 0;

/**
 * The name, number or reference, without what documents write around it: the kind of the vessel, the voyage. What is
 * stored with such words keeps them.
 */
export function withoutFrame(typed: string, vessels: VesselDirectory): string {
  if (isKnown(typed, vessels)) return typed;
  const name = typed.replace(leadingWords, '');
  if (isKnown(name, vessels)) return name;
  const framed = [name.replace(voyage, ''), name.replace(bareVoyage, ''), name.replace(/['’]s?$/, '')];
  const known = framed.find((each) => isKnown(each, vessels) || (each !== name && /\d{7}\W*$/.test(each)));
  return known ?? (framed[0] || name);
}

interface Container {
  /** As typed. */
  typed: string;
  /** With the check digit that belongs to it: `MSCU1234566`. */
  valid: string;
  isValid: boolean;
}

const containers = /(?<![\p{L}\p{N}])([A-Z]{3}[UJZ])([\s-]?)(\d{3}[\s-]?\d{3})[\s-]?(\d)(?![\p{L}\p{N}])/giu;

/** The container numbers (ISO 6346) in a text. `MSC CRUZ 9755933` is a vessel with its number. */
export const containersIn = (text: string): Container[] =>
  text
    .matchAll(containers)
    .toArray()
    .flatMap(([typed, owner = '', gap, serial = '', digit = '']) => {
      const code = `${owner}${serial.replace(/\D/g, '')}`.toUpperCase();
      const valid = `${code}${containerCheckDigit(code)}`;
      const isValid = valid.endsWith(digit);
      const imo = Number(`${code.slice(4)}${digit}`);
      const isVessel = gap !== '' && !isValid && isImo(imo) && hasValidCheckDigit(imo);
      return isVessel ? [] : [{ typed, valid, isValid }];
    });

/** `EVER GIVEN MSCU1234566` is about the vessel. A container alone stays, and so does a reference of another vessel. */
export function withoutContainers(piece: string, vessels: VesselDirectory): string {
  const found = containersIn(piece);
  if (found.length === 0 || isKnown(piece, vessels)) return piece;
  const rest = found.reduce((words, { typed }) => words.replace(typed, ' '), piece);
  const named = new Set(vessels.vesselsIn(rest).map(({ imo }) => imo));
  const references = found.flatMap(({ typed }) => vessels.referenced(typed));
  if (references.some(({ imo }) => !named.has(imo))) return piece;
  return /(?<![\p{L}\d])\d{7}(?!\d)/u.test(rest) || named.size > 0 ? rest : piece;
}

/**
 * The words for each vessel. Commas, semicolons, bars and quotes separate always; `and`, slashes, spaces and the like
 * only where they aren't part of a name that is known, or similar to a known one.
 */
export function splitVessels(text: string, vessels: VesselDirectory): string[] {
  const pieces = text.replace(quoted, ',$1$2$3,').split(/[,;|]/).map(withoutMarks);
  const words = pieces.filter((piece) => piece !== '' && !connection.test(piece));
  return withoutCargo(words, vessels).flatMap((piece, _, { length }) =>
    // The search for similar names takes time.
    splitAtAnd(withoutAnd(withoutContainers(piece, vessels), vessels), vessels, { keepsSimilar: length <= 3 })
      .flatMap(splitAtNumbers)
      .map(withoutMarks)
      .filter(Boolean)
      .flatMap((part) => splitAtNames(part, vessels)),
  );
}

/** Without the voyages between commas, and the containers beside a single vessel. */
function withoutCargo(words: readonly string[], vessels: VesselDirectory): readonly string[] {
  const pieces = words.filter((piece) => !onlyVoyage.test(piece) || isKnown(piece, vessels));
  const isContainer = (piece: string) =>
    !isKnown(piece, vessels) && containersIn(piece).some(({ typed }) => typed === piece);
  const [first, ...others] = pieces.filter((piece) => !isContainer(piece));
  return first !== undefined && others.length === 0 ? [first] : pieces;
}

/** `"DS CYPRESS"`, `MV 'DS CYPRESS'`; the apostrophe of `QUEEN'S` is no quote. */
const quoted = new RegExp(
  `(?<![\\p{L}\\p{N}])(${article}(?:${kind})?)(?<![\\p{L}\\p{N}])(?:"([^"]*)"|'([^']*)'(?![\\p{L}\\p{N}]))`,
  'giu',
);

/** Between two vessels in quotes. */
const connection = /^(?:and|or|plus|vs|versus)$/i;

/** Without what is left of separators, of a question or of a numbered list at both ends. */
export const withoutMarks = (part: string): string =>
  part
    .replace(/^[^\p{L}\p{N}("']+/u, '')
    .replace(/(?:\s\d{1,3}[.)])?[^\p{L}\p{N})"']*$/u, '')
    .replace(/^\d{1,3}[.)]\s+/, '');

/** For `9461477, 9755933, and 9811000`, and `DS CYPRESS and "MSC DIANA"`. */
function withoutAnd(piece: string, vessels: VesselDirectory): string {
  const words = piece.replace(/^(?:and|or)\s+|\s+(?:and|or|plus|vs|versus)$/gi, '');
  return words !== piece && isKnown(piece, vessels) ? piece : words;
}

/** In the name of one vessel. To try all in the text for each name would take seconds for a long text. */
const maxAndsInName = 3;

/** A voyage after a slash belongs to the name before it. */
const separator = new RegExp(
  `\\s+(?:and|und|et|or|plus|vs\\.?|versus|[&+]|/(?!\\s+(?:${labelledNumber}|${delimitedNumber})(?!\\S)))\\s+`,
  'gi',
);

/** `DS CYPRESS and MSC DIANA`, but not `ROMEO AND JULIET` if that is a vessel, or similar to one. */
function splitAtAnd(
  piece: string,
  vessels: VesselDirectory,
  { keepsSimilar }: { keepsSimilar: boolean },
): string[] {
  const separators = [...piece.matchAll(separator).take(maxAndsInName + 1)];
  if (separators.length === 0) return [piece];
  if (separators.length <= maxAndsInName) {
    const name = piece.replace(/(?<!\s(?:and|&))[\s(]+(?:imo\W*)?\d{7}\)?$/i, '');
    if (vessels.named(name).length > 0 || vessels.referenced(piece).length > 0) return [piece];
    if (keepsSimilar && vessels.nearest(name).length > 0) return [piece];
  }
  const [first] = separators;
  const { index, 0: words } = separators.findLast((match) => isKnown(piece.slice(0, match.index), vessels)) ??
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
  return parts.length > 1 && !isKnown(piece, vessels) && parts.every(isVessel) ? parts : [piece];
}
