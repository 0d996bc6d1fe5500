import { UserError } from '../errors.ts';
import type { Scac } from '../reference/scac.ts';
import { takeCarriers } from './carriers.ts';
import { type LineHelp, quote } from './line-help.ts';
import { takePeriod } from './parse-period.ts';
import type { Direction, Period } from './period.ts';

/** Words that can end a line. */
export interface Option<T> {
  /** Takes it off; undefined where the line ends otherwise. Throws UserError where its value is wrong. */
  take: Take<T>;
}

/** `helpFor` gets the words before the option, so that a choice is the whole line. */
export type Take<T> = (
  words: string,
  helpFor: (rest: string) => LineHelp,
) => { rest: string; value: T } | undefined;

type Options = Record<string, Option<unknown>>;
type Values<O extends Options> = { [Name in keyof O]?: O[Name] extends Option<infer T> ? T : never };

interface Scanned<O extends Options> {
  /** What is left: the subject. */
  rest: string;
  values: Values<O>;
  /** For the parser of the subject: its lines include the options that were taken. */
  help: LineHelp;
}

/**
 * Takes options off the end of a line, in any order, each once; `command` is the first word of every line.
 * Throws UserError where an option is wrong or repeated.
 *
 *     scanOptions(words, { page: pageOption, order: orderOption(['eta']) }, { command: 'portcalls', example })
 */
export function scanOptions<O extends Options>(
  words: string,
  options: O,
  { command, example }: { command: string; example: string },
): Scanned<O> {
  if (words.length > maxLength) throw tooLong(example);
  const values: Record<string, unknown> = {};
  let rest = words.trim();
  let tail = '';
  const helpFor = (before: string): LineHelp => ({
    example,
    line: (fixed) => [command, before.trim(), fixed, tail].filter((part) => part !== '').join(' '),
  });
  for (let next = takeOne(rest, options, helpFor); next; next = takeOne(rest, options, helpFor)) {
    const text = rest.slice(next.rest.length).replace(/^[,\s]+/, '');
    if (next.name in values) throw repeated(text, helpFor(next.rest).line(''), example);
    values[next.name] = next.value;
    tail = `${text} ${tail}`.trim();
    rest = next.rest.replace(/[\s,]+$/, '').trimStart();
  }
  // Each value comes from the option of the same name; an object built by name can't show that.
  return { rest, values: values as Values<O>, help: helpFor('') };
}

/** A line must fit a button's value, and so must each choice that contains it. */
const maxLength = 1_500;

const tooLong = (example: string): UserError =>
  new UserError({
    code: 'too-long',
    message: `That is too long for one question: at most ${maxLength.toLocaleString('en')} characters.`,
    example,
  });

function takeOne(rest: string, options: Options, helpFor: (rest: string) => LineHelp) {
  // Within quotes nothing is an option: list:"North Sea page 2".
  if (rest.endsWith('"')) return undefined;
  for (const [name, option] of Object.entries(options)) {
    const taken = option.take(rest, helpFor);
    if (taken) return { name, value: taken.value, rest: taken.rest.trimEnd() };
  }
  return undefined;
}

const repeated = (text: string, line: string, example: string): UserError =>
  new UserError({
    code: 'unexpected-words',
    message: `${quote(text)} can appear only once.`,
    choices: [{ label: line, line }],
    example,
  });

/** `compare`, `all`: a single word. */
export const wordOption = (word: string): Option<true> => ({
  take: (words) => {
    const rest = before(words, new RegExp(`(?:^|\\s)${word}$`, 'i'));
    return rest === undefined ? undefined : { rest, value: true };
  },
});

/** `page 2`, from 1. */
export const pageOption: Option<number> = {
  take: (words, helpFor) => {
    const [text = '', typed = ''] = /(?:^|\s)page (\S+)$/i.exec(words) ?? [];
    if (text === '') return undefined;
    const rest = words.slice(0, -text.length);
    if (/^\d{1,4}$/.test(typed) && Number(typed) >= 1) return { rest, value: Number(typed) };
    throw wrong(`${quote(typed)} isn't a valid page: pages are numbered from 1.`, 'page 1', helpFor(rest));
  },
};

export const formatPage = (page: number | undefined): string => (page && page > 1 ? `page ${page}` : '');

/** `min 30%`, `min 30`, `min 0.3`, `at least 30 %`: whole percent, 0 to 100. */
export const minimumOption: Option<number> = {
  take: (words, helpFor) => {
    const shape = /(?:^|\s)(?:(?:min(?:imum)?\.?|at least)\s*:?\s*|>=?\s*)(\S+?)\s*(%|percent)?$/i;
    const [text = '', typed = '', sign] = shape.exec(words) ?? [];
    if (text === '') return undefined;
    const rest = words.slice(0, -text.length);
    const number = /^\d{1,3}(?:[.,]\d{1,4})?$/.test(typed) ? Number(typed.replace(',', '.')) : Number.NaN;
    const percent = Math.round(!sign && /[.,]/.test(typed) && number <= 1 ? number * 100 : number);
    if (percent >= 0 && percent <= 100) return { rest, value: percent };
    throw wrong(
      `${quote(text.trim())} isn't a valid probability: it goes from 0% to 100%.`,
      'min 30%',
      helpFor(rest),
    );
  },
};

export const formatMinimum = (percent: number | undefined): string =>
  percent === undefined ? '' : `min ${percent}%`;

/** `by eta`, `by probability`; a wrong word after `by` is refused with the right ones. */
export const orderOption = <Order extends string>(orders: readonly Order[]): Option<Order> => ({
  take: (words, helpFor) => {
    const [text = '', typed = ''] = /(?:^|\s)(?:sort(?:ed)? |order(?:ed)? )?by (\p{L}+)$/iu.exec(words) ?? [];
    if (text === '') return undefined;
    const rest = words.slice(0, -text.length);
    const order = orders.find((one) => one === typed.toLowerCase());
    if (order) return { rest, value: order };
    const help = helpFor(rest);
    throw new UserError({
      code: 'unexpected-words',
      message: `${quote(typed)} isn't a valid order. It can be ${orders.map((one) => `by ${one}`).join(' or ')}.`,
      choices: orders.map((one) => ({ label: `by ${one}`, line: help.line(`by ${one}`) })),
      example: help.example,
    });
  },
});

export const formatOrder = (order: string | undefined): string => (order === undefined ? '' : `by ${order}`);

export const periodOption = (direction?: Direction): Option<Period> => ({
  take: (words, helpFor) => takePeriod(words, helpFor, direction),
});

export const carriersOption: Option<readonly Scac[]> = { take: takeCarriers };

/** `public` or `private` at the very end: who sees the answer, never part of a canonical line. */
export function takeVisibility(words: string): { rest: string; visibility?: 'public' | 'private' } {
  const [text = '', typed = ''] = /(?:^|\s)(public|private)$/i.exec(words) ?? [];
  if (text === '') return { rest: words };
  return {
    rest: words.slice(0, -text.length).trimEnd(),
    visibility: typed.toLowerCase() === 'public' ? 'public' : 'private',
  };
}

/** Joins the parts of a canonical line, without the empty ones. */
export const joinWords = (...parts: readonly (string | undefined)[]): string =>
  parts.filter(Boolean).join(' ');

function before(words: string, ending: RegExp): string | undefined {
  const match = ending.exec(words);
  return match ? words.slice(0, match.index) : undefined;
}

const wrong = (message: string, fixed: string, { line, example }: LineHelp): UserError =>
  new UserError({
    code: 'unexpected-words',
    message,
    choices: [{ label: fixed, line: line(fixed) }],
    example,
  });
