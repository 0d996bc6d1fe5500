import type { UserError } from '../errors.ts';
import { findCarrier, isScac, misspeltCarrier, nearestCarriers, type Scac } from '../reference/carriers.ts';
import { type LineHelp, type LineOption, quote, wordsError } from './line.ts';

/**
 * Carriers by SCAC or name, separated by commas, `and` or spaces; without duplicates, in the typed order. Accepts
 * unknown codes in capital letters. Throws UserError: missing-argument, unknown-carrier.
 */
export function parseCarriers(text: string, help: LineHelp): readonly Scac[] {
  const pieces = piecesOf(text.replace(/^\s*carriers?:?\s+/i, ''));
  if (pieces.length === 0) {
    throw wordsError('missing-argument', 'Which carriers?', help, {
      hint: 'Give a carrier by its SCAC or its name: MAEU or Maersk.',
    });
  }
  const scacs = pieces.flatMap((piece, index) => {
    const carriers = scacsIn(piece);
    if (carriers) return carriers;
    if (isScac(piece)) return piece;
    const line = (fixed: string) => help.line(pieces.with(index, fixed).join(','));
    throw unknownCarrier(piece, { ...help, line });
  });
  return [...new Set(scacs)];
}

/** `MAEU,HLCU`. If a code is unknown, the text needs the word `carriers` before it to parse again. */
export function formatCarriers(carriers: readonly Scac[]): string {
  const codes = carriers.join(',');
  return carriers.every((scac) => scacsIn(scac)?.[0] === scac) ? codes : `carriers ${codes}`;
}

/**
 * Takes carriers off the end of a line; undefined if there are none. Throws UserError for unknown carriers after the
 * word `carriers`, and in a list with commas that begins with a known carrier.
 */
export const carriersOption: LineOption<readonly Scac[]> = (words, helpFor) => {
  const afterKeyword = /(?:^|\s)carriers?:?\s+(.+)$/i.exec(words);
  if (afterKeyword) {
    const rest = words.slice(0, afterKeyword.index);
    return { rest, value: parseCarriers(afterKeyword[1] ?? '', helpFor(rest)) };
  }
  for (const { rest, suffix } of suffixesOf(words, 40)) {
    const [first = '', ...others] = piecesOf(suffix);
    const isList = others.length === 0 || /,| (?:vs\.?|versus|against) /i.test(suffix);
    if (scacsIn(first) && (isList || others.every(scacsIn))) {
      const subject = rest.replace(/[,\s]+$/, '');
      return { rest: subject, value: parseCarriers(suffix, helpFor(subject)) };
    }
  }
  return undefined;
};

/** Those of a text that is nothing but known carriers: `msc vs maersk`. */
export function carriersIn(text: string): readonly Scac[] {
  const scacs = piecesOf(text).map(scacsIn);
  return scacs.every((each) => each !== undefined) ? [...new Set(scacs.flat())] : [];
}

/** The endings of a line, up to `maxWords` words, the longest first. */
export function suffixesOf(words: string, maxWords: number): { rest: string; suffix: string }[] {
  const parts = words.split(' ');
  const from = Math.max(0, parts.length - maxWords);
  return parts.slice(from).map((_, index) => ({
    rest: parts.slice(0, from + index).join(' '),
    suffix: parts.slice(from + index).join(' '),
  }));
}

const piecesOf = (text: string): string[] =>
  text
    .split(/[,;&+/]|\s+(?:and|or|versus|vs\.?|against)\s+/i)
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '');

/** Reads one name, or several with only spaces between them; undefined if a word belongs to no carrier. */
function scacsIn(piece: string): Scac[] | undefined {
  if (piece.length > 200) return undefined;
  const words = piece.split(' ');
  const scacs: Scac[] = [];
  for (let at = 0; at < words.length; ) {
    const length = [4, 3, 2, 1].find((count) => findCarrier(words.slice(at, at + count).join(' '))) ?? 0;
    const carrier = findCarrier(words.slice(at, at + length).join(' '));
    if (!carrier) return undefined;
    scacs.push(carrier.scac);
    at += length;
  }
  return scacs;
}

function unknownCarrier(piece: string, help: LineHelp): UserError {
  const meant = misspeltCarrier(piece);
  return wordsError('unknown-carrier', `${quote(piece)} isn't a known carrier.`, help, {
    hint: 'You can also give a carrier by its SCAC in capital letters, such as MAEU.',
    choices: nearestCarriers(piece).map(({ name, scac }) => ({
      label: `${name} (${scac})`,
      line: help.line(scac),
    })),
    correction: meant && { typed: piece, meant: meant.name, line: help.line(meant.scac) },
  });
}
