import { type Choice, type FormOffer, UserError, type UserErrorCode } from '../errors.ts';

/** Helps a parser to offer corrected command lines for wrong words. */
export interface LineHelp {
  /** The whole command line with the wrong words corrected: `(fixed) => \`portcalls ${fixed} min 30%\``. */
  line: (fixed: string) => string;
  /** A whole command line to copy. */
  example: string;
  /** Corrections for misspelt words after the subject. */
  nearestEnding?: (words: string) => readonly string[];
}

interface Advice {
  hint?: string;
  /** Corrected words. Each becomes a choice that runs the whole corrected line. */
  fixes?: readonly string[];
  /** Instead of `fixes`, if the labels differ from the corrected words. */
  choices?: readonly Choice[];
  form?: FormOffer;
}

/** A UserError about typed words, with the example of the command. */
export function wordsError(
  code: UserErrorCode,
  message: string,
  { line, example }: LineHelp,
  { fixes = [], ...advice }: Advice = {},
): UserError {
  const choices = fixes.map((fixed) => ({ label: fixed, line: line(fixed) }));
  return new UserError({ code, message, choices, example, ...advice });
}

/** Typed words as a message shows them, shortened with … if long. */
export function shortened(typed: string): string {
  const letters = [...typed];
  return letters.length > 60 ? `${letters.slice(0, 59).join('')}…` : typed;
}

/** Typed words in quotes. */
export const quote = (typed: string): string => `“${shortened(typed)}”`;
