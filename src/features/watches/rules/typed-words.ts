import { UserError } from '../../../errors.ts';
import { cleanLine } from '../../../grammar/clean.ts';
import { type LineHelp, quote, wordsError } from '../../../grammar/line-help.ts';
import type { Take } from '../../../grammar/options.ts';

/** The most hours that any rule takes. */
export const maxHours = 240;

export const readNumber = (typed: string): number =>
  /^\d{1,4}(?:[.,]\d{1,2})?$/.test(typed) ? Number(typed.replace(',', '.')) : Number.NaN;

export function badRule(
  { text, takes, right }: { text: string; takes: string; right: string },
  help: LineHelp,
): UserError {
  const message = `${quote(text.trim())} isn't a valid rule: ${takes}.`;
  return wordsError('bad-rule', message, help, { fixes: [right] });
}

/** Help for words that are typed into a form, where no whole line can be offered. */
export const formHelp: LineHelp = { line: (fixed) => fixed, example: 'watch 9461477 eta 6h' };

/**
 * Reads a form field by the grammar of the command, in which `word` precedes the value; undefined if it is empty.
 * `right` is the text of the UserError: what to write.
 */
export function readField<Typed>(
  text: string,
  { word, take, right }: { word: string; take: Take<Typed>; right: string },
): Typed | undefined {
  const typed = cleanLine(text);
  if (typed === '') return undefined;
  try {
    const taken = take(`${word} ${typed}`, () => formHelp);
    if (taken?.rest.trim() === '') return taken.value;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
  }
  throw new UserError({ code: 'bad-rule', message: right });
}
