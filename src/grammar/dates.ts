import { isValid } from 'date-fns/isValid';
import { parseISO } from 'date-fns/parseISO';
import { type DateOrder, type LineHelp, quote, wordsError } from './line.ts';

/** `2026-11-24`, a day that exists. */
type IsoDate = `${number}-${number}-${number}`;
/** `2026-11`. */
export type IsoMonth = `${number}-${number}`;
/** Two days ahead or more. */
type DayAhead = `in ${number} days`;
/** `soonest`: the first on which a time is still to come; it is left out of a line. */
export type DayWord = IsoDate | DayAhead | 'yesterday' | 'today' | 'tomorrow' | 'thanksgiving' | 'soonest';
export const relativeDays: readonly string[] = ['yesterday', 'today', 'tomorrow'];

/** A day without a year; the month is 1 to 12. */
export interface DayOfYear {
  month: number;
  date: number;
}

export const weekdays = [
  'sunday',
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
] as const;
export type Weekday = (typeof weekdays)[number];
/** Of the next week, which begins on Monday. */
type NextWeekday = `next ${Weekday}`;
/** The last one before today. */
type LastWeekday = `last ${Weekday}`;
/** The day of the nearest month that has it: `the 27th`. */
type DayOfMonth = `the ${number}${'st' | 'nd' | 'rd' | 'th'}`;
export type PeriodDay = DayWord | DayOfYear | DayOfMonth | Weekday | NextWeekday | LastWeekday;

export const isWeekday = (day: PeriodDay): day is Weekday => weekdays.some((name) => name === day);

/** Undefined for any other day. */
export const weekdayOfNextWeek = (day: PeriodDay): Weekday | undefined =>
  weekdays.find((name) => day === `next ${name}`);

/** Undefined for any other day. */
export const weekdayBeforeToday = (day: PeriodDay): Weekday | undefined =>
  weekdays.find((name) => day === `last ${name}`);

export const monthNames: readonly string[] =
  'january february march april may june july august september october november december'.split(' ');
/** In order; in English, and where no other word is like it in Dutch, French and German. */
const monthSpellings = [
  'jan(?:uary|uari|uar|vier)?',
  'feb(?:ruary|ruari|ruar)?|f[ée]vr(?:ier)?',
  'mar(?:ch)?|mrt|maart|m[äa]e?rz',
  'apr(?:il)?|avr(?:il)?',
  'may|mai|mei',
  'june?|juni|juin',
  'july?|juli|juil(?:let)?',
  'aug(?:ust|ustus)?|ao[ûu]t',
  'sept?(?:ember|embre)?',
  'o[ck]t(?:ober|obre)?',
  'nov(?:ember|embre)?',
  'de[cz](?:ember)?|d[ée]c(?:embre)?',
];
const wholeMonths = monthSpellings.map((spelling) => new RegExp(`^(?:${spelling})\\.?$`, 'i'));

// Sources of regular expressions, without groups. They also match invalid days and months.

export const monthWord = `(?:${monthSpellings.join('|')})\\.?`;
export const weekdayShape =
  '(?:mon(?:day)?|tue(?:s|sday)?|wed(?:s|nesday)?|thu(?:rs?|rsday)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?)\\.?';
/** Also as people write them in the languages around the North Sea, and in Spanish and Portuguese. */
const todayShape = "(?:today|tdy|tday|2day|heute|vandaag|hoy|hoje|aujourd'hui)";
const tomorrowShape = '(?:tomorrow|tmrw|tmr|tmw|tom|2mo?ro(?:w)?|2morrow|morgen|demain|ma[ñn]ana|amanh[ãa])';
const relativeDayShape = `(?:thanksgiving(?: day)?|yesterday|yday|${todayShape}|${tomorrowShape}|(?:the )?day after tomorrow|in [1-9]\\d{0,2} days?)`;
const dayNumber = '(?:0?[1-9]|[12]\\d|3[01])';
const monthNumber = '(?:0?[1-9]|1[0-2])';
const inNumbers = [
  '\\d{4}[-/.]\\d{1,2}[-/.]\\d{1,2}',
  '\\d{1,2}[./]\\d{1,2}[./]\\d{2,4}',
  '\\d{1,2}-\\d{1,2}-(?:\\d{4}|\\d{2})',
  `${dayNumber}\\.${monthNumber}\\.?`,
  `(?:${dayNumber}[/-]${monthNumber}|${monthNumber}[/-]${dayNumber})`,
];
const ordinal = '(?:st|nd|rd|th)';
/** Any other number is a time: `27 nov 0800`. */
const fullYear = '(?:20\\d{2}|2100)';
const withMonthName = [
  `\\d{1,2}-${monthWord}-(?:${fullYear}|\\d{2})`,
  `\\d{1,2}/${monthWord}/(?:${fullYear}|\\d{2})`,
  `\\d{1,2}(?:${ordinal}|\\.)?(?: of)?[ /-]?${monthWord},?(?: ${fullYear}| ?'\\d{2})?`,
  `${monthWord} \\d{1,2}${ordinal}?(?:,? ${fullYear}|,? ?'\\d{2})?`,
];
/** Before a date, which says more: `fri 27 nov`. In `fri 06.10` the numbers are rather a time. */
const weekdayBefore = `${weekdayShape},? (?!\\d{1,2}\\.\\d{1,2}(?![\\d.]))`;
/** A day of the calendar: `24 nov`, `24/11`, `2026-11-24`. */
export const dateShape = `(?:(?:${weekdayBefore})?(?:${[...inNumbers, ...withMonthName].join('|')}))`;
const dayOfMonthShape = `(?:the )?(?:0?1st|21st|31st|0?2nd|22nd|0?3rd|23rd|(?:0?[4-9]|1\\d|20|2[4-9]|30)th)`;
/** The date comes first: `fri` is only a part of `fri 27 nov`. */
export const dayShape = `(?:${dateShape}|(?:next |nxt |last )?${weekdayShape}|${relativeDayShape}|${dayOfMonthShape})`;
const dayRangeMark =
  '(?<mark> ?- ?|\\.{2,3}| (?:to|until|till?|thru|through|bis|tot) |(?: ?[&+,/] ?| (?:and|und|et|en|y|e) ))';
/** With groups: the first day, what stands between, the last day, and the month (and year) of both. */
export const daysOfMonthShapes = [
  `(?<first>\\d{1,2})(?:${ordinal}|\\.)?${dayRangeMark}(?<last>\\d{1,2})(?:${ordinal}|\\.)?(?: of)?[ /]?(?<month>${monthWord}(?:,? \\d{4})?)`,
  `(?<month>${monthWord}) (?<first>\\d{1,2})${ordinal}?${dayRangeMark}(?<last>\\d{1,2})${ordinal}?(?:,? (?<year>\\d{4}))?`,
  `(?<first>\\d{1,2})\\.?${dayRangeMark}(?<last>\\d{1,2})[./](?<number>${monthNumber})(?:\\.|[./](?<year>\\d{4}|\\d{2}))?`,
];
export const monthShape = `(?:\\d{4}[-/.]\\d{1,2}|\\d{1,2}[/.]\\d{4}|${monthWord}(?:[ /-]\\d{4}| ?'\\d{2}|-\\d{2})|\\d{4} ${monthWord})`;

/** `october` for 10. */
export const nameOfMonth = (month: number): string => monthNames[month - 1] ?? '';

/** 1 to 12; 0 if it isn't the name of a month. */
const monthOfName = (name: string): number => wholeMonths.findIndex((month) => month.test(name)) + 1;

/** 1 to 12 for a month's name alone (`oct`, `October`, `Okt.`); undefined for anything else. */
export const readMonthName = (text: string): number | undefined => monthOfName(text.trim()) || undefined;

interface DayReading {
  /** The order of another date beside this one. */
  order?: DateOrder | undefined;
  /** The words around a day that is offered instead; `order` if it is that of the typed day. */
  phrase?: (day: string, order?: DateOrder) => string;
}

const wholeDate = new RegExp(`^${dateShape}$`, 'i');
const leadingWeekday = new RegExp(`^${weekdayShape},? `, 'i');

/** Whether a text has the shape of a day, also of one that doesn't exist. */
export const isDay = (typed: string): boolean =>
  [wholeDate, wholeWeekday, wholeRelativeDay, wholeDayOfMonth].some((shape) => shape.test(typed));

/**
 * A day as people write it; undefined if the text has another shape. Throws UserError bad-date for an invalid day, or one
 * that can be read in two ways, and offers valid ones. `help.dateOrder` decides where both numbers can be the month.
 */
export function readDay(text: string, help: LineHelp, reading: DayReading = {}): PeriodDay | undefined {
  const typed = text.trim().replace(/,$/, '');
  const word = readWeekday(typed) ?? readRelativeDay(typed) ?? readDayOfMonth(typed);
  if (word !== undefined || !wholeDate.test(typed)) return word;
  const { phrase = (day) => day } = reading;
  const date = typed.replace(leadingWeekday, '');
  const own = orderOf(date);
  const order = own === 'unclear' ? (reading.order ?? help.dateOrder ?? own) : own;
  if (order === 'unclear') {
    const fixes = (['day', 'month'] as const).flatMap((first) => {
      const day = calendarDay(readNumbers(date, first));
      return day ? [phrase(formatDay(day), first)] : [];
    });
    const message = `${quote(typed)} can be read in two ways: which number is the month?`;
    throw wordsError('bad-date', message, help, { hint: dateHint, fixes });
  }
  const numbers = readNumbers(date, order);
  const day = calendarDay(numbers);
  if (day) return day;
  const lastOfMonth = lastDayBefore(numbers);
  throw wordsError('bad-date', `${quote(typed)} isn't a valid date.`, help, {
    hint: dateHint,
    fixes: lastOfMonth ? [phrase(formatDay(lastOfMonth), order)] : [],
  });
}

const dateHint = 'Write a date like 24 nov or 2026-11-24.';

/** Undefined for a date that isn't written with slashes or dashes, or is the same in both orders, or in none. */
export function orderOf(typed: string): DateOrder | 'unclear' | undefined {
  const date = typed.trim().replace(leadingWeekday, '');
  const [, first, second] = (/^(\d{1,2})[/-](\d{1,2})(?:[/-]\d{2,4})?$/.exec(date) ?? []).map(Number);
  if (!first || !second || first === second) return undefined;
  if (second > 12) return first > 12 ? undefined : 'month';
  return first > 12 ? 'day' : 'unclear';
}

/** The order of a day and a month in numbers, as people write them in a locale (`en-US`); undefined if it is unknown. */
export function dateOrderOf(locale: string | undefined): DateOrder | undefined {
  if (locale === undefined) return undefined;
  const order = dateOrders.get(locale) ?? findDateOrder(locale);
  if (order) dateOrders.set(locale, order);
  return order;
}

/** To make a format takes a third of a millisecond. */
const dateOrders = new Map<string, DateOrder>();

function findDateOrder(locale: string): DateOrder | undefined {
  try {
    const parts = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'numeric' }).formatToParts();
    const order = parts.flatMap(({ type }) => (type === 'day' || type === 'month' ? [type] : []));
    return order[0];
  } catch {
    return undefined;
  }
}

/** `fri`, `Friday`, `next fri`. */
function readWeekday(typed: string): Weekday | NextWeekday | LastWeekday | undefined {
  const [, which, word = ''] = wholeWeekday.exec(typed) ?? [];
  const weekday = word && weekdays.find((name) => name.startsWith(word.slice(0, 3).toLowerCase()));
  if (!weekday) return undefined;
  if (which === undefined) return weekday;
  return /last/i.test(which) ? `last ${weekday}` : `next ${weekday}`;
}

const wholeWeekday = new RegExp(`^(ne?xt |last )?(${weekdayShape})$`, 'i');
const wholeRelativeDay = new RegExp(`^${relativeDayShape}$`, 'i');
const wholeDayOfMonth = new RegExp(`^${dayOfMonthShape}$`, 'i');
const wholeToday = new RegExp(`^${todayShape}$`, 'i');

/** `tmrw`, `day after tomorrow`, `in 3 days`. */
function readRelativeDay(typed: string): DayWord | undefined {
  if (!wholeRelativeDay.test(typed)) return undefined;
  const word = typed.toLowerCase();
  if (word.startsWith('y')) return 'yesterday';
  if (word.startsWith('thanks')) return 'thanksgiving';
  if (wholeToday.test(word)) return 'today';
  const count = Number(word.endsWith('day after tomorrow') ? 2 : (/\d+(?= day)/.exec(word)?.[0] ?? 1));
  return dayAhead(count);
}

/** `27th`, `the 1st`. */
function readDayOfMonth(typed: string): DayOfMonth | undefined {
  const [, number, ending] = (wholeDayOfMonth.test(typed) && /0?(\d+)(\w\w)$/.exec(typed)) || [];
  // The shape has these endings only.
  return number === undefined ? undefined : (`the ${number}${ending?.toLowerCase()}` as DayOfMonth);
}

/** 1 to 31; undefined for any other day. */
export const dayOfMonth = (day: PeriodDay): number | undefined =>
  typeof day === 'string' && day.startsWith('the ') ? Number.parseInt(day.slice(4), 10) : undefined;

/** Undefined for a day whose number is relative to others (`today`). */
export const daysAhead = (day: PeriodDay): number | undefined => {
  if (typeof day !== 'string') return undefined;
  const relative = relativeDays.indexOf(day);
  if (relative >= 0) return relative - 1;
  const [, count] = /^in (\d+) days$/.exec(day) ?? [];
  return count === undefined ? undefined : Number(count);
};

/** Undefined where that depends on the year (28 feb) or the month (the 30th), or the day after has no words (`next sunday`). */
export function dayAfter(day: PeriodDay): PeriodDay | undefined {
  if (typeof day !== 'string') {
    if (day.month === 2 && day.date === 28) return undefined;
    const next = new Date(Date.UTC(leapYear, day.month - 1, day.date + 1));
    return { month: next.getUTCMonth() + 1, date: next.getUTCDate() };
  }
  if (day === 'thanksgiving' || dayOfMonth(day) !== undefined || weekdayBeforeToday(day)) return undefined;
  const ahead = daysAhead(day);
  if (ahead !== undefined) return dayAhead(ahead + 1);
  if (isWeekday(day)) return weekdays[(weekdays.indexOf(day) + 1) % 7];
  const ofNextWeek = weekdayOfNextWeek(day);
  if (ofNextWeek === 'sunday') return undefined;
  if (ofNextWeek) return `next ${weekdays[weekdays.indexOf(ofNextWeek) + 1] ?? 'sunday'}`;
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const next = new Date(Date.UTC(year, month - 1, date + 1));
  return isoDay({ year: next.getUTCFullYear(), month: next.getUTCMonth() + 1, day: next.getUTCDate() });
}

/** Not before today. */
export const dayAhead = (ahead: number): DayWord =>
  ahead === 0 ? 'today' : ahead === 1 ? 'tomorrow' : `in ${ahead} days`;

/** `2026-11-24`, `tomorrow`, `friday`, `24 nov`, `the 24th`. */
export const formatDay = (day: PeriodDay): string =>
  typeof day === 'string' ? day : `${day.date} ${nameOfMonth(day.month).slice(0, 3)}`;

const wholeMonth = new RegExp(`^${monthShape}$`, 'i');

/** A month as people write it; undefined if the text has another shape. Throws UserError bad-month. */
export function readMonth(text: string, help: LineHelp): IsoMonth | undefined {
  const typed = text.trim();
  if (!wholeMonth.test(typed)) return undefined;
  const [digits = ''] = /\d{4}|(?<=['-])\d{2}$/.exec(typed) ?? [];
  const year = readYearNumber(digits);
  const rest = typed.replace(digits, '').replace(/[^\p{L}\d]/gu, '');
  const month = /^\d+$/.test(rest) ? Number(rest) : monthOfName(rest);
  if (month >= 1 && month <= 12 && isValidYear(year)) return isoMonth({ year, month });
  throw wordsError('bad-month', `${quote(typed)} isn't a valid month.`, help, {
    hint: 'Write a month as year-month, such as 2026-10.',
  });
}

/** A year of two digits is in this century. */
export const readYearNumber = (digits: string): number =>
  Number(digits.length === 2 ? `20${digits}` : digits);

export function monthsAfter(of: IsoMonth, months: number): IsoMonth {
  const [year = 0, month = 1] = of.split('-').map(Number);
  const count = 12 * year + month - 1 + months;
  return isoMonth({ year: Math.floor(count / 12), month: (count % 12) + 1 });
}

/** Month 1 to 12. */
export const isoMonth = ({ year, month }: { year: number; month: number }): IsoMonth =>
  // The padding keeps both parts numeric, which the type can't see.
  `${year}-${pad(month)}` as IsoMonth;

const pad = (part: number): string => String(part).padStart(2, '0');

interface DayNumbers {
  /** Left out in `24 Nov`. */
  year?: number;
  month: number;
  day: number;
}

/** For a text with the shape of a date. */
function readNumbers(typed: string, order: DateOrder = 'day'): DayNumbers {
  const iso = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(typed);
  if (iso) return { year: Number(iso[1]), month: Number(iso[2]), day: Number(iso[3]) };
  const [, first, second, short] = /^(\d{1,2})[./-](\d{1,2})(?:\.|[./-](\d{2,4}))?$/.exec(typed) ?? [];
  if (first !== undefined) {
    const [day, month] = order === 'day' ? [first, second] : [second, first];
    return { ...yearOf(short), month: Number(month), day: Number(day) };
  }
  const [name = ''] = typed.match(/\p{L}{3,}/gu)?.filter(monthOfName) ?? [];
  const [, day, year] = /^\D*(\d{1,2})\D*(\d{2,4})?$/.exec(typed) ?? [];
  return { ...yearOf(year), month: monthOfName(name), day: Number(day) };
}

const yearOf = (digits: string | undefined) => digits !== undefined && { year: readYearNumber(digits) };

export const isValidYear = (year: number): boolean => year >= 2000 && year <= 2100;

const leapYear = 2024;

/** Undefined for a day that doesn't exist, in that year or in any. */
export function calendarDay({ year, month, day }: DayNumbers): IsoDate | DayOfYear | undefined {
  if (year !== undefined) return isoDay({ year, month, day });
  return isoDay({ year: leapYear, month, day }) && { month, date: day };
}

function isoDay({ year, month, day }: Required<DayNumbers>): IsoDate | undefined {
  const date = `${isoMonth({ year, month })}-${pad(day)}`;
  // A text that parses as a date has its shape.
  return isValidYear(year) && isValid(parseISO(date)) ? (date as IsoDate) : undefined;
}

/** 28 February for 31 February. */
function lastDayBefore({ day, ...of }: DayNumbers): IsoDate | DayOfYear | undefined {
  const earlier = day > 31 ? [] : [day - 1, day - 2, day - 3];
  return earlier.map((date) => calendarDay({ ...of, day: date })).find((date) => date !== undefined);
}
