import { UserError } from '../../../errors.ts';
import { type LineHelp, quote } from '../../../grammar/line-help.ts';
import type { Take } from '../../../grammar/options.ts';

/** Hours of any rule go from 1 to this. */
export const maxHours = 240;

/** A word alone, after `only`: without it the rule is on anyway, and the word could be part of a vessel's name. */
export function takeWord(pattern: string): Take<true> {
  const shape = new RegExp(`(?<=\\bonly\\b.*)(?:[\\s,]+(?:and )?(?:the )?(?:${pattern}))+$`, 'i');
  return (words) => {
    const match = shape.exec(words);
    return match ? { rest: words.slice(0, match.index), value: true } : undefined;
  };
}

/** `eta 6h`, `eta moves by 2 days`: `lead` is what is before the figure. */
export function takeHours(lead: string, right: string): Take<number> {
  const shape = new RegExp(`(?:^|\\s)${lead} (\\S+?) ?(h|hrs?|hours?|d|days?)?$`, 'i');
  return (words, helpFor) => {
    const [text = '', typed = '', unit = 'h'] = shape.exec(words) ?? [];
    if (text === '') return undefined;
    const rest = words.slice(0, -text.length);
    const hours = readNumber(typed) * (/^d/i.test(unit) ? 24 : 1);
    if (hours >= 1 && hours <= maxHours) return { rest, value: hours };
    throw badRule({ text, takes: `it takes a number of hours from 1 to ${maxHours}`, right }, helpFor(rest));
  };
}

export const readNumber = (typed: string): number =>
  /^\d{1,4}(?:[.,]\d{1,2})?$/.test(typed) ? Number(typed.replace(',', '.')) : Number.NaN;

export function badRule(
  { text, takes, right }: { text: string; takes: string; right: string },
  { line, example }: LineHelp,
): UserError {
  return new UserError({
    code: 'bad-rule',
    message: `${quote(text.trim())} isn't a valid rule: ${takes}.`,
    choices: [{ label: right, line: line(right) }],
    example,
  });
}
