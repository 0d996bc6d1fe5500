import { TZDate } from '@date-fns/tz';
import { UserError } from '../errors.ts';
import { type DayOfYear, type DayWord, dayShape, formatDay, readDay, readDayOfYear } from './dates.ts';
import { type LineHelp, quote } from './line-help.ts';

/** A day and a time of the wall clock, kept relative: without a year it is the next such day. */
export interface Moment {
  day: DayWord | DayOfYear;
  /** Minutes after midnight; left out: until the end of that day. */
  minutes?: number;
}

const timeShape = '(?:at )?(?:[01]?\\d|2[0-3])[:.]?[0-5]\\d(?: ?h| ?lt)?';
const dayOfYear =
  '(?:\\d{1,2}(?:st|nd|rd|th|\\.)? [a-z]{3,9}\\.?|[a-z]{3,9}\\.? \\d{1,2}(?:st|nd|rd|th)?)(?! ?\\d{4})';

/** What has the shape of a moment: a source of a regular expression without groups. */
export const momentShape = `(?:${dayShape}|${dayOfYear})(?:,? ${timeShape})?`;

/** `27 Nov 18:00`, `2026-11-27 18:00`, `tomorrow 8:00`, `27 Nov`. Throws UserError bad-date. */
export function parseMoment(text: string, help: LineHelp): Moment {
  const typed = text.trim();
  const [, day = '', time] =
    /^(.*?)(?:,? (?:at )?((?:[01]?\d|2[0-3])[:.][0-5]\d|(?:[01]\d|2[0-3])[0-5]\d)(?: ?h| ?lt)?)?$/i.exec(
      typed,
    ) ?? [];
  const found = readDayOfYear(day, help) ?? readDay(day, help);
  if (found === undefined) {
    throw new UserError({
      code: 'bad-date',
      message: `${quote(typed)} is no date.`,
      hint: 'Write it like “27 Nov 18:00” or “2026-11-27 18:00”.',
      example: help.example,
    });
  }
  return time === undefined ? { day: found } : { day: found, minutes: minutesOf(time) };
}

/** The canonical words: `27 nov 18:00`. */
export function formatMoment({ day, minutes }: Moment): string {
  return minutes === undefined ? formatDay(day) : `${formatDay(day)} ${formatMinutes(minutes)}`;
}

/** `08:05`. */
export const formatMinutes = (minutes: number): string =>
  [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');

/**
 * The moment by the wall clock of a zone; one without a year is the first of its kind that is not over. A time
 * that a change of the clocks leaves out is the one an hour later.
 */
export function resolveMoment(
  { day, minutes = 24 * 60 - 1 }: Moment,
  { now, zone }: { now: Date; zone: string },
): Date {
  const here = new TZDate(now.getTime(), zone);
  const at = (year: number, month: number, date: number) =>
    new Date(+new TZDate(year, month - 1, date, Math.floor(minutes / 60), minutes % 60, zone));
  if (typeof day !== 'string') {
    // 29 February: the next year that has one.
    const years = Array.from({ length: 9 }, (_, index) => here.getFullYear() + index);
    const next = years
      .filter((year) => new Date(Date.UTC(year, day.month - 1, day.date)).getUTCDate() === day.date)
      .map((year) => at(year, day.month, day.date))
      .find((time) => time > now);
    return next ?? at(here.getFullYear(), day.month, day.date);
  }
  const offset = relative.get(day);
  if (offset !== undefined) return at(here.getFullYear(), here.getMonth() + 1, here.getDate() + offset);
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return at(year, month, date);
}

const relative: ReadonlyMap<string, number> = new Map([
  ['yesterday', -1],
  ['today', 0],
  ['tomorrow', 1],
]);

function minutesOf(time: string): number {
  const digits = time.replace(/\D/g, '').padStart(4, '0');
  return Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2));
}
