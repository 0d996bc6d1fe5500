import { z } from 'zod';
import type { UserError } from '../../../errors.ts';
import { type LineHelp, quote, wordsError } from '../../../grammar/line-help.ts';
import { type LineOption, optionOf } from '../../../grammar/options.ts';
import { capitalised } from '../../../messages/formatting/words.ts';
import type { FormField } from './rule.ts';

/** The common part of rules that are only on or off. They are on by default. */
export function flagRule({
  typed,
  pattern = typed,
  when,
}: {
  typed: string;
  /** A regular expression for all spellings of `typed`. */
  pattern?: string;
  /** When the rule notifies, in words. */
  when: string;
}) {
  // It is taken only after `only`: otherwise the rule is on anyway, and the word could be part of a vessel's name.
  const shape = new RegExp(`(?<=\\bonly\\b.*)(?:[\\s,]+(?:and )?(?:the )?(?:${pattern}))+$`, 'i');
  const take: LineOption<true> = optionOf(shape, () => true);
  return {
    typed,
    schema: z.boolean(),
    defaultValue: true,
    off: false,
    take,
    format: () => typed,
    resolve: () => true,
    tick: () => capitalised(when),
    words: () => when,
    brief: () => typed,
  };
}

/** The common part of rules whose value is a number of hours: `eta 6h`, `eta moves by 2 days`. */
export function hoursRule({
  word,
  pattern,
  defaultValue,
  label,
}: {
  word: string;
  /** A regular expression for all spellings of `word`. */
  pattern: string;
  defaultValue: number;
  label: string;
}) {
  const typed = `${word} 6h`;
  const shape = new RegExp(`(?:^|\\s)${pattern} (\\S+?) ?(h|hrs?|hours?|d|days?)?$`, 'i');
  const take: LineOption<number> = optionOf(shape, ([text, number = '', unit = 'h'], help) => {
    const hours = readNumber(number) * (/^d/i.test(unit) ? 24 : 1);
    if (hours >= 1 && hours <= maxHours) return hours;
    const expected = `it takes a number of hours from 1 to ${maxHours}`;
    throw badRule({ text, expected, fix: typed }, help);
  });
  const field: FormField<number | null> = {
    id: word,
    label,
    placeholder: String(defaultValue),
    text: String,
    instruction: `Write a number of hours from 1 to ${maxHours}, such as 6.`,
  };
  return {
    typed,
    schema: z.number().positive().nullable(),
    defaultValue,
    off: null,
    take,
    format: (value: number) => `${word} ${value}h`,
    resolve: (value: number) => value,
    field,
  };
}

export const maxHours = 240;

export const readNumber = (typed: string): number =>
  /^\d{1,4}(?:[.,]\d{1,2})?$/.test(typed) ? Number(typed.replace(',', '.')) : Number.NaN;

export function badRule(
  { text, expected, fix }: { text: string; expected: string; fix: string },
  help: LineHelp,
): UserError {
  const message = `${quote(text.trim())} isn't a valid rule: ${expected}.`;
  return wordsError('bad-rule', message, help, { fixes: [fix] });
}

/** Help for words that are typed into a form, which can't offer whole lines. */
export const formHelp: LineHelp = { line: (fixed) => fixed, example: 'watch 9461477 eta 6h' };
