import { TZDate } from '@date-fns/tz';
import { addDays } from 'date-fns/addDays';
import { type DayOfYear, type DayWord, dayShape, formatDay, readDay, readDayOfYear } from './dates.ts';
import { joinWords, type LineHelp, quote, wordsError } from './line.ts';
import { type RelativeTo, resolveDay } from './period.ts';

/** A day and a local time. A day without a year means the next one. */
export interface Moment {
  day: DayWord | DayOfYear;
  /** Minutes after midnight; the end of the day if left out. */
  minutes?: number;
}

const timeShape = '(?:at )?(?:[01]?\\d|2[0-3])[:.]?[0-5]\\d(?: ?h| ?lt)?';
const dayOfYearShape =
  '(?:\\d{1,2}(?:st|nd|rd|th|\\.)? [a-z]{3,9}\\.?|[a-z]{3,9}\\.? \\d{1,2}(?:st|nd|rd|th)?)(?! ?\\d{4})';

/** The source of a regular expression without groups. */
export const momentShape = `(?:${dayShape}|${dayOfYearShape})(?:,? ${timeShape})?`;

const dayAndTime =
  /^(.*?)(?:,? (?:at )?((?:[01]?\d|2[0-3])[:.][0-5]\d|(?:[01]\d|2[0-3])[0-5]\d)(?: ?h| ?lt)?)?$/i;

/** `27 Nov 18:00`, `2026-11-27 18:00`, `tomorrow 8:00`, `27 Nov`. Throws UserError bad-date. */
export function parseMoment(text: string, help: LineHelp): Moment {
  const typed = text.trim();
  const [, day = '', time] = dayAndTime.exec(typed) ?? [];
  const phrase = (fixed: string) => joinWords(fixed, time);
  const parsedDay = readDayOfYear(day, help) ?? readDay(day, help, { phrase });
  if (parsedDay === undefined) {
    throw wordsError('bad-date', `${quote(typed)} isn't a valid date.`, help, {
      hint: 'Write it like “27 Nov 18:00” or “2026-11-27 18:00”.',
    });
  }
  return time === undefined ? { day: parsedDay } : { day: parsedDay, minutes: minutesOf(time) };
}

/** The canonical words: `27 nov 18:00`. */
export const formatMoment = ({ day, minutes }: Moment): string =>
  minutes === undefined ? formatDay(day) : `${formatDay(day)} ${formatMinutes(minutes)}`;

/** `08:05`. */
export const formatMinutes = (minutes: number): string =>
  [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');

/** Without a year, the next such moment. A time that a clock change skips becomes the time an hour later. */
export function resolveMoment({ day, minutes = 24 * 60 - 1 }: Moment, { now, zone }: RelativeTo): Date {
  const timeFrom = (from: TZDate) => {
    const resolved = resolveDay(day, { now, zone, from });
    const [year, month, date] = [resolved.getFullYear(), resolved.getMonth(), resolved.getDate()];
    const time = new TZDate(year, month, date, Math.floor(minutes / 60), minutes % 60, zone);
    // A plain date: a TZDate prints and adds in its own zone, which callers don't expect.
    return new Date(+time);
  };
  const today = new TZDate(now, zone);
  const time = timeFrom(today);
  return typeof day !== 'string' && time <= now ? timeFrom(addDays(today, 1)) : time;
}

function minutesOf(time: string): number {
  const digits = time.replace(/\D/g, '').padStart(4, '0');
  return Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2));
}

/** Takes a zone off the end of a line: an IANA name in any case, or a city (`Berlin`). Undefined if there is none. */
export function takeZone(words: string): { rest: string; zone: string } | undefined {
  const parts = words.trim().split(/\s+/);
  for (const count of [3, 2, 1]) {
    const zone = readZone(parts.slice(-count).join(' '));
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
