import { format } from 'date-fns/format';
import { getISOWeeksInYear } from 'date-fns/getISOWeeksInYear';
import { parseISO } from 'date-fns/parseISO';
import { UserError } from '../errors.ts';
import { nearest } from '../reference/nearest.ts';
import { suffixesOf } from './carriers.ts';
import {
  calendarDay,
  dayAfter,
  dayAhead,
  daysAhead,
  daysOfMonthShapes,
  formatDay,
  type IsoMonth,
  isDay,
  isoMonth,
  isValidYear,
  monthNames,
  monthShape,
  monthWord,
  nameOfMonth,
  orderOf,
  type PeriodDay,
  readDay,
  readMonth,
  readMonthName,
  readYearNumber,
  weekdayOfNextWeek,
  weekdayShape,
  weekdays,
} from './dates.ts';
import { type DateOrder, joinWords, type LineHelp, type LineOption, quote, wordsError } from './line.ts';
import { type Direction, formatMoment, isMoment, parseMoment } from './moment.ts';
import {
  badPeriod,
  type CalendarUnit,
  formatPeriod,
  hasTimeOfDay,
  type MonthPart,
  type Period,
  type PeriodHelp,
  wrongDirection,
} from './period.ts';
import { type DayPart, dayParts, readTime, timeShape } from './times.ts';

/** Throws UserError bad-period, bad-date or bad-month. `nearestTo`: the periods to offer for words that are none. */
export function parsePeriod(
  text: string,
  help: PeriodHelp,
  nearestTo: (typed: string) => readonly string[] = () => [],
): Period {
  const period = readPeriod(text.trim(), help);
  if (!period) throw badPeriod(`${quote(text)} isn't a valid period.`, help, nearestTo(text.trim()));
  checkDirection(period, text, help);
  return period;
}

/** Takes the longest period off the end of a line. */
export const periodOption =
  (direction: Direction): LineOption<Period> =>
  (words, helpFor) => {
    const match = suffixesOf(words, 10).find(
      ({ rest, suffix }) => readers.some(([match]) => match(suffix)) && !isOtherOption(rest, suffix),
    );
    if (!match) return undefined;
    const { rest, suffix } = match;
    return { rest, value: parsePeriod(suffix, { ...helpFor(rest), direction }) };
  };

/** After the word `carriers`, JULY is a carrier's code; after `min`, 12.5 is a share. */
const isOtherOption = (rest: string, suffix: string): boolean =>
  (/(?:^|\s)carriers?:?$/i.test(rest) && readMonthName(suffix) !== undefined) ||
  (/(?:^|\s)(?:min(?:imum)?[.:]?|at least|>=?)$/i.test(rest) && /^[\d.,]+$/.test(suffix));

function readPeriod(typed: string, help: PeriodHelp): Period | undefined {
  for (const [match, read] of readers) {
    const groups = match(typed);
    if (groups) return read(groups, { typed, help });
  }
  return undefined;
}

/** `groups`: the named groups of the shape. */
type ReadPeriod = (groups: Groups, of: Typed) => Period | undefined;
type Groups = Record<string, string | undefined>;
interface Typed {
  typed: string;
  help: PeriodHelp;
}

// Sources of regular expressions.
const rangeMark = '(?:\\s*(?:\\.{2,3}|→|-)\\s*|\\s+(?:to|until|till|and|thru|through)\\s+)';
const lead = '(?:in |for |within |during |over |at |on )?';
const from = '(?:from |between )?';
const [thisWord, nextWord, lastWord] = ['this|current', 'next|nxt|coming', 'last|past|previous|prev'];
const numberWords = 'one two three four five six seven eight nine ten eleven twelve'.split(' ');
const countWord = `${numberWords.join('|')}|(?:a )?few|(?:a )?couple(?: of)?`;
const counted =
  "(?<counted>hours?|hrs?|h|days?|d|weeks?|wks?|w|months?|mths?|mos?|quarters?|qtrs?|years?|yrs?)(?:\\.|')?";
const calendarUnit = '(?<calendarUnit>weekend|wknd|week|wk|month|mth|quarter|qtr|year|yr)';
const year = "(?:(?: of)?[ ,/-]+(?<year>\\d{4})| ?'(?<year>\\d{2}))?";
const shortYear = "(?:(?: of)?[ ,/-]*'?(?<year>\\d{4}|\\d{2}))?";
const week = '(?:(?:calendar )?(?:week|wk)|[ck]?w)\\.?[ -]?(?:no\\.? ?|# ?)?';
const half = '(?<half>1st|first|2nd|second) half';
const monthPart = `(?<part>early|mid|late|(?:the )?(?:beginning|start|middle|end|${half}) of)`;

type Match = (typed: string) => Groups | undefined;

/** Parts of a shape with a shape of their own. They are tested apart: within others, their expressions take long to compile. */
const slots: Record<string, (typed: string) => boolean> = {
  day: isDay,
  lastDay: isDay,
  ofDay: isDay,
  dayWord: (typed) => isDay(typed) || /^(?:this|last)$/i.test(typed),
  moment: (typed) => isMoment(typed) || readTime(typed) !== undefined,
  unit: (typed) => units.some(([match]) => match(typed)),
};

const shaped = (source: string): Match => {
  const shape = new RegExp(`^(?:${source.replace(/\{([a-z]\w+)\}/gi, '(?<$1>.+?)')})$`, 'i');
  return (typed) => {
    const match = shape.exec(typed);
    const groups: Groups = { ...match?.groups };
    const fits = ([name, part]: [string, string | undefined]) =>
      part === undefined || (slots[name]?.(part) ?? true);
    return match && Object.entries(groups).every(fits) ? groups : undefined;
  };
};

const leadingFrom = new RegExp(`^${from}`, 'i');
const rangeMarks = new RegExp(rangeMark, 'gi');

const betweenDays: Match = (typed) => {
  const text = typed.replace(leadingFrom, '');
  const splits = [...text.matchAll(rangeMarks)].map(({ index, 0: mark }) => ({
    from: text.slice(0, index),
    to: text.slice(index + mark.length),
  }));
  return splits.find(({ from, to }) => isDay(from) && isDay(to));
};

/** A part of the calendar, which `since`, `until` and `end of` can stand before. The first shape that matches is used. */
const units = (
  [
    [`(?<which>${thisWord}|${nextWord}|${lastWord}) ${calendarUnit}`, readCalendar],
    [`(?<from>${monthShape})`, readMonths],
    [`(?<from>${monthWord})`, readNamedMonths],
    [
      `(?:the )?(?:q(?<quarter>[1-4])|(?<quarter>[1-4])(?:st|nd|rd|th) (?:quarter|qtr)|(?<ordinal>first|second|third|fourth) quarter)${shortYear}`,
      readQuarter,
    ],
    ['(?<year>\\d{4})[ /-]?q(?<quarter>[1-4])', readQuarter],
    [`(?:the )?(?:h(?<half>[12])|${half})${shortYear}`, readHalf],
    [`${week}(?<from>\\d{1,2})(?:${rangeMark}(?:${week})?(?<to>\\d{1,2}))?${year}`, readWeek],
    [`${week}(?<from>\\d{1,2})/(?<slashed>\\d{2})`, readWeek],
    ['(?<year>\\d{4})[ -]?w(?<from>\\d{1,2})', readWeek],
  ] satisfies (readonly [source: string, read: ReadPeriod])[]
).map(([source, read]) => [shaped(lead + source), read] as const);

/** `{day}` is a slot. The first shape that matches is used. */
const readers: readonly (readonly [match: Match, read: ReadPeriod])[] = [
  [
    shaped(
      `${lead}(?:the )?(?:(?<which>${thisWord}|${nextWord}|${lastWord}) )?(?<calendarUnit>weekend|wknd)`,
    ),
    readCalendar,
  ],
  ...units,
  ...(
    [
      ['(?<calendarUnit>[ymqw])td|(?<calendarUnit>year|quarter|month|week)[ -]to[ -]date', readToDate],
      ['(?:for )?(?:tonight|overnight|this night)', () => ({ kind: 'tonight' })],
      [`${lead}{dayWord} (?<part>${Object.keys(dayParts).join('|')})`, readPartOfDay],
      [`in (?<count>\\d+|an?|${countWord}) ?${counted}(?: time)?`, readAhead],
      [`(?<count>\\d+|an?|${countWord}) ${counted} from (?:now|today)`, readAhead],
      ['(?:in |for )?(?:the )?(?<counted>week|wk|month|mth) after next', readAhead],
      [
        `${lead}(?:the )?(?<which>${nextWord}|${lastWord})(?: (?<count>${countWord}|\\S+))? ${counted}`,
        readCounted,
      ],
      [`(?<which>next|nxt|last|past) ?(?<count>\\d+) ?${counted}`, readCounted],
      [`(?<which>within)(?: the)?(?: (?<count>\\d+|${countWord}))? ?${counted}`, readCounted],
      // `1176W` is rather a voyage.
      [`(?:for |over )?(?<count>\\d{1,3})(?! ?w$) ?${counted}`, readCounted],
      [
        '(?:since|from|after) (?:(?:the )?(?:start|beginning) of )?(?:(?:the )?{unit}|(?<year>20\\d{2}))',
        readSinceStart,
      ],
      ['(?<word>since|from|after|until|till|to|before|by) {moment}', readOpenEnded],
      ['(?:until|till|to|before|by) (?:(?:the )?end of )?(?:the )?{unit}', readUntilEnd],
      [
        `(?:(?:until|till|by|before) )?(?:(?:the )?(?:end|rest|remainder) of (?:the )?(?:(?<which>${thisWord}|${nextWord}) )?${calendarUnit}|eo(?<calendarUnit>[dwmqy]))`,
        readUntilEnd,
      ],
      [`${from}(?<from>${monthShape})${rangeMark}(?<to>${monthShape})`, readMonths],
      // ISO 8601, 4.4.1: an interval of two dates.
      ['(?<from>\\d{4}-\\d{2})/(?<to>\\d{4}-\\d{2})', readMonths],
      ['(?<from>\\d{4}-\\d{2}-\\d{2})/(?<to>\\d{4}-\\d{2}-\\d{2})', readDays],
      [`${from}(?<from>${monthWord})${rangeMark}(?<to>${monthWord})${year}`, readNamedMonths],
      [`${lead}${monthPart}[ -](?<month>${monthWord})${year}`, readPartOfMonth],
      [
        `${lead}(?:the )?(?:(?:week|wk)\\.? (?:commencing|beginning|starting|of)|w/?c\\.?) {day}`,
        readWeekFrom,
      ],
      ['(?:in )?(?<year>\\d{4})', readYear],
      ...daysOfMonthShapes.map((shape) => [from + shape, readDaysOfMonth] as const),
      [`(?:on )?(?<from>${weekdayShape})(?: ?[/&+] ?| and )(?<to>${weekdayShape})`, readTwoDays],
    ] satisfies (readonly [source: string, read: ReadPeriod])[]
  ).map(([source, read]) => [shaped(source), read] as const),
  [betweenDays, readDays],
  [shaped('(?:on )?(?:the |this |coming )?{day}'), readSingleDay],
  [
    shaped(
      `(?:on )?${from}(?:(?:this |coming )?{day},? )?${from}(?<from>${timeShape}|[01]?\\d|2[0-3])${rangeMark}(?:{lastDay},? )?(?<to>${timeShape})(?:,? (?:on )?{ofDay})?`,
    ),
    readTimes,
  ],
];

function readCalendar({ which = 'this', calendarUnit = '' }: Groups): Period {
  const offset = isOneOf(nextWord, which)
    ? /coming/i.test(which)
      ? 0
      : 1
    : isOneOf(lastWord, which)
      ? -1
      : 0;
  return { kind: calendarUnitOf(calendarUnit), offset };
}

const isOneOf = (words: string, word: string): boolean => words.split('|').includes(word.toLowerCase());

/** By the first letter; `wknd` and `weekend` have the e or n. */
function calendarUnitOf(word: string): CalendarUnit {
  if (/^w(?:eeke|kn)/i.test(word)) return 'weekend';
  const units: readonly CalendarUnit[] = ['week', 'month', 'quarter', 'year'];
  return units.find((unit) => unit.startsWith(word.charAt(0).toLowerCase())) ?? 'week';
}

/** `ytd`: the current year, as far as there are journeys. */
function readToDate({ calendarUnit = '' }: Groups, { typed, help }: Typed): Period {
  const kind = calendarUnitOf(calendarUnit);
  if (help.direction === 'future')
    throw wrongDirection({ kind, offset: -1 }, { typed, direction: 'future', help });
  return { kind, offset: 0 };
}

function readPartOfDay({ dayWord: typedDay = '', part = '' }: Groups, { help }: { help: PeriodHelp }) {
  const phrase = (fixed: string) => `${fixed} ${part}`;
  const day = /^this$/i.test(typedDay)
    ? 'today'
    : /^last$/i.test(typedDay)
      ? 'yesterday'
      : readDay(typedDay, help, { phrase });
  if (day === undefined) return undefined;
  if (day === 'today' && /^night$/i.test(part)) return { kind: 'tonight' as const };
  // The shape has these words only.
  return { kind: 'part-of-day' as const, day, part: part.toLowerCase() as DayPart };
}

const ordinals = ['first', 'second', 'third', 'fourth'];

/** `q3`, `third quarter of 2026`. */
function readQuarter({ quarter, ordinal = '', year }: Groups, of: Typed): Period {
  const number = quarter === undefined ? ordinals.indexOf(ordinal.toLowerCase()) + 1 : Number(quarter);
  return { kind: 'named-quarter', quarter: number, ...yearIn(year, of) };
}

/** `h1`, `first half of 2026`. */
function readHalf({ half = '', year }: Groups, of: Typed): Period {
  const number = isFirst(half) ? 1 : 2;
  const valid = yearIn(year, of);
  if (!valid) return { kind: 'named-half', half: number };
  const monthOf = (month: number) => isoMonth({ ...valid, month });
  return { kind: 'months', from: monthOf(6 * number - 5), to: monthOf(6 * number) };
}

const isFirst = (word: string): boolean => /^(?:1|first)/i.test(word);

/** `2025`. */
function readYear({ year: digits = '' }: Groups, of: Typed): Period {
  const year = validYear(digits, of);
  return { kind: 'months', from: isoMonth({ year, month: 1 }), to: isoMonth({ year, month: 12 }) };
}

const yearIn = (digits: string | undefined, of: Typed) =>
  digits !== undefined && { year: validYear(digits, of) };

function validYear(digits: string, { typed, help }: Typed): number {
  const year = readYearNumber(digits);
  if (isValidYear(year)) return year;
  throw badPeriod(`${quote(typed)} isn't a valid period: the year goes from 2000 to 2100.`, help);
}

/** `week 48`, `KW 48/2026`, `wk 48-50`. `slashed`: a year, or in `KW 48/49` the next week. */
function readWeek({ from = '', to, year, slashed }: Groups, of: Typed): Period {
  const week = Number(from);
  const isNextWeek = slashed !== undefined && Number(slashed) === week + 1;
  const last = isNextWeek ? week + 1 : Number(to ?? from);
  const valid = yearIn(isNextWeek ? year : (year ?? slashed), of);
  // 2026 has 53 weeks, as every year may have that isn't named.
  const max = getISOWeeksInYear(new Date(valid ? valid.year : 2026, 5, 1));
  if (week >= 1 && week <= last && last <= max)
    return { kind: 'named-week', week, ...(last > week && { last }), ...valid };
  const { typed, help } = of;
  if (week > last && last >= 1 && week <= max)
    throw reversedPeriod(typed, { kind: 'named-week', week: last, last: week, ...valid }, help);
  const limit = valid ? `${valid.year} has ${max} weeks` : 'a year has 52 or 53 weeks';
  const nearestWeek = {
    kind: 'named-week',
    week: Math.min(Math.max(week, 1), valid ? max : 52),
    ...valid,
  } as const;
  throw badPeriod(`I can't read ${quote(typed)} as a period: ${limit}.`, help, [formatPeriod(nearestWeek)]);
}

/** `w/c 30 nov`. */
function readWeekFrom({ day: typedDay = '' }: Groups, { help }: { help: PeriodHelp }): Period | undefined {
  const day = readDay(typedDay, help, { phrase: (fixed) => `week commencing ${fixed}` });
  return day && { kind: 'week-from', day };
}

const maxAmount = { hours: 9_600, days: 400, months: 24 };
/** By the first letter of the typed unit. */
const countedUnits: Record<string, CountedUnit> = {
  h: { name: 'hours', unit: 'hours', size: 1 },
  d: { name: 'days', unit: 'days', size: 1 },
  w: { name: 'weeks', unit: 'days', size: 7 },
  m: { name: 'months', unit: 'months', size: 1 },
  q: { name: 'quarters', unit: 'months', size: 3 },
  y: { name: 'years', unit: 'months', size: 12 },
};
interface CountedUnit {
  name: string;
  unit: keyof typeof maxAmount;
  size: number;
}
const countedUnitOf = (word: string): CountedUnit =>
  countedUnits[word.charAt(0).toLowerCase()] ?? { name: 'days', unit: 'days', size: 1 };

/** Undefined for a number alone (`48h`) where both directions are possible. */
function readCounted({ which, count, counted: word = '' }: Groups, of: Typed): Period | undefined {
  const ofDirection = of.help.direction && ({ past: 'last', future: 'next' } as const)[of.help.direction];
  const kind = which === undefined ? ofDirection : isOneOf(lastWord, which) ? 'last' : 'next';
  // `the next days` are a few.
  const number = count === undefined ? (/s$/i.test(word) ? 3 : 1) : readCount(count);
  return kind && { kind, ...amountOf(number, { ...countedUnitOf(word), kind }, of) };
}

function amountOf(
  number: number,
  { name, unit, size, kind }: CountedUnit & { kind: 'last' | 'next' },
  { typed, help }: Typed,
) {
  const max = Math.floor(maxAmount[unit] / size);
  if (number >= 1 && number <= max) return { amount: number * size, unit };
  const message = `${quote(typed)} isn't a valid period: the number of ${name} goes from 1 to ${max}.`;
  throw badPeriod(message, help, [`${kind} 3 ${unit}`]);
}

/** 0 for a word that isn't a number. */
function readCount(word: string): number {
  if (/^\d+$/.test(word)) return Number(word);
  if (/few$/i.test(word)) return 3;
  if (/couple/i.test(word)) return 2;
  return /^an?$/i.test(word) ? 1 : numberWords.indexOf(word.toLowerCase()) + 1;
}

/** `in 2 weeks`: the week then. Hours are no part of the calendar: `in 48 hours` is within them. */
function readAhead({ count = '2', counted: word = '' }: Groups, of: Typed): Period {
  const ahead = countedUnitOf(word);
  const number = readCount(count);
  const kind = 'next';
  const within = amountOf(number, { ...ahead, kind }, of);
  if (ahead.name === 'hours') return { kind, ...within };
  if (ahead.name === 'days') return { kind: 'day', day: dayAhead(number) };
  return { kind: calendarUnitOf(word), offset: number };
}

/** `since monday`, `until sunday 18:00`, `by noon`. */
function readOpenEnded({ word = '', moment = '' }: Groups, { help }: { help: PeriodHelp }): Period {
  const kind = /since|from|after/i.test(word) ? 'since' : 'until';
  const minutes = readTime(moment);
  if (minutes !== undefined) return { kind, day: 'today', minutes };
  return { kind, ...parseMoment(moment, help, (fixed) => `${kind} ${fixed}`) };
}

/** `since week 40`; `since aug 2026` is since its first day. */
function readSinceStart({ unit = '', year = unit }: Groups, { help }: Typed): Period | undefined {
  const of = readPeriod(year, help);
  if (of?.kind === 'months') return { kind: 'since', day: `${of.from}-01` };
  return of && { kind: 'since-start', of };
}

/** `until next week`, `by the end of december`, `rest of the week`, `eom`. */
function readUntilEnd({ unit = '', which, calendarUnit }: Groups, { help }: Typed): Period | undefined {
  if (calendarUnit?.toLowerCase() === 'd') return { kind: 'until', day: 'today' };
  const of = calendarUnit === undefined ? readPeriod(unit, help) : readCalendar({ which, calendarUnit });
  return of && { kind: 'until-end', of };
}

function readMonths({ from: first = '', to: second = first }: Groups, { typed, help }: Typed) {
  const from = readMonth(first, help);
  const to = readMonth(second, help);
  if (!from || !to) return undefined;
  if (to < from) throw reversedPeriod(typed, { kind: 'months', from: to, to: from }, help);
  return { kind: 'months' as const, from, to };
}

/** `october`, `oct-dec`, `nov to jan 2027`: the year is that of the last month. */
function readNamedMonths({ from = '', to = from, year }: Groups, of: Typed): Period | undefined {
  const [month, last] = [readMonthName(from), readMonthName(to)];
  if (month === undefined || last === undefined) return undefined;
  const valid = yearIn(year, of);
  if (!valid) return { kind: 'named', month, ...(last !== month && { last }) };
  const firstYear = last < month ? valid.year - 1 : valid.year;
  return {
    kind: 'months',
    from: isoMonth({ year: firstYear, month }),
    to: isoMonth({ ...valid, month: last }),
  };
}

/** `early december`, `end of dec 2026`, `first half of december`. */
function readPartOfMonth(
  { part: typedPart = '', half, month: name = '', year }: Groups,
  of: Typed,
): Period | undefined {
  const month = readMonthName(name);
  return month === undefined
    ? undefined
    : { kind: 'named-part', part: monthPartOf(typedPart, half), month, ...yearIn(year, of) };
}

function monthPartOf(typed: string, half: string | undefined): MonthPart {
  if (half !== undefined) return isFirst(half) ? 'first half of' : 'second half of';
  if (/early|beginning|start/i.test(typed)) return 'early';
  return /mid/i.test(typed) ? 'mid' : 'late';
}

/** `25-28 Nov`, `nov 25-28, 2026`, `25.-28.11.`. */
function readDaysOfMonth(
  { first, last, month, number, year }: Groups,
  { help }: { help: PeriodHelp },
): Period {
  const name = joinWords(month ?? nameOfMonth(Number(number)).slice(0, 3), year);
  return parsePeriod(`${first} ${name}..${last} ${name}`, help);
}

/** `mon/tue`: days that follow each other. */
function readTwoDays(groups: Groups, { typed, help }: Typed): Period | undefined {
  const [from, to] = [readDay(groups.from ?? '', help), readDay(groups.to ?? '', help)];
  if (!from || !to) return undefined;
  if (dayAfter(from) === to) return { kind: 'days', from, to };
  const message = `I can't read ${quote(typed)} as a period: these days don't follow each other.`;
  throw badPeriod(message, help, [formatPeriod({ kind: 'days', from, to }), formatDay(from)]);
}

function readDays({ from: first = '', to: second = '' }: Groups, { typed, help }: Typed) {
  const order = orderOfBoth(first, second);
  const from = readDay(first, help, {
    order,
    phrase: (fixed, like) => `${fixed}..${nearestValidDay(second, like)}`,
  });
  const to = readDay(second, help, {
    order,
    phrase: (fixed) => `${from && formatDay(from)}..${fixed}`,
  });
  if (!from || !to) return undefined;
  if (isReversed(from, to)) throw reversedPeriod(typed, { kind: 'days', from: to, to: from }, help);
  return { kind: 'days' as const, from: inYearOf(to, from), to };
}

/** `24/11-28/11/2026`: the last day's year, or the one before if the period spans New Year. */
function inYearOf(to: PeriodDay, from: PeriodDay): PeriodDay {
  const year = Number(/^\d{4}(?=-)/.exec(formatDay(to))?.[0]);
  if (typeof from === 'string' || !year) return from;
  const dayIn = (each: number) => calendarDay({ year: each, month: from.month, day: from.date });
  const sameYear = dayIn(year);
  return (sameYear && formatDay(sameYear) <= formatDay(to) ? sameYear : dayIn(year - 1)) ?? from;
}

/** `fri 06:00-14:00`, `fri 22:00-06:00`, `from fri 06:00 to sat 14:00`, `6-14h`. */
function readTimes(groups: Groups, { typed, help }: Typed): Period | undefined {
  const { from: first = '', to: second = '', day, ofDay = 'today', lastDay } = groups;
  const isHour = readTime(first) === undefined;
  const minutes = {
    from: isHour ? Number(first) * 60 : (readTime(first) ?? 0) % 1440,
    to: readTime(second) ?? 0,
  };
  // In `6-14h`, but not in `6-fri 14h`, the first number is an hour.
  if (isHour && lastDay !== undefined) return undefined;
  const order = orderOfBoth(day ?? ofDay, lastDay ?? '');
  const end = (like?: DateOrder) => joinWords(lastDay && nearestValidDay(lastDay, like), second);
  const begins = readDay(day ?? ofDay, help, {
    order,
    phrase: (fixed, like) => `${fixed} ${first}..${end(like)}`,
  });
  if (begins === undefined) return undefined;
  const from = { day: begins, minutes: minutes.from };
  if (lastDay === undefined) {
    const ends = minutes.to > minutes.from ? begins : dayAfter(begins);
    if (ends !== undefined) return { kind: 'times', from, to: { day: ends, minutes: minutes.to } };
    throw badPeriod(`${quote(typed)} ends on the next day: write that day too.`, help);
  }
  const phrase = (fixed: string) => `${formatMoment(from)}..${fixed} ${second}`;
  const ends = readDay(lastDay, help, { order, phrase });
  if (ends === undefined) return undefined;
  const to = { day: ends, minutes: minutes.to };
  const isOneDay = formatDay(begins) === formatDay(ends);
  if (isReversed(begins, ends) || (isOneDay && to.minutes <= from.minutes))
    throw reversedPeriod(typed, { kind: 'times', from: to, to: from }, help);
  return { kind: 'times', from, to };
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

function readSingleDay({ day: typedDay = '' }: Groups, { help }: { help: PeriodHelp }): Period | undefined {
  const day = readDay(typedDay, help);
  return day && { kind: 'day', day };
}

/** The day itself if it is valid, else the nearest valid day. */
function nearestValidDay(typed: string, order: DateOrder | undefined): string {
  try {
    const day = readDay(typed, { example: '', line: (fixed) => fixed }, { order });
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
  const [fromAhead, toAhead] = [daysAhead(from), daysAhead(to)];
  if (fromAhead !== undefined && toAhead !== undefined) return toAhead < fromAhead;
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
  past: /^(?:since )?(?:next |tomorrow|tonight|in \d)/,
  future: /^(?:last |(?:.*\.\.|until )?yesterday(?: |$))/,
};

function checkDirection(period: Period, typed: string, help: PeriodHelp): void {
  const { direction } = help;
  if (!direction) return;
  if (wrongPeriods[direction].test(formatPeriod(period)))
    throw wrongDirection(period, { typed, direction, help });
  if (direction === 'past' && hasTimeOfDay(period)) throw withTimes(period, typed, help);
  if (direction === 'future' && period.kind.startsWith('since'))
    throw badPeriod(`${quote(typed)} has no end: say until when.`, help);
  if (direction === 'past' && period.kind.startsWith('until'))
    throw badPeriod(`${quote(typed)} has no beginning: say since when.`, help);
}

/** Statistics are counted by days. */
function withTimes(period: Period, typed: string, help: PeriodHelp): UserError {
  const message = `${quote(typed)} has a time of day: statistics take dates, weeks and months.`;
  return badPeriod(message, help, [formatPeriod(wholeDays(period))]);
}

function wholeDays(period: Period): Period {
  if (period.kind === 'times') {
    const [from, to] = [period.from.day, period.to.day];
    return formatDay(from) === formatDay(to) ? { kind: 'day', day: from } : { kind: 'days', from, to };
  }
  if (period.kind === 'part-of-day') return { kind: 'day', day: period.day };
  return period.kind === 'since' ? { kind: 'since', day: period.day } : period;
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
  // For usage `10/26` is a month.
  const month = readMonth(
    typed.replace(/^(\d{1,2}[/.])(\d{2})$/, (_, month, year) => `${month}20${year}`),
    help,
  );
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
