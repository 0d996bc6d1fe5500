import type { UserError } from '../../../errors.ts';
import { type LineHelp, quote, wordsError } from '../../../grammar/line-help.ts';

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
