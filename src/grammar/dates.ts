import { isValid } from 'date-fns/isValid';
import { parseISO } from 'date-fns/parseISO';
import { type LineHelp, quote, wordsError } from './line.ts';

/** `2026-11-24`, a day that exists. */
type IsoDate = `${number}-${number}-${number}`;
/** `2026-11`. */
export type IsoMonth = `${number}-${number}`;
export type DayWord = IsoDate | 'yesterday' | 'today' | 'tomorrow';
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
export type PeriodDay = DayWord | DayOfYear | Weekday | NextWeekday;

const weekdayShape =
  '(?:mon(?:day)?|tue(?:s|sday)?|wed(?:s|nesday)?|thu(?:rs?|rsday)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?)\\.?';

export const isWeekday = (day: PeriodDay): day is Weekday => weekdays.some((name) => name === day);

/** Undefined for any other day. */
export const weekdayOfNextWeek = (day: PeriodDay): Weekday | undefined =>
  weekdays.find((name) => day === `next ${name}`);

export const monthNames: readonly string[] =
  'january february march april may june july august september october november december'.split(' ');
const monthWord =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?';

/** Sources of regular expressions, without groups. They also match invalid days and months. */
export const dayShape = `(?:${relativeDays.join('|')}|\\d{4}[-/.]\\d{1,2}[-/.]\\d{1,2}|\\d{1,2}[./]\\d{1,2}[./]\\d{2,4}|\\d{1,2}-\\d{1,2}-\\d{4}|\\d{1,2}(?:st|nd|rd|th|\\.)? ${monthWord},?(?: \\d{4})?|${monthWord} \\d{1,2}(?:st|nd|rd|th)?(?:,? \\d{4})?)`;
export const periodDayShape = `(?:(?:next )?${weekdayShape}|${dayShape})`;
/** With groups: the first day, the last day, and the month (and year) of both. */
export const daysOfMonthShape = `(\\d{1,2})(?: ?- ?|\\.{2,3}| to )(\\d{1,2}) (${monthWord}(?:,? \\d{4})?)`;
export const monthShape = `(?:\\d{4}[-/]\\d{1,2}|\\d{1,2}[/.]\\d{4}|${monthWord} \\d{4}|\\d{4} ${monthWord})`;

/** `october` for 10. */
export const nameOfMonth = (month: number): string => monthNames[month - 1] ?? '';

/** 1 to 12, by the first three letters. */
const monthOfName = (name: string): number =>
  monthNames.findIndex((month) => month.startsWith(name.slice(0, 3).toLowerCase())) + 1;

/** 1 to 12 for a month's name alone (`oct`, `October`); undefined for anything else. */
export const readMonthName = (text: string): number | undefined =>
  new RegExp(`^${monthWord}$`, 'i').test(text) ? monthOfName(text) : undefined;

/** Which comes first in `08/01/2026`. */
export type DateOrder = 'day' | 'month';

interface DayReading {
  /** The order of another date beside this one. */
  order?: DateOrder | undefined;
  /** The words around a day that is offered instead; `order` if it is that of the typed day. */
  phrase?: (day: string, order?: DateOrder) => string;
}

/**
 * A day as people write it; undefined if the text has another shape. Throws UserError bad-date for an invalid day, or one
 * that can be read in two ways, and offers valid ones.
 */
export function readDay(text: string, help: LineHelp, reading: DayReading = {}): DayWord | undefined {
  const typed = text.trim();
  if (!new RegExp(`^${dayShape}$`, 'i').test(typed)) return undefined;
  const word = typed.toLowerCase();
  if (word === 'today' || word === 'tomorrow' || word === 'yesterday') return word;
  const { phrase = (day) => day } = reading;
  const order = reading.order ?? orderOf(typed);
  if (order === 'unclear') {
    const fixes = (['day', 'month'] as const).flatMap((first) => {
      const day = isoDayOf(typed, first);
      return day ? [phrase(day, first)] : [];
    });
    throw wordsError(
      'bad-date',
      `${quote(typed)} can be read in two ways: which number is the month?`,
      help,
      {
        hint: dateHint,
        fixes,
      },
    );
  }
  const day = isoDayOf(typed, order);
  if (day) return day;
  const numbers = readNumbers(typed, order);
  const lastOfMonth = numbers && lastDayBefore(numbers);
  throw wordsError('bad-date', `${quote(typed)} isn't a valid date.`, help, {
    hint: dateHint,
    fixes: lastOfMonth ? [phrase(lastOfMonth, order)] : [],
  });
}

const dateHint = 'Write a date as year-month-day, such as 2026-11-24.';

/** Undefined for a date that isn't written with slashes or dashes, or is the same in both orders, or in none. */
export function orderOf(typed: string): DateOrder | 'unclear' | undefined {
  const [, first, second] = (/^(\d{1,2})[/-](\d{1,2})[/-]\d{2,4}$/.exec(typed.trim()) ?? []).map(Number);
  if (!first || !second || first === second) return undefined;
  if (second > 12) return first > 12 ? undefined : 'month';
  return first > 12 ? 'day' : 'unclear';
}

function isoDayOf(typed: string, order: DateOrder | undefined): IsoDate | undefined {
  const numbers = readNumbers(typed, order);
  return numbers && isoDay(numbers);
}

/** `25 Nov`, `Nov 25th`; undefined for anything else. Throws UserError bad-date for a day that exists in no year. */
export function readDayOfYear(text: string, help: LineHelp): DayOfYear | undefined {
  const typed = text.trim().replace(/,$/, '');
  const [, first, name, second, otherDay] =
    /^(?:(\d{1,2})(?:st|nd|rd|th|\.)? ([a-z]+)\.?|([a-z]+)\.? (\d{1,2})(?:st|nd|rd|th)?)$/i.exec(typed) ?? [];
  const month = readMonthName(name ?? second ?? '');
  const date = Number(first ?? otherDay);
  if (month === undefined) return undefined;
  // 2024 is a leap year, so it has every day.
  if (isoDay({ year: 2024, month, day: date })) return { month, date };
  throw wordsError('bad-date', `${quote(typed)} isn't a valid date.`, help);
}

/** Any day of a period. Returns undefined and throws in the same cases as readDay. */
export function readPeriodDay(text: string, help: LineHelp, reading?: DayReading): PeriodDay | undefined {
  return readWeekday(text.trim()) ?? readDayOfYear(text, help) ?? readDay(text, help, reading);
}

/** `fri`, `Friday`, `next fri`. */
function readWeekday(typed: string): Weekday | NextWeekday | undefined {
  const [, next, word = ''] = new RegExp(`^(next )?(${weekdayShape})$`, 'i').exec(typed) ?? [];
  const weekday = word && weekdays.find((name) => name.startsWith(word.slice(0, 3).toLowerCase()));
  if (!weekday) return undefined;
  return next === undefined ? weekday : `next ${weekday}`;
}

/** `2026-11-24`, `tomorrow`, `friday`, `24 nov`. */
export const formatDay = (day: PeriodDay): string =>
  typeof day === 'string' ? day : `${day.date} ${nameOfMonth(day.month).slice(0, 3)}`;

/** A month as people write it; undefined if the text has another shape. Throws UserError bad-month. */
export function readMonth(text: string, help: LineHelp): IsoMonth | undefined {
  const typed = text.trim();
  if (!new RegExp(`^${monthShape}$`, 'i').test(typed)) return undefined;
  const [year = ''] = /\d{4}/.exec(typed) ?? [];
  const rest = typed.replace(year, '').replace(/[^\p{L}\d]/gu, '');
  const month = /^\d+$/.test(rest) ? Number(rest) : monthOfName(rest);
  if (month >= 1 && month <= 12 && isValidYear(Number(year))) return isoMonth({ year: Number(year), month });
  throw wordsError('bad-month', `${quote(typed)} isn't a valid month.`, help, {
    hint: 'Write a month as year-month, such as 2026-10.',
  });
}

/** Month 1 to 12. */
export const isoMonth = ({ year, month }: { year: number; month: number }): IsoMonth =>
  // The padding keeps both parts numeric, which the type can't see.
  `${year}-${pad(month)}` as IsoMonth;

const pad = (part: number): string => String(part).padStart(2, '0');

interface DayNumbers {
  year: number;
  month: number;
  day: number;
}

/** Undefined without a year (`24 Nov`). A year of two digits is in this century. */
function readNumbers(typed: string, order: DateOrder = 'day'): DayNumbers | undefined {
  const iso = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(typed);
  if (iso) return { year: Number(iso[1]), month: Number(iso[2]), day: Number(iso[3]) };
  const [, first, second, short = ''] = /^(\d{1,2})[./-](\d{1,2})[./-](\d{2,4})$/.exec(typed) ?? [];
  if (first !== undefined) {
    const [day, month] = order === 'day' ? [first, second] : [second, first];
    return {
      year: Number(short.length === 2 ? `20${short}` : short),
      month: Number(month),
      day: Number(day),
    };
  }
  const [name] = /[a-z]{3,}/i.exec(typed) ?? [];
  const [year] = /\d{4}$/.exec(typed) ?? [];
  if (!name || !year) return undefined;
  const [day] = /\d{1,2}/.exec(typed) ?? [];
  return { year: Number(year), month: monthOfName(name), day: Number(day) };
}

export const isValidYear = (year: number): boolean => year >= 2000 && year <= 2100;

function isoDay({ year, month, day }: DayNumbers): IsoDate | undefined {
  const date = `${isoMonth({ year, month })}-${pad(day)}`;
  // A text that parses as a date has its shape.
  return isValidYear(year) && isValid(parseISO(date)) ? (date as IsoDate) : undefined;
}

/** 28 February for 31 February. */
function lastDayBefore({ year, month, day }: DayNumbers): IsoDate | undefined {
  const earlier = day > 31 ? [] : [day - 1, day - 2, day - 3];
  return earlier.map((date) => isoDay({ year, month, day: date })).find((date) => date !== undefined);
}
