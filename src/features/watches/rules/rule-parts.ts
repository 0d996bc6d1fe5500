import { z } from 'zod';
import { capitalised } from '../../../answers/formatting/words.ts';
import type { UserError } from '../../../errors.ts';
import { type LineHelp, type LineOption, optionOf, quote, wordsError } from '../../../grammar/line.ts';
import type { Prospect } from '../../../reference/prediction.ts';
import type { AfterPoll, FormField, ValueQuestion } from './rule.ts';

/** The common part of rules that are only on or off. They are on by default, unless `isOff`. */
export function flagRule({
  typed,
  pattern = typed,
  when,
  isOff = false,
}: {
  typed: string;
  /** A regular expression for all spellings of `typed`. */
  pattern?: string;
  /** When the rule notifies, in words. */
  when: string;
  isOff?: boolean;
}) {
  const shape = new RegExp(`(?:(?:^|[\\s,]+)(?:and )?(?:the )?(?:${pattern}))+$`, 'i');
  const option: LineOption<true> = optionOf(shape, () => true);
  // If it is on by default, it is taken only after `only`: otherwise the word could be part of a vessel's name.
  const take: LineOption<true> = (words, helpFor) =>
    isOff || /\bonly\b/i.test(words) ? option(words, helpFor) : undefined;
  return {
    typed,
    schema: z.boolean(),
    defaultValue: !isOff,
    usualValue: true,
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
  const shape = new RegExp(`(?:^|\\s)${pattern} (\\S+?) ?(h|hrs?|hours?|d|days?|weeks?)?$`, 'i');
  const question: ValueQuestion = {
    words: pattern,
    asks: 'by how many hours?',
    fixes: [`${word} 6h`, `${word} 12h`, `${word} 24h`],
  };
  const onlyWords = new RegExp(`^\\s*${pattern}$`, 'i');
  const take: LineOption<number> = optionOf(shape, ([text, number = '', unit = 'h'], help) => {
    const hours = readNumber(number) * (hoursByUnit[unit.charAt(0).toLowerCase()] ?? 1);
    if (hours >= 1 && hours <= maxHours) return hours;
    if (onlyWords.test(text)) throw valueQuestion(text, question, help);
    const expected = `it takes 1 to ${maxHours} hours, or up to ${maxHours / 24} days`;
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
    question,
    format: (value: number) => `${word} ${value}h`,
    resolve: (value: number) => value,
    field,
  };
}

export const maxHours = 240;

const hoursByUnit: Record<string, number> = { h: 1, d: 24, w: 7 * 24 };

const numberWords = 'one two three four five six seven eight nine ten'.split(' ');

/** `12`, `2.5`, `two`, `a`; NaN for anything else. */
export function readNumber(typed: string): number {
  if (/^an?$/i.test(typed)) return 1;
  const inWords = numberWords.indexOf(typed.toLowerCase()) + 1;
  return inWords > 0 ? inWords : readFigures(typed);
}

const readFigures = (typed: string): number =>
  /^\d{1,4}(?:[.,]\d{1,2})?$/.test(typed) ? Number(typed.replace(',', '.')) : Number.NaN;

export function badRule(
  { text, expected, fix }: { text: string; expected: string; fix: string },
  help: LineHelp,
): UserError {
  const message = `${quote(text.trim())} isn't a valid rule: ${expected}.`;
  return wordsError('bad-rule', message, help, { fixes: [fix] });
}

/** For a rule that is typed without its value. */
export const valueQuestion = (text: string, { asks, fixes }: ValueQuestion, help: LineHelp): UserError =>
  wordsError('bad-rule', `${quote(text.trim())}: ${asks}`, help, { fixes });

/** Help for words that are typed into a form, which can't offer whole lines. */
export const formHelp: LineHelp = { line: (fixed) => fixed, example: 'watch 9461477 eta 6h' };

/** The next port that an alert named is still the next one. */
export const isStillNext = ({ port }: Prospect, { vessel }: AfterPoll): boolean =>
  vessel === undefined || vessel.baseline?.port === port;

/** The followers haven't been notified of anything else about that port since. */
export const isLatestOf = (call: Prospect, after: AfterPoll): boolean =>
  isStillNext(call, after) && !(after.vessel?.baseline && after.vessel.baseline.at > after.at);

/** The port still expects the vessel, and the followers haven't been notified of anything else about it since. */
export const isLatestAtPort = ({ expected, at }: AfterPoll): boolean =>
  expected !== undefined && expected.at <= at;
