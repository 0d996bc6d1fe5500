import { TZDate, tz } from '@date-fns/tz';
import { addDays } from 'date-fns/addDays';
import { parseISO } from 'date-fns/parseISO';
import { set } from 'date-fns/set';
import { startOfDay } from 'date-fns/startOfDay';
import { startOfISOWeek } from 'date-fns/startOfISOWeek';
import { findPorts } from '../reference/ports.ts';
import {
  type DayOfYear,
  dayOfMonth,
  dayShape,
  daysAhead,
  formatDay,
  isDay,
  isWeekday,
  type PeriodDay,
  readDay,
  type Weekday,
  weekdayBeforeToday,
  weekdayOfNextWeek,
  weekdays,
} from './dates.ts';
import { joinWords, type LineHelp, quote, wordsError } from './line.ts';
import { formatMinutes, readTime, timeShape } from './times.ts';

/** A day and a local time. */
export interface Moment {
  day: PeriodDay;
  /** Minutes after midnight; the end of the day if left out. */
  minutes?: number;
}

/** `future` refuses periods that are in the past, such as `yesterday`; `past` refuses periods in the future. */
export type Direction = 'past' | 'future';

export interface RelativeTo {
  now: Date;
  /** An IANA name. */
  zone: string;
  /** For a weekday, or a day, month or quarter without a year; `future` if left out. */
  direction?: Direction;
}

/** The source of a regular expression without groups. */
export const momentShape = `(?:${dayShape}(?:,? (?:at )?${timeShape})?)`;

const dayAndTime = new RegExp(`^(.+?),? (?:at )?(${timeShape})$`, 'i');

/** Whether a text has the shape of a day, with or without a time. */
export const isMoment = (typed: string): boolean => isDay(typed) || isDay(dayAndTime.exec(typed)?.[1] ?? '');

/**
 * `27 Nov 18:00`, `2026-11-27 18:00`, `tomorrow 8:00`, `fri noon`, `27 Nov`. Throws UserError bad-date. `around`: the words
 * around a moment that is offered instead.
 */
export function parseMoment(text: string, help: LineHelp, around = (moment: string) => moment): Moment {
  const typed = text.trim();
  // Before the time: `27 Nov 2026` is a day, not a time at 20:26.
  const day = readDay(typed, help, { phrase: around });
  if (day !== undefined) return { day };
  const [, dayWords = '', time = ''] = dayAndTime.exec(typed) ?? [];
  const phrase = (fixed: string) => around(joinWords(fixed, time));
  const [timedDay, minutes] = [readDay(dayWords, help, { phrase }), readTime(time)];
  if (timedDay !== undefined && minutes !== undefined) return { day: timedDay, minutes };
  throw wordsError('bad-date', `${quote(typed)} isn't a valid date.`, help, {
    hint: 'Write it like “27 Nov 18:00” or “2026-11-27 18:00”.',
  });
}

/** The canonical words: `27 nov 18:00`. */
export const formatMoment = ({ day, minutes }: Moment): string =>
  joinWords(
    day === 'soonest' ? undefined : formatDay(day),
    minutes === undefined ? undefined : formatMinutes(minutes),
  );

/**
 * A weekday, or a day without a year, is the next with such a moment. A time that a clock change skips becomes the time an
 * hour later.
 */
export function resolveMoment({ day, minutes = 24 * 60 - 1 }: Moment, { now, zone }: RelativeTo): Date {
  const timeFrom = (from: TZDate) => timeOfDay(resolveDay(day, { now, zone, from }), minutes);
  const today = new TZDate(now, zone);
  const time = timeFrom(today);
  return needsDirection(day) && time <= now ? timeFrom(addDays(today, 1)) : time;
}

/** By the clock of the day's zone; from 24:00 on, of the next day. */
export function timeOfDay(day: TZDate, minutes: number): Date {
  const date = addDays(day, Math.floor(minutes / 1440));
  const time = set(startOfDay(date), { hours: Math.floor(minutes / 60) % 24, minutes: minutes % 60 });
  // A plain date: a TZDate prints and adds in its own zone, which callers don't expect.
  return new Date(+time);
}

/** There are several such days, and the nearest one is meant. */
export const needsDirection = (day: PeriodDay): boolean =>
  typeof day !== 'string' || isWeekday(day) || dayOfMonth(day) !== undefined || day === 'soonest';

/** The first moment of a day. The search for a weekday, or a day without a year, begins at `from`. */
export function resolveDay(day: PeriodDay, { now, zone, ...search }: RelativeTo & { from?: TZDate }): TZDate {
  const today = new TZDate(now, zone);
  const { from = today, direction = 'future' } = search;
  if (typeof day !== 'string') return nearestDayOfYear(day, { from, zone, direction });
  if (day === 'soonest') return startOfDay(from);
  if (isWeekday(day)) return startOfDay(addDays(from, daysUntil(day, { from, direction })));
  const date = dayOfMonth(day);
  if (date !== undefined) return nearestDayOfMonth(date, { from, zone, direction });
  const ofNextWeek = weekdayOfNextWeek(day);
  if (ofNextWeek) return resolveDay(ofNextWeek, { now, zone, from: addDays(startOfISOWeek(today), 7) });
  const lastOne = weekdayBeforeToday(day);
  if (lastOne) return resolveDay(lastOne, { now, zone, from: addDays(today, -1), direction: 'past' });
  if (day === 'thanksgiving') return nearestThanksgiving({ from, zone, direction });
  const ahead = daysAhead(day);
  return startOfDay(ahead === undefined ? parseISO(day, { in: tz(zone) }) : addDays(today, ahead));
}

/** The fourth Thursday of November, as in the United States. */
function nearestThanksgiving({
  from,
  zone,
  direction,
}: {
  from: TZDate;
  zone: string;
  direction: Direction;
}): TZDate {
  const start = startOfDay(from);
  const days = [-1, 0, 1].map((years) => {
    const first = new TZDate(from.getFullYear() + years, 10, 1, zone);
    return addDays(first, ((11 - first.getDay()) % 7) + 21);
  });
  const day =
    direction === 'future' ? days.find((each) => each >= start) : days.findLast((each) => each <= start);
  if (!day) throw new RangeError('each year has a Thanksgiving');
  return day;
}

/** Negative for the past. */
function daysUntil(weekday: Weekday, { from, direction }: { from: TZDate; direction: Direction }): number {
  const ahead = (weekdays.indexOf(weekday) - from.getDay() + 7) % 7;
  return direction === 'future' || ahead === 0 ? ahead : ahead - 7;
}

function nearestDayOfYear(
  { month, date }: DayOfYear,
  { from, zone, direction }: { from: TZDate; zone: string; direction: Direction },
): TZDate {
  const isFuture = direction === 'future';
  const start = startOfDay(from);
  // Leap days are at most eight years apart.
  const day = [0, 1, 2, 3, 4, 5, 6, 7, 8]
    .map((years) => new TZDate(from.getFullYear() + (isFuture ? years : -years), month - 1, date, zone))
    // In a year without 29 February, TZDate gives 1 March.
    .find((time) => time.getDate() === date && (isFuture ? time >= start : time <= start));
  if (!day) throw new RangeError(`no year has a day ${date} in month ${month}`);
  return day;
}

function nearestDayOfMonth(
  date: number,
  { from, zone, direction }: { from: TZDate; zone: string; direction: Direction },
): TZDate {
  const isFuture = direction === 'future';
  const start = startOfDay(from);
  // No two months without a 31st follow each other.
  const day = [0, 1, 2]
    .map(
      (months) => new TZDate(from.getFullYear(), from.getMonth() + (isFuture ? months : -months), date, zone),
    )
    .find((time) => time.getDate() === date && (isFuture ? time >= start : time <= start));
  if (!day) throw new RangeError(`no month has a day ${date}`);
  return day;
}

/**
 * Takes a zone off the end of a line: an IANA name in any case, a city (`Berlin`), or the clock of a port (`Rotterdam time`).
 * Undefined if there is none.
 */
export function takeZone(words: string): { rest: string; zone: string } | undefined {
  const parts = words.trim().split(/\s+/);
  for (const count of [5, 4, 3, 2, 1].filter((each) => each <= parts.length)) {
    const typed = parts.slice(-count).join(' ');
    const zone = readZone(typed) ?? readClock(typed);
    if (zone !== undefined) return { rest: parts.slice(0, -count).join(' '), zone };
  }
  return undefined;
}

/** Doesn't accept abbreviations: EST has no daylight saving time, and CST means three zones. */
function readZone(typed: string): string | undefined {
  if (/^(?:utc|gmt)$/i.test(typed)) return 'UTC';
  const key = keyOf(typed);
  const listed = zoneNames.find((name) => keyOf(name) === key || keyOf(name.split('/').at(-1) ?? '') === key);
  if (listed !== undefined) return listed;
  return typed.includes('/') && isZone(typed) ? capitalise(typed) : undefined;
}

/** `Rotterdam time`, `le havre local time`. */
function readClock(typed: string): string | undefined {
  const [, place = ''] = /^(.+?)(?:'s)? (?:local )?(?:time|clock)$/i.exec(typed) ?? [];
  const found = findPorts(place);
  return place === '' ? undefined : (readZone(place) ?? (found.kind === 'one' ? found.port.zone : undefined));
}

const keyOf = (name: string): string => name.toLowerCase().replaceAll(' ', '_');

/** The current names of zones that ICU lists under older names. */
const newerNames =
  'Asia/Kolkata Europe/Kyiv Asia/Ho_Chi_Minh Asia/Kathmandu Asia/Yangon America/Nuuk Atlantic/Faroe America/Argentina/Buenos_Aires';
const zoneNames: readonly string[] = [...newerNames.split(' '), ...Intl.supportedValuesOf('timeZone')];

/** Capitalises a valid name that isn't listed, such as `asia/calcutta`. */
const capitalise = (typed: string): string =>
  typed.toLowerCase().replace(/(?<=^|[/_-])\p{L}/gu, (letter) => letter.toUpperCase());

/** True for IANA time zone names, also old ones (`Asia/Calcutta`), but not for offsets such as `+01:00`. */
export function isZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
