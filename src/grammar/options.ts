import type { UserError } from '../errors.ts';
import { type LineHelp, quote, wordsError } from './line-help.ts';

/**
 * Takes an option off the end of a line; undefined if the line doesn't end in one. Throws UserError for a wrong value.
 * `helpFor` takes the words before the option, because the choices of an error are whole lines.
 */
export type LineOption<T> = (
  words: string,
  helpFor: (rest: string) => LineHelp,
) => { rest: string; value: T } | undefined;

type Options = Record<string, LineOption<unknown>>;
type Values<O extends Options> = { [Name in keyof O]?: O[Name] extends LineOption<infer T> ? T : never };

/**
 * Takes options off the end of a line, in any order, each once; `command` is the first word of every line.
 * Throws UserError if an option is wrong or repeated.
 *
 *     scanOptions(words, { page: pageOption, order: orderOption(['eta']) }, { command: 'portcalls', example })
 */
export function scanOptions<O extends Options>(
  words: string,
  options: O,
  { command, example }: { command: string; example: string },
) {
  const values: Record<string, unknown> = {};
  let rest = words.trim();
  let tail = '';
  const helpFor = (before: string): LineHelp => ({
    example,
    line: (fixed) => [command, before.trim(), fixed, tail].filter((part) => part !== '').join(' '),
  });
  if (words.length > maxLength) {
    const message = `That is too long for one question: at most ${maxLength.toLocaleString('en')} characters.`;
    throw wordsError('too-long', message, helpFor(''));
  }
  for (let next = takeLast(rest, options, helpFor); next; next = takeLast(rest, options, helpFor)) {
    const text = rest.slice(next.rest.length).replace(/^[,\s]+/, '');
    if (next.name in values) {
      const help = helpFor(next.rest);
      const choices = [{ label: help.line(''), line: help.line('') }];
      throw wordsError('unexpected-words', `${quote(text)} can appear only once.`, help, { choices });
    }
    values[next.name] = next.value;
    tail = `${text} ${tail}`.trim();
    rest = next.rest.replace(/[\s,]+$/, '').trimStart();
  }
  return {
    /** The words that remain: the subject. */
    rest,
    // Each value comes from the option of the same name; an object built by name can't show that.
    values: values as Values<O>,
    /** For the parser of the subject. The lines that it offers include the options. */
    help: helpFor(''),
  };
}

/** A line, and each choice that contains it, must fit into the value of a button. */
const maxLength = 1_500;

function takeLast(rest: string, options: Options, helpFor: (rest: string) => LineHelp) {
  // Words within quotes aren't options: list:"North Sea page 2".
  if (rest.endsWith('"')) return undefined;
  for (const [name, take] of Object.entries(options)) {
    const taken = take(rest, helpFor);
    if (taken) return { name, value: taken.value, rest: taken.rest.trimEnd() };
  }
  return undefined;
}

/** An option that matches `shape`, which ends in `$`. `read` returns its value or throws UserError. */
export const optionOf =
  <T>(shape: RegExp, read: (match: RegExpExecArray, help: LineHelp) => T): LineOption<T> =>
  (words, helpFor) => {
    const match = shape.exec(words);
    if (!match) return undefined;
    const rest = words.slice(0, match.index);
    return { rest, value: read(match, helpFor(rest)) };
  };

/** `compare`, `all`: a single word. */
export const wordOption = (word: string): LineOption<true> =>
  optionOf(new RegExp(`(?:^|\\s)${word}$`, 'i'), () => true);

/** `page 2`, from 1. */
export const pageOption: LineOption<number> = optionOf(/(?:^|\s)page (\S+)$/i, ([, typed = ''], help) => {
  if (/^\d{1,4}$/.test(typed) && Number(typed) >= 1) return Number(typed);
  const message = `${quote(typed)} isn't a valid page: pages are numbered from 1.`;
  throw wordsError('unexpected-words', message, help, { fixes: ['page 1'] });
});

export const formatPage = (page: number | undefined): string => (page && page > 1 ? `page ${page}` : '');

/** `min 30%`, `min 30`, `min 0.3`, `at least 30 %`: whole percent, 0 to 100. Throws UserError for `min 0.5%`. */
export const minimumOption: LineOption<number> = optionOf(
  /(?:^|\s)(?:(?:min(?:imum)?(?![a-z])\.?|at least)\s*:?\s*|>=?\s*)(\S+?)\s*(%|percent)?$/i,
  ([text, typed = '', sign], help) => {
    const number = /^\d{1,3}(?:[.,]\d{1,20})?$/.test(typed) ? Number(typed.replace(',', '.')) : Number.NaN;
    const isShare = !sign && /[.,]/.test(typed) && number <= 1;
    // Without the digits that binary fractions add: 0.29 × 100 is 28.999…96.
    const percent = isShare ? Number((number * 100).toFixed(10)) : number;
    if (Number.isInteger(percent) && percent >= 0 && percent <= 100) return percent;
    if (percent < 100) throw notWhole(text.trim(), percent, help);
    const message = `${quote(text.trim())} isn't a valid probability: it goes from 0% to 100%.`;
    throw wordsError('unexpected-words', message, help, { fixes: ['min 30%'] });
  },
);

function notWhole(typed: string, percent: number, help: LineHelp): UserError {
  const fixes = [Math.floor(percent), Math.ceil(percent)].map((whole) => `min ${whole}%`);
  return wordsError('unexpected-words', `${quote(typed)} isn't a whole percentage.`, help, { fixes });
}

/** `by eta`, `by probability`. Throws UserError for another word after `by`, with each valid order as a choice. */
export const orderOption = <Order extends string>(orders: readonly Order[]): LineOption<Order> =>
  optionOf(/(?:^|\s)(?:sort(?:ed)? |order(?:ed)? )?by (\p{L}+)$/iu, ([, typed = ''], help) => {
    const chosen = orders.find((order) => order === typed.toLowerCase());
    if (chosen) return chosen;
    const fixes = orders.map((order) => `by ${order}`);
    const message = `${quote(typed)} isn't a valid order. It can be ${fixes.join(' or ')}.`;
    throw wordsError('unexpected-words', message, help, { fixes });
  });

/** Takes `public` or `private` off the end. Canonical lines don't contain them. */
export function takeVisibility(words: string): { rest: string; visibility?: 'public' | 'private' } {
  const [text = '', typed = ''] = /(?:^|\s)(public|private)$/i.exec(words) ?? [];
  if (text === '') return { rest: words };
  const rest = words.slice(0, -text.length).trimEnd();
  return { rest, visibility: typed.toLowerCase() === 'public' ? 'public' : 'private' };
}

export const exportFormats = ['xlsx', 'csv', 'json'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** Takes `as xlsx`, `as csv` or `as json` off the end, and a `public` or `private` before it. */
export function takeExport(words: string): ReturnType<typeof takeVisibility> & { format?: ExportFormat } {
  const [text = '', typed] = /(?:^|\s)as (xlsx|csv|json)$/i.exec(words) ?? [];
  const format = exportFormats.find((each) => each === typed?.toLowerCase());
  if (!format) return { rest: words };
  return { ...takeVisibility(words.slice(0, -text.length).trimEnd()), format };
}

export const formatExport = (line: string, format: ExportFormat): string => `${line} as ${format}`;

/** Joins the parts of a canonical line, without the empty ones. */
export const joinWords = (...parts: readonly (string | undefined)[]): string =>
  parts.filter(Boolean).join(' ');
