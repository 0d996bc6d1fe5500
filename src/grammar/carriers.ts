import { UserError } from '../errors.ts';
import { type Carrier, findCarriers } from '../reference/carriers.ts';
import { isScac, type Scac } from '../reference/scac.ts';
import { type LineHelp, quote } from './line-help.ts';

/**
 * Carriers by SCAC or name, with commas, `and` or only spaces between them; each once, in the order typed. A
 * code of four capital letters that is unknown here is accepted. Throws UserError: missing-argument, unknown-carrier.
 */
export function parseCarriers(text: string, help: LineHelp): readonly Scac[] {
  const pieces = piecesOf(text.replace(/^\s*carriers?:?\s+/i, ''));
  if (pieces.length === 0) {
    throw new UserError({
      code: 'missing-argument',
      message: 'Which carriers?',
      hint: 'Give a carrier by its SCAC or its name: MAEU or Maersk.',
      example: help.example,
    });
  }
  const scacs = pieces.flatMap((piece, index) => {
    const here = { ...help, line: (fixed: string) => help.line(pieces.with(index, fixed).join(',')) };
    return readPiece(piece) ?? [unknownCode(piece, here)];
  });
  return [...new Set(scacs)];
}

/** `MAEU,HLCU`; with the word `carriers` before them where one is unknown, so that they parse again. */
export function formatCarriers(carriers: readonly Scac[]): string {
  const codes = carriers.join(',');
  return carriers.every((scac) => readPiece(scac)?.[0] === scac) ? codes : `carriers ${codes}`;
}

/**
 * Carriers at the end of a line; undefined where it doesn't end in any. After the word `carriers`, or in a list
 * with commas that begins with a carrier, an unknown one is an error.
 */
export function takeCarriers(
  words: string,
  helpFor: (rest: string) => LineHelp,
): { rest: string; value: readonly Scac[] } | undefined {
  const marked = /(?:^|\s)carriers?:?\s+(.+)$/i.exec(words);
  if (marked) {
    const rest = words.slice(0, marked.index);
    return { rest, value: parseCarriers(marked[1] ?? '', helpFor(rest)) };
  }
  for (const { rest, suffix } of suffixesOf(words, 40)) {
    const [first = '', ...others] = piecesOf(suffix);
    if (readPiece(first) && (others.length === 0 || suffix.includes(',') || others.every(readPiece))) {
      const subject = rest.replace(/[,\s]+$/, '');
      return { rest: subject, value: parseCarriers(suffix, helpFor(subject)) };
    }
  }
  return undefined;
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
    .split(/[,;&+]|\s+and\s+/i)
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '');

/** One name, or several with only spaces between them; undefined where a word belongs to no carrier. */
function readPiece(piece: string): Scac[] | undefined {
  if (piece.length > 200) return undefined;
  const words = piece.split(' ');
  const found: Scac[] = [];
  let at = 0;
  while (at < words.length) {
    const lengths = [4, 3, 2, 1].filter((length) => at + length <= words.length);
    const match = lengths
      .map((length) => ({ length, carrier: carrierOf(words.slice(at, at + length).join(' ')) }))
      .find(({ carrier }) => carrier);
    if (!match?.carrier) return undefined;
    found.push(match.carrier.scac);
    at += match.length;
  }
  return found;
}

function carrierOf(name: string): Carrier | undefined {
  const found = findCarriers(name);
  return found.kind === 'one' ? found.carrier : undefined;
}

function unknownCode(piece: string, { line, example }: LineHelp): Scac {
  if (/^[A-Z]{2,4}$/.test(piece) && isScac(piece)) return piece;
  const found = findCarriers(piece);
  const nearest = found.kind === 'none' ? found.nearest : [];
  throw new UserError({
    code: 'unknown-carrier',
    message: `${quote(piece)} isn't a known carrier.`,
    hint: 'You can also give a carrier by its SCAC in capital letters, such as MAEU.',
    choices: nearest.map(({ name, scac }) => ({ label: `${name} (${scac})`, line: line(scac) })),
    example,
  });
}
