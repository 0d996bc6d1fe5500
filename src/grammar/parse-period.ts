import { format } from 'date-fns/format';
import { parseISO } from 'date-fns/parseISO';
import { UserError } from '../errors.ts';
import { nearest } from '../reference/nearest.ts';
import { suffixesOf } from './carriers.ts';
import {
  type DateOrder,
  daysOfMonthShape,
  formatDay,
  type IsoMonth,
  isoMonth,
  isValidYear,
  monthNames,
  monthShape,
  orderOf,
  type PeriodDay,
  periodDayShape,
  readMonth,
  readMonthName,
  readPeriodDay,
  relativeDays,
  weekdayOfNextWeek,
  weekdays,
} from './dates.ts';
import { type LineHelp, type LineOption, quote, wordsError } from './line.ts';
import {
  badPeriod,
  type CalendarUnit,
  type Direction,
  formatPeriod,
  type Period,
  type PeriodHelp,
  wrongDirection,
} from './period.ts';

/** Throws UserError bad-period, bad-date or bad-month. `nearestTo`: the periods to offer for words that are none. */
export function parsePeriod(
  text: string,
  help: PeriodHelp,
  nearestTo: (typed: string) => readonly string[] = () => [],
): Period {
  const typed = text.trim();
  const reader = readers.find(([shape]) => shape.test(typed));
  const match = reader?.[0].exec(typed);
  const period = reader && match ? reader[1](match, help) : readNamedMonth(typed);
  if (!period) throw badPeriod(`${quote(text)} isn't a valid period.`, help, nearestTo(typed));
  checkDirection(period, text, help);
  return period;
}

/** Takes the longest period off the end of a line. */
export const periodOption =
  (direction: Direction): LineOption<Period> =>
  (words, helpFor) => {
    const match = suffixesOf(words, 10).find(
      ({ rest, suffix }) =>
        readers.some(([shape]) => shape.test(suffix)) ||
        // After the word `carriers`, JULY is a carrier's code.
        (readNamedMonth(suffix) && !/(?:^|\s)carriers?:?$/i.test(rest)),
    );
    if (!match) return undefined;
    const { rest, suffix } = match;
    return { rest, value: parsePeriod(suffix, { ...helpFor(rest), direction }) };
  };

type ReadPeriod = (match: RegExpExecArray, help: PeriodHelp) => Period | undefined;

const rangeMark = '(?:\\s*(?:\\.{2,3}|→|-)\\s*|\\s+(?:to|until|till|and)\\s+)';
const lead = '(?:in |for |within |during |over |at |on )?';
const directionWords = `(?:${lead}(?:the )?(next|coming|last|past|previous)|within(?: the)?)`;
const quarterWord = 'q([1-4])|([1-4])(?:st|nd|rd|th) quarter|(first|second|third|fourth) quarter';
/** ISO 8601, 4.4.1: an interval of two dates. */
const isoRange = (date: string): string => `(${date})/(${date})`;
const wholeText = (source: string): RegExp => new RegExp(`^${source}$`, 'i');

/** The first shape that matches is used. */
const readers: readonly (readonly [shape: RegExp, read: ReadPeriod])[] = [
  [wholeText(`${lead}(this|next|last|previous|current) (week|month|quarter|year)`), readCalendar],
  [wholeText(`${lead}(?:the )?(?:(this|next|last|previous|past|coming) )?(weekend)`), readCalendar],
  [wholeText('(?:for )?(?:tonight|overnight)'), () => ({ kind: 'tonight' })],
  [
    wholeText(`${directionWords}(?: (\\S+))? (hours?|h|days?|d|weeks?|months?|quarters?|years?)`),
    readCounted,
  ],
  [wholeText('(next|last|past) ?(\\d+) ?(h|d)'), readCounted],
  [wholeText(`(since|from|after|until|till|to|before|by) (${periodDayShape})`), readOpenEnded],
  [wholeText(`(?:in |from |between )?(${monthShape})(?:${rangeMark}(${monthShape}))?`), readMonths],
  [wholeText(`(?:since|from) (${monthShape})`), readSinceMonth],
  [wholeText(`${lead}(?:the )?(?:${quarterWord})(?:(?: of)?[ ,/-]*(\\d{4}))?`), readQuarter],
  [wholeText('(?:in )?(\\d{4})(?:[ /-]?q([1-4]))?'), readYear],
  [wholeText(`(?:from |between )?${daysOfMonthShape}`), readDaysOfMonth],
  [wholeText(`(?:from |between )?(${periodDayShape})${rangeMark}(${periodDayShape})`), readDays],
  [wholeText(isoRange('\\d{4}-\\d{2}-\\d{2}')), readDays],
  [wholeText(isoRange('\\d{4}-\\d{2}')), readMonths],
  [wholeText(`(?:on )?(?:this |coming )?(${periodDayShape})`), readSingleDay],
];

/** `october`, `in oct`. */
function readNamedMonth(typed: string): Period | undefined {
  const month = readMonthName(typed.replace(/^(?:in|for|during) /i, ''));
  return month === undefined ? undefined : { kind: 'named', month };
}

function readCalendar([, which = 'this', unit = '']: RegExpExecArray): Period {
  const offset = /next/i.test(which) ? 1 : /this|current|coming/i.test(which) ? 0 : -1;
  // The shapes above have these words only.
  return { kind: unit.toLowerCase() as CalendarUnit, offset };
}

const ordinals = ['first', 'second', 'third', 'fourth'];

/** `q3`, `third quarter of 2026`. */
function readQuarter(
  [typed, short, number = short, ordinal = '', year]: RegExpExecArray,
  help: PeriodHelp,
): Period {
  const quarter = number === undefined ? ordinals.indexOf(ordinal.toLowerCase()) + 1 : Number(number);
  return {
    kind: 'named-quarter',
    quarter,
    ...(year !== undefined && { year: validYear(year, typed, help) }),
  };
}

/** `2025`, `2026-Q3`. */
function readYear([typed, digits = '', quarter]: RegExpExecArray, help: PeriodHelp): Period {
  const year = validYear(digits, typed, help);
  if (quarter !== undefined) return { kind: 'named-quarter', quarter: Number(quarter), year };
  return { kind: 'months', from: isoMonth({ year, month: 1 }), to: isoMonth({ year, month: 12 }) };
}

function validYear(digits: string, typed: string, help: PeriodHelp): number {
  if (isValidYear(Number(digits))) return Number(digits);
  throw badPeriod(`${quote(typed)} isn't a valid period: the year goes from 2000 to 2100.`, help);
}

const maxAmount = { hours: 9_600, days: 400, months: 24 };
/** By the first letter of the typed unit. */
const countedUnits: Record<string, { unit: keyof typeof maxAmount; size: number }> = {
  h: { unit: 'hours', size: 1 },
  d: { unit: 'days', size: 1 },
  w: { unit: 'days', size: 7 },
  m: { unit: 'months', size: 1 },
  q: { unit: 'months', size: 3 },
  y: { unit: 'months', size: 12 },
};
const numberWords = 'one two three four five six seven eight nine ten eleven twelve'.split(' ');

function readCounted([typed, which = '', count = '1', word = '']: RegExpExecArray, help: PeriodHelp): Period {
  const kind = /last|past|previous/i.test(which) ? 'last' : 'next';
  const { unit, size } = countedUnits[word[0]?.toLowerCase() ?? ''] ?? { unit: 'days', size: 1 };
  const number = /^\d+$/.test(count) ? Number(count) : numberWords.indexOf(count.toLowerCase()) + 1;
  const amount = number * size;
  const max = maxAmount[unit];
  if (amount >= 1 && amount <= max) return { kind, amount, unit };
  const message = `${quote(typed)} isn't a valid period: the number of ${unit} goes from 1 to ${max}.`;
  throw badPeriod(message, help, [`${kind} 3 ${unit}`]);
}

function readOpenEnded([, word = '', typed = '']: RegExpExecArray, help: PeriodHelp): Period | undefined {
  const kind = /since|from|after/i.test(word) ? 'since' : 'until';
  const day = readPeriodDay(typed, help, { phrase: (fixed) => `${kind} ${fixed}` });
  return day && { kind, day };
}

function readMonths([typed, first = '', second = first]: RegExpExecArray, help: PeriodHelp) {
  const from = readMonth(first, help);
  const to = readMonth(second, help);
  if (!from || !to) return undefined;
  if (to < from) throw reversedPeriod(typed, { kind: 'months', from: to, to: from }, help);
  return { kind: 'months' as const, from, to };
}

function readSinceMonth([, typed = '']: RegExpExecArray, help: PeriodHelp): Period | undefined {
  const month = readMonth(typed, help);
  return month && { kind: 'since', day: `${month}-01` };
}

/** `25-28 Nov`. */
function readDaysOfMonth([, first, last, month]: RegExpExecArray, help: PeriodHelp): Period {
  return parsePeriod(`${first} ${month}..${last} ${month}`, help);
}

function readDays([typed, first = '', second = '']: RegExpExecArray, help: PeriodHelp): Period | undefined {
  const order = orderOfBoth(first, second);
  const from = readPeriodDay(first, help, {
    order,
    phrase: (fixed, like) => `${fixed}..${nearestValidDay(second, like)}`,
  });
  const to = readPeriodDay(second, help, {
    order,
    phrase: (fixed) => `${from && formatDay(from)}..${fixed}`,
  });
  if (!from || !to) return undefined;
  if (isReversed(from, to)) throw reversedPeriod(typed, { kind: 'days', from: to, to: from }, help);
  return { kind: 'days', from, to };
}

/** That of one of the dates; `08/01/2027..03/02/2027` would end before it begins if the month came first. */
function orderOfBoth(first: string, second: string): DateOrder | undefined {
  const orders = [orderOf(first), orderOf(second)];
  const known = orders.find((order) => order !== undefined && order !== 'unclear');
  if (known || !orders.every((order) => order === 'unclear')) return known;
  const possible = (['day', 'month'] as const).filter(
    (order) => nearestValidDay(first, order) <= nearestValidDay(second, order),
  );
  return possible.length === 1 ? possible[0] : undefined;
}

function readSingleDay([, typed = '']: RegExpExecArray, help: PeriodHelp): Period | undefined {
  const day = readPeriodDay(typed, help);
  return day && { kind: 'day', day };
}

/** The day itself if it is valid, else the nearest valid day. */
function nearestValidDay(typed: string, order: DateOrder | undefined): string {
  try {
    const day = readPeriodDay(typed, { example: '', line: (fixed) => fixed }, { order });
    return day ? formatDay(day) : typed;
  } catch (error) {
    if (error instanceof UserError) return error.choices[0]?.label ?? typed;
    throw error;
  }
}

/** Covers the cases that need no clock; resolvePeriodWithin covers the others. */
function isReversed(from: PeriodDay, to: PeriodDay): boolean {
  const [fromWords, toWords] = [formatDay(from), formatDay(to)];
  const ofNextWeek = [from, to].map(weekdayOfNextWeek);
  const [first, last] = ofNextWeek.map((day) => day && (weekdays.indexOf(day) + 6) % 7);
  if (first !== undefined && last !== undefined) return last < first;
  const [fromIndex, toIndex] = [relativeDays.indexOf(fromWords), relativeDays.indexOf(toWords)];
  if (fromIndex >= 0 && toIndex >= 0) return toIndex < fromIndex;
  // 28 dec..2 jan spans New Year, 28 nov..25 nov would be nearly a whole year.
  if (typeof from !== 'string' && typeof to !== 'string')
    return from.month === to.month && to.date < from.date;
  return isIsoDate(fromWords) && isIsoDate(toWords) && toWords < fromWords;
}

const isIsoDate = (day: string): boolean => /^\d{4}-/.test(day);

const reversedPeriod = (typed: string, fixed: Period, help: LineHelp): UserError =>
  wordsError('bad-period', `${quote(typed)} ends before it begins.`, help, { fixes: [formatPeriod(fixed)] });

/** Canonical periods that are in the wrong direction. */
const wrongPeriods: Record<Direction, RegExp> = {
  past: /^(?:next |tomorrow|tonight|since tomorrow$)/,
  future: /^(?:last |(?:.*\.\.|until )?yesterday$)/,
};

function checkDirection(period: Period, typed: string, help: PeriodHelp): void {
  const { direction } = help;
  if (!direction) return;
  if (wrongPeriods[direction].test(formatPeriod(period)))
    throw wrongDirection(period, { typed, direction, help });
  if (direction === 'future' && period.kind === 'since')
    throw badPeriod(`${quote(typed)} has no end: say until when.`, help);
  if (direction === 'past' && period.kind === 'until')
    throw badPeriod(`${quote(typed)} has no beginning: say since when.`, help);
}

const periodWords = [
  ...'next last past coming previous this since until today tomorrow yesterday tonight'.split(' '),
  ...weekdays,
  ...'hour hours day days week weeks weekend month months quarter year'.split(' '),
].map((word) => ({ key: word, value: word }));

/**
 * At most one canonical period, for misspelt or incomplete words: `tomorow`, `nxt 3 dyas`, `3 days`; of times, their days.
 */
export function nearestPeriods(typed: string, direction: Direction): string[] {
  const days = typed.replace(/(\d{4}-\d{2}-\d{2})T\d{2}:[\d:.]*(?:Z|[+-]\d{2}:\d{2})?/gi, '$1');
  const words = days.toLowerCase().split(' ').filter(Boolean);
  if (words.length > 5) return [];
  const corrected = words.map(nearestWord).join(' ');
  const counted = `${direction === 'future' ? 'next' : 'last'} ${corrected}`;
  return [corrected, counted].flatMap((text) => canonicalPeriod(text, direction)).slice(0, 1);
}

/** The same; else a period among the words. */
export function nearestPeriodOf(typed: string, direction: Direction): string[] {
  const near = nearestPeriods(typed, direction);
  return near.length > 0 ? near : periodAmong(typed, direction);
}

/** At most one: the longest period among words that are no period, as in `2026-11-25 5 days`. */
function periodAmong(typed: string, direction: Direction): string[] {
  const words = typed.split(' ').slice(0, 8);
  const runs = words.flatMap((_, from) =>
    words.slice(from).map((__, length) => words.slice(from, from + length + 1)),
  );
  const longestFirst = runs.toSorted((one, other) => other.length - one.length);
  return longestFirst.flatMap((run) => canonicalPeriod(run.join(' '), direction)).slice(0, 1);
}

/** Numbers and words of two letters stay as they are. */
function nearestWord(word: string): string {
  if (!/^\p{L}{3,}$/u.test(word)) return word;
  return nearest(word, periodWords, 1)[0] ?? word;
}

function canonicalPeriod(text: string, direction: Direction): string[] {
  try {
    return [formatPeriod(parsePeriod(text, { direction, example: '', line: (fixed) => fixed }))];
  } catch (error) {
    if (error instanceof UserError) return [];
    throw error;
  }
}

/** `2026-10`, `oct 2026`, `october`, `this month`, `last month`. Throws UserError bad-month, also before `earliest`. */
export function parseMonth(text: string, help: LineHelp & { earliest?: IsoMonth }): Period {
  const typed = text
    .trim()
    .toLowerCase()
    .replace(/^(?:in|for|of) /, '');
  if (/^(?:this|current|the current)(?: month)?$/.test(typed)) return { kind: 'month', offset: 0 };
  if (/^(?:last|previous|the last)(?: month)?$/.test(typed)) return { kind: 'month', offset: -1 };
  const named = readMonthName(typed);
  if (named !== undefined) return { kind: 'named', month: named };
  const month = readMonth(typed, help);
  if (!month) {
    throw wordsError('bad-month', `${quote(text)} isn't a valid month.`, help, {
      hint: 'A month is written like 2026-10, “oct 2026” or “last month”.',
      fixes: [nearestMonth(typed, help)],
    });
  }
  if (help.earliest && month < help.earliest) throw tooEarly(month, help.earliest, help);
  return { kind: 'months', from: month, to: month };
}

const monthWords = [...monthNames, 'last', 'this', 'month'].map((word) => ({ key: word, value: word }));

/** Of misspelt words (`octobr`) or of a day (`2026-10-01`), in canonical words. */
function nearestMonth(typed: string, help: LineHelp): string {
  const [ofDay] = /^\d{4}-\d{2}(?=-\d)/.exec(typed) ?? [];
  const fixed = ofDay ?? typed.replace(/\p{L}{3,}/gu, (word) => nearest(word, monthWords, 1)[0] ?? word);
  if (fixed === typed) return 'last month';
  try {
    return formatPeriod(parseMonth(fixed, help));
  } catch (error) {
    if (error instanceof UserError) return 'last month';
    throw error;
  }
}

function tooEarly(month: IsoMonth, earliest: IsoMonth, help: LineHelp): UserError {
  const title = (isoMonth: IsoMonth) => format(parseISO(isoMonth), 'MMMM yyyy');
  const message = `There is nothing for ${title(month)}: the first month is ${title(earliest)}.`;
  return wordsError('bad-month', message, help, {
    choices: [{ label: title(earliest), line: help.line(earliest) }],
  });
}
