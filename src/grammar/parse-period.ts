import { getISOWeeksInYear } from 'date-fns/getISOWeeksInYear';
import { attempt, UserError } from '../errors.ts';
import { isPortName } from '../reference/ports.ts';
import { suffixesOf } from './carriers.ts';
import {
  dateShape,
  dayAhead,
  daysOfMonthShapes,
  isDay,
  isoMonth,
  isValidYear,
  monthShape,
  monthsAfter,
  monthWord,
  nameOfMonth,
  readDay,
  readMonth,
  readMonthName,
  readYearNumber,
  weekdayShape,
} from './dates.ts';
import { joinWords, type LineOption, quote } from './line.ts';
import { type Direction, isMoment, parseMoment } from './moment.ts';
import { numberWords, readCount } from './number-words.ts';
import {
  badPeriod,
  type CalendarUnit,
  dayOrYear,
  type FullUnit,
  formatPeriod,
  hasTimeOfDay,
  inYear,
  lacksYear,
  type MonthPart,
  type Period,
  type PeriodHelp,
  wholeDays,
  wrongDirection,
} from './period.ts';
import {
  type Groups,
  namesBoth,
  type ReadPeriod,
  rangeMark,
  shaped,
  splitDays,
  splitList,
  type Typed,
} from './period-shape.ts';
import { readDayList, readDays, readSingleDay, readTimes, readTwoDays, reversedPeriod } from './read-days.ts';
import { type DayPart, dayParts, readTime, timeShape } from './times.ts';

/** `fri 06-14`: after the name of a day these are hours. */
const bareHours = new RegExp(
  `^((?:on )?(?:${weekdayShape}|today|tomorrow)) ([01]\\d|2[0-4])-([01]\\d|2[0-4])$`,
  'i',
);

/** Throws UserError bad-period, bad-date or bad-month. `nearestTo`: the periods to offer for words that are none. */
export function parsePeriod(
  text: string,
  help: PeriodHelp,
  nearestTo: (typed: string) => readonly string[] = () => [],
): Period {
  const period = findPeriod(text, help);
  if (!period) throw badPeriod(`${quote(text)} isn't a valid period.`, help, nearestTo(text.trim()));
  return period;
}

/** Undefined if the words have the shape of none. Throws UserError for one that can't be. */
export function findPeriod(text: string, help: PeriodHelp): Period | undefined {
  const period = readPeriod(withYearFirst(text.trim().replace(bareHours, '$1 $2:00-$3:00')), help);
  if (period) checkDirection(period, text, help);
  return period;
}

/** In `2026/11/30~12/06`, the month comes first in the second date too. */
const withYearFirst = (text: string): string =>
  text.replace(
    /\b(20\d\d)([-/.])(\d{1,2}[-/.]\d{1,2} ?(?:\.{2}|~|-|to|until) ?)(\d{1,2}[-/.]\d{1,2})$/i,
    '$1$2$3$1$2$4',
  );

/** Takes the longest period off the end of a line. */
export const periodOption =
  (direction: Direction): LineOption<Period> =>
  (words, helpFor) => {
    const match = suffixesOf(words, 10).find(
      ({ rest, suffix }) => readers.some(({ match }) => match(suffix)) && !isOtherOption(rest, suffix),
    );
    if (!match) return undefined;
    const { rest, suffix } = match;
    return { rest, value: parsePeriod(suffix, { ...helpFor(rest), direction }) };
  };

/** After the word `carriers`, JULY is a carrier's code; after `min`, 12.5 is a share; Port 2000 is in Le Havre. */
const isOtherOption = (rest: string, suffix: string): boolean =>
  isPortName(`${/\S+$/.exec(rest)?.[0]} ${/^\d+$/.exec(suffix)?.[0]}`) ||
  (/(?:^|\s)carriers?:?$/i.test(rest) && readMonthName(suffix) !== undefined) ||
  (/(?:^|\s)(?:min(?:imum)?[.:]?|at least|>=?)$/i.test(rest) && /^[\d.,]+$/.test(suffix));

function readPeriod(typed: string, help: PeriodHelp): Period | undefined {
  for (const { match, read } of readers) {
    const groups = match(typed);
    if (groups) return read(groups, { typed, help });
  }
  return undefined;
}

// Sources of regular expressions.
const lead = '(?:in |for |within |during |over |at |on )?';
const from = '(?:from |between )?';
const [thisWord, nextWord, lastWord] = [
  'this|current',
  'next|nxt|coming',
  'last|past|previous|prev|prior|preceding|most recent|trailing|rolling',
];
const countWord = `${numberWords.join('|')}|(?:a )?few|(?:a )?couple(?: of)?`;
const counted =
  "(?<counted>hours?|hrs?|h|u(?:ur|ren)?|days?|d|weeks?|wks?|w|months?|mths?|mos?|quarters?|qtrs?|years?|yrs?)(?:\\.|')?";
const calendarUnit = '(?<calendarUnit>weekend|wkend|wknd|w\\/e|week|wk|month|mth|quarter|qtr|year|yr)';
const year = "(?:(?: of)?[ ,/-]+(?<year>\\d{4})| ?'(?<year>\\d{2}))?";
const shortYear = "(?:(?: of)?[ ,/-]*'?(?<year>\\d{4}|\\d{2}))?";
const week = '(?:(?:calendar )?(?:week|wk)|[ck]?w)\\.?[ -]?(?:no\\.? ?|# ?)?';
const half = '(?<half>1st|first|2nd|second) half';
const whole = '(?:(?:all|the whole|whole|the entire|entire|the full|full) (?:of )?(?:the )?)';
const yearWord = `(?<which>${thisWord}|${lastWord}) (?:year|yr)`;
const nthWeek = '(?<nth>1st|first|2nd|second|3rd|third|4th|fourth) (?:week|wk)';
const monthPart = `(?<part>early|mid|late|(?:the )?(?:(?:beginning|start|middle|end|${nthWeek}) of|${half}(?: of)?))`;

/** May include the day: `up to and incl. friday`. */
const untilWord =
  '(?:(?:up (?:to|until|till?)|until|till?|thru|through|to|before|by)(?:,? (?:and )?incl(?:\\.|uding|usive)?)?)';

type Shape = readonly [source: string, read: ReadPeriod];

/** A part of the calendar, which `since`, `until` and `end of` can stand before. */
const units: readonly Shape[] = [
  [`(?<which>${thisWord}|${nextWord}|${lastWord}) ${calendarUnit}`, readCalendar],
  [`(?<from>${monthShape})`, readMonths],
  [`(?<from>${monthWord})`, readNamedMonths],
  [
    `(?:the )?(?:q(?<quarter>[1-4])|(?<quarter>[1-4])(?:st|nd|rd|th) (?:quarter|qtr)|(?<ordinal>first|second|third|fourth) quarter)${shortYear}`,
    readQuarter,
  ],
  ['(?<year>\\d{4})[ /-]?q(?<quarter>[1-4])', readQuarter],
  [`(?:quarter|qtr)\\.? (?<quarter>[1-4])${shortYear}`, readQuarter],
  ["(?<quarter>[1-4])q(?:[ /'-]*(?<year>\\d{4}|\\d{2}))?", readQuarter],
  [`(?:the )?(?:h(?<half>[12])|${half})${shortYear}`, readHalf],
  ["(?<half>[12])h[ /'-]*(?<year>20\\d{2}|[2-9]\\d)", readHalf],
  [`(?:the )?month of (?<from>${monthShape})`, readMonths],
  [`(?:the )?month of (?<from>${monthWord})`, readNamedMonths],
  [`${week}(?<from>\\d{1,2})(?:${rangeMark}(?:${week})?(?<to>\\d{1,2}))?${year}`, readWeek],
  [`${week}(?<from>\\d{1,2})/(?<slashed>\\d{2})`, readWeek],
  ['(?<year>\\d{4})[ -]?w(?<from>\\d{1,2})', readWeek],
];

/** With slots, such as `{day}`. The first shape that matches is used. */
const shapes: readonly Shape[] = [
  [
    `${lead}(?:the )?(?:(?<which>${thisWord}|${nextWord}|${lastWord}) )?(?<calendarUnit>weekend|wkend|wknd|w\\/e)(?: only)?`,
    readCalendar,
  ],
  ...units.map(([source, read]): Shape => [lead + source, read]),
  ['(?<calendarUnit>[ymqw])td|(?:the )?(?<calendarUnit>year|quarter|month|week)[ -]to[ -]date', readToDate],
  ['(?:cy ?)?(?<year>20\\d{2}),? (?:ytd|year[ -]to[ -]date)|ytd (?<year>20\\d{2})', readYearToDate],
  [
    `(?:in )?(?:the )?(?:(?<year>20\\d{2})|{unit}),? (?:so far|up to now|until now|to date|[mqw]td)|so far (?:in )?(?:(?<year>20\\d{2})|{unit})`,
    readSoFar,
  ],
  [`(?:in |for |over )?${whole}(?:(?<year>20\\d{2})|{unit})`, readWhole],
  [`${lead}{yearless},?(?: of)?(?: the)? ${yearWord}|(?:the )?${yearWord}(?:'?s)? {yearless}`, readOfYear],
  [
    `${lead}(?:the )?(?:${lastWord}) (?:(?<count>\\d+|${countWord}) )?(?:full|whole|complete|completed|entire|closed|calendar) (?<calendarUnit>weeks?|wks?|months?|mths?|quarters?|qtrs?|years?|yrs?)`,
    readLastFull,
  ],
  [`{consecutive}${year}`, readConsecutive],
  [
    `(?:the |in the )?(?<edge>first|last) (?<count>\\d+|${countWord}) months of (?:(?<year>20\\d{2})|${yearWord})`,
    readEdgeOfYear,
  ],
  // As desks write it: L30D, T12M, LTM.
  ['[lt](?<count>\\d{1,3})(?<counted>[dwm])', readTrailing],
  ['[lt]tm', () => ({ kind: 'last', amount: 12, unit: 'months' })],
  ['(?:for )?(?:tonight|tonite|2nite|2night|overnight|this night)', () => ({ kind: 'tonight' })],
  [`${lead}{dayWord} (?<part>${Object.keys(dayParts).join('|')})`, readPartOfDay],
  [`in (?<count>\\d+|an?|${countWord}) ?${counted}(?: time)?`, readAhead],
  [`(?<count>\\d+|an?|${countWord}) ${counted} from (?:now|today)`, readAhead],
  ['(?:in |for )?(?:the )?(?<counted>week|wk|month|mth) after next', readAhead],
  [
    `${lead}(?:the )?(?<which>${nextWord}|${lastWord})(?: (?<count>${countWord}|\\S+))? ${counted}`,
    readCounted,
  ],
  [`(?<which>next|nxt|last|past|trailing) ?(?<count>\\d+) ?${counted}`, readCounted],
  [`(?<which>within)(?: the)?(?: (?<count>\\d+|${countWord}))? ?${counted}`, readCounted],
  // `1176W` is rather a voyage.
  [`(?:for |over )?(?<count>\\d{1,3})(?! ?w$)(?<!^2(?=day$)) ?${counted}`, readCounted],
  [
    '(?:since|from|after|as of|as from) (?:(?:the )?(?:start|beginning) of )?(?:(?:the )?{unit}|(?<year>20\\d{2}))(?: on(?:wards?)?)?',
    readSinceStart,
  ],
  [
    '(?:since|from|after) (?:the )?(?:start|beginning) of (?:the )?(?<calendarUnit>week|month|quarter|qtr|year)',
    readToDate,
  ],
  ['(?<word>since|from|after|as of|as from) (?:the )?{moment}(?: on(?:wards?)?)?', readOpenEnded],
  [`(?<word>${untilWord}) (?:the )?{moment}`, readOpenEnded],
  [`${untilWord} (?:(?:the )?end of )?(?:the )?{unit}`, readUntilEnd],
  [
    `(?:${untilWord} )?(?:(?:the )?(?:end|rest|remainder) of (?:the )?(?:(?<which>${thisWord}|${nextWord}) )?${calendarUnit}|eo(?<calendarUnit>[dwmqy]))`,
    readUntilEnd,
  ],
  // `this week and next`, `last month and this`
  [
    `(?:${thisWord}) (?<two>week|wk|month|quarter|qtr)(?: (?:and|to|until|till?|through) | ?[&+/] ?)(?:the )?(?:${nextWord})(?: \\k<two>)?`,
    ({ two: unit = '' }, { help }) => parsePeriod(`until end of next ${unit}`, help),
  ],
  [
    `(?:${lastWord}) (?<two>week|wk|month|quarter|qtr)(?: (?:and|to|until|till?|through) | ?[&+/] ?)(?:${thisWord})(?: \\k<two>)?`,
    ({ two: unit = '' }, { help }) => parsePeriod(`since last ${unit}`, help),
  ],
  [`${from}(?<from>${monthShape})${rangeMark}(?<to>${monthShape})`, readMonths],
  // ISO 8601, 4.4.1: an interval of two dates.
  ['(?<from>\\d{4}-\\d{2})/(?<to>\\d{4}-\\d{2})', readMonths],
  ['(?<from>\\d{4}-\\d{2}-\\d{2})[/; ](?<to>\\d{4}-\\d{2}-\\d{2})', readDays],
  [`${from}(?<from>${monthWord})${rangeMark}(?<to>${monthWord})${year}`, readNamedMonths],
  [`${lead}${monthPart}[ -](?<month>${monthWord})${year}`, readPartOfMonth],
  [`${lead}(?:the )?(?:(?:week|wk)\\.? (?:commencing|beginning|starting|of)|w/?c\\.?) {day}`, readWeekFrom],
  ['(?:in )?(?<year>\\d{4})', readYear],
  ["(?:in )?(?:cy|calendar(?: year)?|(?:the )?(?:full )?year)[ ']?(?<year>20\\d{2}|[2-9]\\d)", readYear],
  ...daysOfMonthShapes.map((shape): Shape => [from + shape, readDaysOfMonth]),
  [`(?:on )?(?<from>${weekdayShape})(?: ?[/&+] ?| and )(?<to>${weekdayShape})`, readTwoDays],
  ['(?:on )?{list}', readDayList],
  [`(?:on )?${from}{days}`, readDays],
  // Two columns of a table.
  [`(?<from>${dateShape}) (?<to>${dateShape})`, readDays],
  [
    `(?:on )?${from}(?<from>${weekdayShape})${rangeMark}(?<to>${weekdayShape})(?: of)? (?:next|nxt) (?:week|wk)`,
    ({ from: first, to: last }, of) => readDays({ from: `next ${first}`, to: `next ${last}` }, of),
  ],
  ['(?:on )?(?:the |this |coming )?{day}(?: only)?', readSingleDay],
  [
    `(?:on )?${from}(?:(?:this |coming )?{day},? )?${from}(?<from>${timeShape}|[01]?\\d|2[0-3])${rangeMark}(?:{lastDay},? )?(?<to>${timeShape})(?:,? (?:on )?{ofDay})?`,
    readTimes,
  ],
];

const slots: Record<string, (typed: string) => boolean> = {
  day: isDay,
  lastDay: isDay,
  ofDay: isDay,
  days: (typed) => splitDays(typed) !== undefined,
  list: (typed) => splitList(typed) !== undefined,
  dayWord: (typed) => isDay(typed) || /^(?:this|last)$/i.test(typed),
  moment: (typed) => isMoment(typed) || readTime(typed) !== undefined,
  unit: (typed) => unitMatches.some((match) => match(typed)),
  yearless: (typed) => readYearless(typed) !== undefined,
  consecutive: (typed) => readUnits(typed) !== undefined,
};
const unitMatches = units.map(([source]) => shaped(source, {}));
const readers = shapes.map(([source, read]) => ({ match: shaped(source, slots), read }));

function readCalendar({ which = 'this', calendarUnit = '' }: Groups): Period {
  const isNext = /^ne?xt$/i.test(which);
  return { kind: calendarUnitOf(calendarUnit), offset: isNext ? 1 : isOneOf(lastWord, which) ? -1 : 0 };
}

const isOneOf = (words: string, word: string): boolean => words.split('|').includes(word.toLowerCase());

/** By the first letter; `wknd` and `weekend` have the e or n. */
function calendarUnitOf(word: string): CalendarUnit {
  if (/^w(?:eeke|ke?n|\/e)/i.test(word)) return 'weekend';
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

/** `november so far`: it is the latest, and statistics end now. */
function readSoFar({ unit = '', year = unit }: Groups, of: Typed): Period | undefined {
  const period = readPeriod(year, of.help);
  if (period && of.help.direction === 'future')
    throw wrongDirection(period, { typed: of.typed, direction: 'future', help: of.help });
  return period;
}

function readWhole({ unit = '', year = unit }: Groups, { help }: Typed): Period | undefined {
  return readPeriod(year, help);
}

function readYearToDate({ year = '' }: Groups, of: Typed): Period {
  return { kind: 'year-to-date', year: validYear(year, of) };
}

/** `q3 last year`, `last year's october`. */
function readOfYear({ yearless = '', which = '' }: Groups): Period | undefined {
  const of = readYearless(yearless);
  return of && { kind: 'of-year', of, offset: isOneOf(lastWord, which) ? -1 : 0 };
}

function readYearless(typed: string) {
  const period = attempt(() => readPeriod(typed, noHelp));
  return period && !(period instanceof UserError) && lacksYear(period) ? period : undefined;
}

const noHelp: PeriodHelp = { example: '', line: (fixed) => fixed };

/** `last six full months`. */
function readLastFull({ count = '1', calendarUnit = '' }: Groups, of: Typed): Period {
  const { amount } = amountOf(
    readAmount(count),
    { ...countedUnitOf(calendarUnit), size: 1, kind: 'last' },
    of,
  );
  // The shape has no weekends.
  const unit = calendarUnitOf(calendarUnit) as FullUnit;
  return amount === 1 ? { kind: unit, offset: -1 } : { kind: 'last-full', amount, unit };
}

function readTrailing({ count, counted }: Groups, of: Typed): Period | undefined {
  return readCounted({ which: 'last', count, counted }, of);
}

/** `first nine months of 2026`. */
function readEdgeOfYear({ edge = '', count = '', year, which }: Groups, of: Typed): Period | undefined {
  const months = readAmount(count);
  if (months < 1 || months > 12) return undefined;
  const [month, last] = isFirst(edge) ? [1, months] : [13 - months, 12];
  const named = { kind: 'named', month, ...(last !== month && { last }) } as const;
  const valid = yearIn(year, of);
  if (valid) return inYear(named, valid.year);
  return { kind: 'of-year', of: named, offset: isOneOf(lastWord, which ?? '') ? -1 : 0 };
}

/** `sept + oct`, `q2 and q3`, `jul/aug/sep`: as the months from the first to the last. */
function readConsecutive({ consecutive = '', year }: Groups, of: Typed): Period | undefined {
  const months = readUnits(consecutive);
  const valid = yearIn(year, of);
  return months && valid ? inYear(months, valid.year) : months;
}

/** Undefined unless each follows the one before. */
function readUnits(typed: string) {
  const spans = typed.split(/ ?[,/+&] ?(?:and )?| and | plus | (?=[a-z]{3})/i).map((each) => {
    const [, quarter] = /^q([1-4])$/i.exec(each) ?? [];
    const month = readMonthName(each) ?? 3 * Number(quarter) - 2;
    return { month, length: quarter === undefined ? 1 : 3 };
  });
  const [first, ...others] = spans;
  if (!first || others.length === 0 || spans.length > 12) return undefined;
  const isNext = ({ month }: { month: number }, at: number): boolean => {
    const before = spans[at] ?? first;
    return month === ((before.month + before.length - 1) % 12) + 1;
  };
  if (!others.every(isNext)) return undefined;
  const last = spans.at(-1) ?? first;
  return { kind: 'named', month: first.month, last: last.month + last.length - 1 } as const;
}

function readPartOfDay({ dayWord: typedDay = '', part = '' }: Groups, { help }: Typed) {
  const phrase = (fixed: string) => `${fixed} ${part}`;
  const relative = { this: 'today', last: 'yesterday' }[typedDay.toLowerCase()];
  const day = readDay(relative ?? typedDay, help, { phrase });
  if (day === undefined) return undefined;
  if (day === 'today' && /^night$/i.test(part)) return { kind: 'tonight' as const };
  // The shape has these words only.
  return { kind: 'part-of-day' as const, day, part: part.toLowerCase() as DayPart };
}

/** `q3`, `third quarter of 2026`. */
function readQuarter({ quarter, ordinal = '', year }: Groups, of: Typed): Period {
  const number = quarter === undefined ? ordinals.indexOf(ordinal.toLowerCase()) + 1 : Number(quarter);
  return { kind: 'named-quarter', quarter: number, ...yearIn(year, of) };
}

/** `h1`, `first half of 2026`. */
function readHalf({ half = '', year }: Groups, of: Typed): Period {
  const valid = yearIn(year, of);
  const named = { kind: 'named-half', half: isFirst(half) ? 1 : 2 } as const;
  return valid ? inYear(named, valid.year) : named;
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
function readWeekFrom({ day: typedDay = '' }: Groups, { help }: Typed): Period | undefined {
  const day = readDay(typedDay, help, { phrase: (fixed) => `week commencing ${fixed}` });
  return day && { kind: 'week-from', day };
}

const maxAmount = { hours: 9_600, days: 400, months: 24 };
/** By the first letter of the typed unit. */
const countedUnits: Record<string, CountedUnit> = {
  h: { name: 'hours', unit: 'hours', size: 1 },
  u: { name: 'hours', unit: 'hours', size: 1 },
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
  const number = count === undefined ? (/s$/i.test(word) ? 3 : 1) : readAmount(count);
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

function readAmount(word: string): number {
  if (/few$/i.test(word)) return 3;
  return /couple/i.test(word) ? 2 : readCount(word);
}

/** `in 2 weeks`: the week then. Hours are no part of the calendar: `in 48 hours` is within them. */
function readAhead({ count = '2', counted: word = '' }: Groups, of: Typed): Period {
  const ahead = countedUnitOf(word);
  const number = readAmount(count);
  const kind = 'next';
  const within = amountOf(number, { ...ahead, kind }, of);
  if (ahead.name === 'hours') return { kind, ...within };
  if (ahead.name === 'days') return { kind: 'day', day: dayAhead(number) };
  return { kind: calendarUnitOf(word), offset: number };
}

/** `since monday`, `until sunday 18:00`, `by noon`. */
function readOpenEnded({ word = '', moment = '' }: Groups, { help }: Typed): Period {
  const kind = /since|from|after|as of/i.test(word) ? 'since' : 'until';
  const minutes = readTime(moment);
  if (minutes !== undefined) return { kind, day: 'today', minutes };
  const typed = parseMoment(moment, help, (fixed) => `${kind} ${fixed}`);
  // `before friday` ends when it begins.
  return { kind, ...(/^before$/i.test(word) && { minutes: 0 }), ...typed };
}

/** `since week 40`; `since aug 2026` is since its first day. */
function readSinceStart({ unit = '', year = unit }: Groups, { typed, help }: Typed): Period | undefined {
  const named = readPeriod(year, help);
  const of = named && /^after\b/i.test(typed) ? beside(named, 1) : named;
  if (of?.kind === 'months') return { kind: 'since', day: `${of.from}-01` };
  return of && { kind: 'since-start', of };
}

/** What begins as that one ends, or ends as it begins; undefined if only the calendar of its year knows. */
function beside(period: Period, step: 1 | -1): Period | undefined {
  if ('offset' in period && period.kind !== 'of-year') return { ...period, offset: period.offset + step };
  switch (period.kind) {
    case 'named': {
      const month = step > 0 ? (period.last ?? period.month) : period.month;
      return { kind: 'named', month: ((month + step + 11) % 12) + 1 };
    }
    case 'months': {
      const month = monthsAfter(step > 0 ? period.to : period.from, step);
      return { kind: 'months', from: month, to: month };
    }
    case 'named-quarter': {
      const { quarter, year } = period;
      const index = quarter - 1 + step;
      const of = year === undefined ? {} : { year: year + Math.floor(index / 4) };
      return { kind: 'named-quarter', quarter: ((index + 4) % 4) + 1, ...of };
    }
    case 'named-week': {
      const week = (step > 0 ? (period.last ?? period.week) : period.week) + step;
      return week < 1 || week > 52
        ? undefined
        : { kind: 'named-week', week, ...('year' in period && { year: period.year }) };
    }
    default:
      return undefined;
  }
}

/** `until next week`, `by the end of december`, `rest of the week`, `eom`. */
function readUntilEnd(
  { unit = '', which, calendarUnit }: Groups,
  { typed, help }: Typed,
): Period | undefined {
  if (calendarUnit?.toLowerCase() === 'd') return { kind: 'until', day: 'today' };
  const of = calendarUnit === undefined ? readPeriod(unit, help) : readCalendar({ which, calendarUnit });
  const last = of && /^before (?!.*\bend\b)/i.test(typed) ? beside(of, -1) : of;
  return last && { kind: 'until-end', of: last };
}

function readMonths({ from: first = '', to: second = first }: Groups, { typed, help }: Typed) {
  const from = readMonth(first, help);
  const to = readMonth(second, help);
  if (!from || !to) return undefined;
  // In the future, `nov-26` may be a day.
  if (help.direction === 'future' && /-\d{2}$/.test(second) && !/^\d{4}/.test(second)) {
    const [day, last] = [first, second].map((each) => readDay(each.replace('-', ' '), help));
    if (typeof day !== 'object' || typeof last !== 'object') return undefined;
    const days =
      first === second ? ({ kind: 'day', day } as const) : { kind: 'days' as const, from: day, to: last };
    throw dayOrYear(typed, { days, months: [day, last] }, help);
  }
  if (to < from) throw reversedPeriod(typed, { kind: 'months', from: to, to: from }, help);
  return { kind: 'months' as const, from, to };
}

/** `october`, `oct-dec`, `nov to jan 2027`: the year is that of the last month. */
function readNamedMonths({ from = '', to = from, year }: Groups, of: Typed): Period | undefined {
  const [month, last] = [readMonthName(from), readMonthName(to)];
  if (month === undefined || last === undefined) return undefined;
  // `aug and oct` leaves one out.
  const isPair = / and /i.test(of.typed) && !/^(?:between|from) /i.test(of.typed);
  if (isPair && last !== (month % 12) + 1) {
    const between = formatPeriod({ kind: 'named', month, last });
    throw badPeriod(`${quote(of.typed)} isn't one period: there is a gap.`, of.help, [between]);
  }
  const valid = yearIn(year, of);
  const named = { kind: 'named', month, ...(last !== month && { last }) } as const;
  return valid ? inYear(named, valid.year) : named;
}

/** `early december`, `end of dec 2026`, `first half of december`. */
function readPartOfMonth(
  { part: typedPart = '', half, nth, month: name = '', year }: Groups,
  of: Typed,
): Period | undefined {
  const month = readMonthName(name);
  return month === undefined
    ? undefined
    : { kind: 'named-part', part: monthPartOf(typedPart, half, nth), month, ...yearIn(year, of) };
}

const ordinals = ['first', 'second', 'third', 'fourth'];
const weekOrdinals = ['first', 'second', 'third', 'fourth'];
const weeksOfMonth = ['first week of', 'second week of', 'third week of', 'fourth week of'] as const;

function monthPartOf(typed: string, half: string | undefined, nth: string | undefined): MonthPart {
  const nthWeekOf = weeksOfMonth.find(
    (_, index) => nth?.startsWith(String(index + 1)) || nth?.toLowerCase() === weekOrdinals[index],
  );
  if (nthWeekOf) return nthWeekOf;
  if (half !== undefined) return isFirst(half) ? 'first half of' : 'second half of';
  if (/early|beginning|start/i.test(typed)) return 'early';
  return /mid/i.test(typed) ? 'mid' : 'late';
}

/** `25-28 Nov`, `nov 25-28, 2026`, `25.-28.11.`, `28 and 29 nov`. */
function readDaysOfMonth({ first, mark = '', last, month, number, year }: Groups, { typed, help }: Typed) {
  const fullYear = year?.length === 2 ? `20${year}` : year;
  const name = joinWords(month ?? nameOfMonth(Number(number)).slice(0, 3), fullYear);
  return parsePeriod(`${first} ${name}${namesBoth(mark, typed) ? ' and ' : '..'}${last} ${name}`, help);
}

/** Canonical periods that are in the wrong direction. */
const wrongPeriods: Record<Direction, RegExp> = {
  past: /^(?:since )?(?:next |tomorrow|tonight|in \d)/,
  future: /^(?:last |(?:.*\.\.|until )?yesterday(?: |$))/,
};

function checkDirection(period: Period, typed: string, help: PeriodHelp): void {
  const { direction } = help;
  if (!direction) return;
  // `coming weekend` is this one, until it is asked as one of the past.
  const isComing = direction === 'past' && /\bcoming\b/i.test(typed);
  if (isComing || wrongPeriods[direction].test(formatPeriod(period)))
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
