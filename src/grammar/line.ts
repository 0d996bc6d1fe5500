import {
  type Choice,
  type Correction,
  type FormOffer,
  ownLines,
  UserError,
  type UserErrorCode,
} from '../errors.ts';
import type { Locode } from '../reference/codes.ts';
import { meantBy } from '../reference/nearest.ts';

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
  { command, ...about }: { command: string } & Pick<LineHelp, 'example' | 'dateOrder' | 'groups'>,
) {
  const values: Record<string, unknown> = {};
  let rest = words.trim();
  /** What has been taken, in the typed order. */
  const taken: { name: string; text: string }[] = [];
  const tailWithout = (other?: string) =>
    taken.flatMap(({ name, text }) => (name === other ? [] : text)).join(' ');
  const helpFor = (before: string): LineHelp => ({
    ...about,
    line: (fixed) => [command, before.trim(), fixed, tailWithout()].filter((part) => part !== '').join(' '),
  });
  if (words.length > maxQuestionLength) {
    const message = `That is too long for one question: at most ${maxQuestionLength.toLocaleString('en')} characters.`;
    throw wordsError('too-long', message, helpFor(''));
  }
  for (let next = takeLast(rest, options, helpFor); next; next = takeLast(rest, options, helpFor)) {
    const text = rest.slice(next.rest.length).replace(/^[,\s]+/, '');
    if (next.name in values) {
      const lines = [helpFor(next.rest).line(''), joinWords(command, rest, tailWithout(next.name))];
      const other = taken.find(({ name }) => name === next.name)?.text ?? '';
      const message = `I can read only one of ${quote(text)} and ${quote(other)}.`;
      const choices = lines.map((line) => ({ label: line, line }));
      throw wordsError('unexpected-words', message, helpFor(next.rest), { choices });
    }
    values[next.name] = next.value;
    taken.unshift({ name: next.name, text });
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
const maxQuestionLength = 1_500;

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

const ofProbability = '(?:with )?prob(?:ability|s)?[.:]? ';
const tens = 'ten twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const percentWords = '%|pct\\.?|per ?cent';
const wholePercent = `(?<typed>\\d{1,3}|${tens.join('|')}) ?(?<sign>${percentWords})`;
const minimumShape = new RegExp(
  `(?:^|\\s)(?:${ofProbability}${wholePercent}|(?:${ofProbability})?(?:${[
    `(?:(?:min(?:imum)?(?![a-z])\\.?|at least)\\s*:?\\s*|>=?\\s*)(?<typed>\\S+?)\\s*(?<sign>${percentWords})?\\+?`,
    `(?:over|above|more than|better than|from) ${wholePercent}`,
    `${wholePercent}(?= ?$)`,
    `${wholePercent} ?(?:\\+|plus|(?:and|or) (?:up|upwards?|more|over|better|above|higher))`,
  ].join('|')}))$`,
  'i',
);

/**
 * `min 30%`, `min 30`, `min 0.3`, `at least fifty percent`, `over 40%`, `prob >= 70%`, `80%+`: whole percent, 0 to 100. Throws
 * UserError for `min 0.5%`.
 */
export const minimumOption: LineOption<number> = optionOf(minimumShape, ({ 0: text, groups = {} }, help) => {
  const { typed = '', sign } = groups;
  const ten = 10 * (tens.indexOf(typed.toLowerCase()) + 1);
  const isNumber = /^\d{1,3}(?:[.,]\d{1,20})?$/.test(typed);
  const number = isNumber ? Number(typed.replace(',', '.')) : ten || Number.NaN;
  const isShare = !sign && /[.,]/.test(typed) && number <= 1;
  // Without the digits that binary fractions add: 0.29 × 100 is 28.999…96.
  const percent = isShare ? Number((number * 100).toFixed(10)) : number;
  if (Number.isInteger(percent) && percent >= 0 && percent <= 100) return percent;
  if (percent < 100) throw notWhole(text.trim(), percent, help);
  const message = `${quote(text.trim())} isn't a valid probability: it goes from 0% to 100%.`;
  throw wordsError('conflicting-words', message, help, { fixes: ['min 30%'] });
});

function notWhole(typed: string, percent: number, help: LineHelp): UserError {
  const fixes = [Math.floor(percent), Math.ceil(percent)].map((whole) => `min ${whole}%`);
  return wordsError('conflicting-words', `${quote(typed)} isn't a whole percentage.`, help, { fixes });
}

/** `by eta`, `by probability`. Throws UserError for another word after `by`, with each valid order as a choice. */
export const orderOption = <Order extends string>(orders: readonly Order[]): LineOption<Order> =>
  optionOf(/(?:^|\s)(?:sort(?:ed)? |order(?:ed)? )?by (\p{L}+)$/iu, ([, typed = ''], help) => {
    const word = typed.toLowerCase();
    const chosen = orders.find((order) => order === word || (word.length > 2 && order.startsWith(word)));
    if (chosen) return chosen;
    const fixes = orders.map((order) => `by ${order}`);
    const message = `${quote(typed)} isn't a valid order. It can be ${fixes.join(' or ')}.`;
    const meant = meantBy(
      typed.toLowerCase(),
      orders.map((order) => ({ key: order, value: order })),
    );
    const correction = meant && { typed, meant, line: help.line(`by ${meant}`) };
    throw wordsError('unexpected-words', message, help, { fixes, correction });
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
/** The others are bytes. */
export type TextFormat = Exclude<ExportFormat, 'xlsx'>;

/** Takes `as xlsx`, `as csv` or `as json` off the end, and a `public` or `private` before it. */
export function takeExport(words: string): ReturnType<typeof takeVisibility> & { format?: ExportFormat } {
  const [text = '', typed] = /(?:^|\s)as (\w+)$/i.exec(words) ?? [];
  const format = exportFormats.find((each) => each === typed?.toLowerCase());
  if (!format) return { rest: words };
  return { ...takeVisibility(words.slice(0, -text.length).trimEnd()), format };
}

export const formatExport = (line: string, format: ExportFormat): string => `${line} as ${format}`;

/** Joins the parts of a canonical line, without the empty ones. */
export const joinWords = (...parts: readonly (string | undefined)[]): string =>
  parts.filter(Boolean).join(' ');

const maxTextLength = 8_000;

/**
 * Removes Slack's escapes (`&amp;`, `<#C1|ops>`, `<http://a.b|a.b>`), phone typography (curly quotes, dashes, no-break
 * spaces, full-width digits), a leading slash and a full stop at the end. Throws UserError too-long.
 */
export function cleanLine(text: string): string {
  if (text.length > maxTextLength) {
    throw new UserError({
      code: 'too-long',
      message: `That is too long to read: at most ${maxTextLength.toLocaleString('en')} characters.`,
      example: ownLines.help,
    });
  }
  return tidy(unescapeSlack(text))
    .replace(/^\/+\s*(?=\p{L})/u, '')
    .replace(/(?<![\s.!?,;])[\s.!?,;]+$/, '');
}

/**
 * Replaces a channel or a person by the name that Slack showed, and an automatic link by the typed text. Keeps the id
 * after `in`, `hand over`, `assign`, `forget`, `audit … by`, `overview … by` and `costs of`, because names are not
 * unique: `in <#C1|ops>` becomes `in <#C1>`.
 */
export function unescapeSlack(text: string): string {
  let [isForAdmins, isOfCosts] = [false, false];
  // A look-behind from each link would read a long text again and again.
  const pieces = text.split(/(<[^<>]*>)/).map((piece, index, all) => {
    if (index % 2 === 0) {
      isForAdmins ||= /\b(?:audit|overview)\b/i.test(piece);
      isOfCosts ||= /\b(?:costs?|spend(?:ing)?|usage)\b/i.test(piece);
      return unescaped(piece);
    }
    return (
      idOf(piece, { before: all[index - 1] ?? '', isForAdmins, isOfCosts }) ??
      unescaped(piece.replace(link, shownText))
    );
  });
  return pieces.join('');
}

/** `<#C1>` for `<#C1|ops>` where the words before it ask for such an id. */
function idOf(
  piece: string,
  { before, isForAdmins, isOfCosts }: { before: string; isForAdmins: boolean; isOfCosts: boolean },
): string | undefined {
  const [, id] = /^<([#@][A-Z0-9]+)(?:\|.*)?>$/is.exec(piece) ?? [];
  if (id === undefined) return undefined;
  const isAskedFor =
    (/^#[CDG]./i.test(id) && (isOfCosts ? /(?:^|\s)(?:in|of|for)\s$/i : /(?:^|\s)in\s$/i).test(before)) ||
    (/^@[UW]./i.test(id) && /\b(?:hand\s?over|assign)\b|(?:^|\s|\/)forget\s+$/i.test(before)) ||
    (/^.[CDGUW]./i.test(id) && isForAdmins && /\s(?:of|by|to)\s$/i.test(before));
  return isAskedFor ? `<${id}>` : undefined;
}

const link = /^<(?:([#@])[^|]*|![^|]*|(?:https?|mailto|tel|ftp|slack):[^|]*)(?:\|(.*))?>$/is;

const unescaped = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

function shownText(whole: string, sign: string | undefined, label: string | undefined): string {
  const target = whole.slice(1, -1).split('|')[0] ?? '';
  if (sign) return sign + (label || target.slice(1)).replace(/^[#@]/, '');
  if (target.startsWith('!')) return label || `@${target.slice(1).split('^')[0]}`;
  return label || target.replace(/^(?:mailto|tel):/i, '');
}

function tidy(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\u2018\u2019\u201a\u201b\u2032\u00b4`]/g, "'")
    .replace(/[\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033]/g, '"')
    .normalize('NFKC')
    .replace(/[\p{Pd}\u2212\u2043]/gu, '-')
    .replace(/\p{Cf}/gu, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}

/** Which number comes first in `08/01/2026`. */
export type DateOrder = 'day' | 'month';

/** The groups of ports that the workspace has named. */
export interface PortGroups {
  /** In capitals, sorted. */
  portGroups(): readonly string[];
  /** In the typed order, at most six; undefined if there is no such group. The case of the name doesn't matter. */
  portsOf(name: string): readonly Locode[] | undefined;
  /** The names of fleets, in capitals: one with the shape of a code isn't a port that nobody knows. */
  readonly fleets?: readonly string[];
}

/** Helps a parser to read words as the person means them, and to offer corrected command lines for wrong ones. */
export interface LineHelp {
  /** The whole command line with the wrong words corrected: `(fixed) => \`portcalls ${fixed} min 30%\``. */
  line: (fixed: string) => string;
  /** A whole command line to copy. */
  example: string;
  /** As in the person's language. Left out: a date with two numbers that can be the month is asked about. */
  dateOrder?: DateOrder | undefined;
  groups?: PortGroups | undefined;
  /** Corrections for misspelt words after the subject. */
  nearestEnding?: (words: string) => readonly string[];
  /** What can follow the subject. */
  endingHint?: string;
}

interface Advice {
  hint?: string;
  /** Corrected words. Each becomes a choice that runs the whole corrected line. */
  fixes?: readonly string[];
  /** Instead of `fixes`, if the labels differ from the corrected words. */
  choices?: readonly Choice[];
  areSeveral?: boolean;
  correction?: Correction | undefined;
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

/** Takes a channel's id: `in <#C024BE7LR>` is how cleanLine writes Slack's `in #ops`. */
export const channelOption: LineOption<string> = optionOf(
  /(?:^|\s)in (?:<#([CDG][A-Z0-9]+)>|#[^\s<>]+)$/i,
  ([text, id], help) => {
    if (id !== undefined) return id.toUpperCase();
    throw wordsError('bad-channel', `I don't know which channel ${text.trim().slice(3)} is.`, help, {
      hint: 'Type # and pick the channel from the list that Slack shows, or type the line in that channel.',
    });
  },
);

export const formatChannel = (id: string | undefined): string => (id === undefined ? '' : `in <#${id}>`);

/** `of <#C024BE7LR>`, for what belongs to a channel. */
export const ofChannelOption: LineOption<string> = optionOf(
  /(?:^|\s)(?:of|in) <#([CDG][A-Z0-9]+)>$/i,
  ([, id = '']) => id.toUpperCase(),
);

/** `by <@U024BE7LH>` */
export const byPersonOption: LineOption<string> = optionOf(/(?:^|\s)by <@([UW][A-Z0-9]+)>$/i, ([, id = '']) =>
  id.toUpperCase(),
);

export const formatOfChannel = (id: string | undefined): string => (id === undefined ? '' : `of <#${id}>`);

export const formatByPerson = (id: string | undefined): string =>
  id === undefined ? '' : `by ${formatPerson(id)}`;

/** A person's id: cleanLine leaves `<@U012ABCDEF>` after “hand over”, “assign”, “forget” and `by`. Undefined for anything else. */
export const readPerson = (words: string): string | undefined =>
  /^<@([UW][A-Z0-9]+)>$/i.exec(words.trim())?.[1]?.toUpperCase();

/** `9461477 to <@U012ABCDEF>`: a person at the end, and what stands before. `person` is undefined for anything else. */
export function takePerson(words: string): { rest: string; person: string | undefined } {
  const [, rest = '', typed = ''] = /^(.*?)(?:(?:^|\s)to)?\s*(\S+)$/is.exec(words.trim()) ?? [];
  return { rest, person: readPerson(typed) };
}

export const howToNamePerson = 'Type @ and pick the person from the list that Slack shows.';

export const formatPerson = (id: string): string => `<@${id}>`;
