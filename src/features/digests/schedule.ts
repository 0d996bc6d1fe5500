import { TZDate } from '@date-fns/tz';
import { tzOffset } from '@date-fns/tz/tzOffset';
import { addDays } from 'date-fns/addDays';
import { addMinutes } from 'date-fns/addMinutes';
import { millisecondsInDay, millisecondsInMinute } from 'date-fns/constants';
import { format } from 'date-fns/format';
import { getDaysInMonth } from 'date-fns/getDaysInMonth';
import { getISODay } from 'date-fns/getISODay';
import { startOfDay } from 'date-fns/startOfDay';
import { z } from 'zod';
import type { UserError } from '../../errors.ts';
import { joinWords, type LineHelp, quote, wordsError } from '../../grammar/line.ts';
import { takeZone } from '../../grammar/moment.ts';
import { readCount, withTimesInFigures } from '../../grammar/number-words.ts';
import { formatMinutes, readTime } from '../../grammar/times.ts';
import type { WorkPause } from '../../workspaces/work-pause.ts';

/** Local times in a time zone that is stored beside it. The lists are sorted, without duplicates. */
export const schedule = z.object({
  days: z.discriminatedUnion('kind', [
    /** 1 is Monday, 7 is Sunday. */
    z.object({ kind: z.literal('week'), weekdays: z.array(z.int().min(1).max(7)).min(1).readonly() }),
    /** In a shorter month, a date beyond its end means its last day: 31 is the last day of every month. */
    z.object({ kind: z.literal('month'), dates: z.array(z.int().min(1).max(31)).min(1).readonly() }),
  ]),
  /** After midnight. */
  minutes: z.array(z.int().min(0).max(1439)).min(1).readonly(),
});
export type Schedule = z.infer<typeof schedule>;
export type Days = Schedule['days'];

/** Two ends of months are at most 31 days apart. The rest is for zones that have skipped a day. */
const daysSearched = 40;

/**
 * The first run later than `after`; `zone` is an IANA name. If a local time is skipped by a clock change, the run is
 * at the first time that exists; if it occurs twice, at the first. Two runs at the same instant are one.
 */
export function nextRun({ days, minutes }: Schedule, zone: string, after: Date): Date {
  // Local times are handled as if they were UTC, where no clock changes.
  const today = startOfDay(new TZDate(localTime(after.getTime(), zone), 'UTC'));
  for (let ahead = -1; ahead < daysSearched; ahead += 1) {
    const day = addDays(today, ahead);
    if (!isRunDay(days, day)) continue;
    // A later local time is never an earlier instant, so the first run after `after` is the next.
    for (const minute of minutes) {
      const run = firstInstantOf(addMinutes(day, minute).getTime(), zone);
      if (run > after.getTime()) return new Date(run);
    }
  }
  throw new Error(`no run within ${daysSearched} days in ${zone}`);
}

/** The next run, if all work rests in the pause; undefined if that has no end and leaves the run out. */
export function nextRunAfter(
  pause: Pick<WorkPause, 'since' | 'until'> | undefined,
  { schedule: of, zone, nextRunAt }: { schedule: Schedule; zone: string; nextRunAt: Date },
): Date | undefined {
  if (!pause || nextRunAt < pause.since) return nextRunAt;
  const { until } = pause;
  if (!until) return undefined;
  return nextRunAt < until ? nextRun(of, zone, new Date(until.getTime() - 1)) : nextRunAt;
}

/** The runs from `from` to before `until`, to within one where clocks are changed. */
export function countRuns(
  { days, minutes }: Schedule,
  zone: string,
  { from, until }: { from: Date; until: Date },
): number {
  const [begin, end] = [from, until].map((time) => new TZDate(localTime(time.getTime(), zone), 'UTC'));
  if (!begin || !end) return 0;
  let count = 0;
  for (let day = startOfDay(begin); day < end; day = addDays(day, 1)) {
    if (!isRunDay(days, day)) continue;
    const runs = minutes.map((minute) => addMinutes(day, minute));
    count += runs.filter((run) => run >= begin && run < end).length;
  }
  return count;
}

function isRunDay(days: Days, day: Date): boolean {
  if (days.kind === 'week') return days.weekdays.includes(getISODay(day));
  return days.dates.some((date) => Math.min(date, getDaysInMonth(day)) === day.getDate());
}

/** The first instant at which clocks in `zone` show `local` or later. (A TZDate may give a later one.) */
function firstInstantOf(local: number, zone: string): number {
  const before = offsetMs(local - millisecondsInDay, zone);
  const after = offsetMs(local + millisecondsInDay, zone);
  const earliest = local - Math.max(before, after);
  if (localTime(earliest, zone) >= local) return earliest;
  // From here on, clocks are put forward once at most, so a binary search finds the instant.
  let [low, high] = [earliest, local - Math.min(before, after)];
  while (high - low > 1000) {
    const middle = low + Math.floor((high - low) / 2000) * 1000;
    if (localTime(middle, zone) >= local) high = middle;
    else low = middle;
  }
  return high;
}

const localTime = (instant: number, zone: string): number => instant + offsetMs(instant, zone);

const offsetMs = (instant: number, zone: string): number =>
  tzOffset(zone, new Date(instant)) * millisecondsInMinute;

/** Without a zone, the schedule is in the time zone of the person who typed it. */
export interface ScheduleWords {
  schedule: Schedule;
  zone?: string;
}

/** Each run asks the service for every line. A watch is for what can't wait for an hour. */
const maxRunsPerDay = 24;

const dayNames = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const allDays = [1, 2, 3, 4, 5, 6, 7];
const workingDays = [1, 2, 3, 4, 5];
const dayNumber = (name: string): number => dayNames.indexOf(name.slice(0, 3)) + 1;
const dayName =
  '(?:mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:r(?:s(?:day)?)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?)s?';

/**
 * `weekdays 08:00 Europe/Berlin`, `mon,thu 07:30`, `every morning at 7`, `on the 1st, 15th 09:00`, `last day 17:00`.
 * Throws UserError `bad-schedule`, with a correction if possible.
 */
export function parseSchedule(text: string, help: ScheduleHelp): ScheduleWords {
  const hours = hoursBetween(text);
  if (hours !== undefined) throw notEvery(hours, help);
  if (localClock.test(text)) throw whoseClock(text, help);
  const taken = takeZone(text);
  const found: Found = { weekdays: [], dates: [], minutes: [] };
  for (const word of wordsOf(taken?.rest ?? text)) {
    const [minute, date, weekdays] = [readMinutes(word), readDate(word), readWeekdays(word)];
    if (minute !== undefined) found.minutes.push(minute);
    else if (date !== undefined) found.dates.push(date);
    else if (weekdays) found.weekdays.push(...weekdays);
    else throw notUnderstood(word, { text, found }, help);
  }
  const minutes = sorted(found.minutes);
  if (minutes.length === 0) throw withoutTime(text, found, taken?.zone, help);
  if (minutes.length > maxRunsPerDay) throw tooOften(minutes.length, help);
  return { schedule: { days: daysOf(found, help), minutes }, ...(taken && { zone: taken.zone }) };
}

interface ScheduleHelp extends LineHelp {
  /** Of the ports in the lines. */
  zones?: readonly string[];
}

const everyHours =
  /\b(?:every|each)(?: (\d{1,2}|two|three|four|five|six|eight|twelve|other|couple of|few))? ?(?:h(?:ou)?rs?|h|min(?:ute)?s?)\b|\bhourly\b/i;

/** 2 for `every 2 hours`; undefined for other texts. */
export function hoursBetween(text: string): number | undefined {
  const [found, count = '1'] = everyHours.exec(text) ?? [];
  if (found === undefined) return undefined;
  if (/min/i.test(found)) return 1;
  const number = readCount(count) || 2;
  return Math.min(Math.max(number, 1), 12);
}

export const withoutHours = (text: string): string => text.replace(everyHours, ' ');

/** Offers the times of a working day. */
export function notEvery(hours: number, help: LineHelp): UserError {
  const minutes = Array.from({ length: Math.floor(12 / hours) + 1 }, (_, index) => (6 + index * hours) * 60);
  const schedule: Schedule = { days: { kind: 'week', weekdays: allDays }, minutes };
  const every = hours === 1 ? 'every hour' : `every ${hours} hours`;
  const last = formatMinutes(minutes.at(-1) ?? 0);
  return wordsError('bad-schedule', 'A digest is sent at set times of day.', help, {
    hint: 'To be notified as soon as something changes, watch the vessels instead.',
    choices: [
      { label: `Daily from 06:00 to ${last}, ${every}`, line: help.line(formatSchedule({ schedule })) },
    ],
  });
}

/** `07:00 LT`, `local at the port`: a schedule has one zone. */
export const localClock =
  /(?:^|[ ,])(?:local(?: time)?(?: (?:at|in|of) (?:the |each )?ports?)?|(?:the )?port'?s? (?:local )?(?:time|clock)|(?<!\p{L} )l\.?t\.?)$/iu;

function whoseClock(text: string, help: ScheduleHelp): UserError {
  const words = text.replace(localClock, '');
  const { zones = [] } = help;
  return wordsError('bad-schedule', `Whose clock is ${quote(text.slice(words.length).trim())}?`, help, {
    hint: zoneHint,
    choices: [
      ...zones.map((zone) => ({ label: zone, line: help.line(`${words} ${zone}`) })),
      { label: 'My own clock', line: help.line(words) },
    ],
  });
}

/** The canonical form: `mon,thu 07:30, 18:00 Europe/Berlin`. */
export function formatSchedule({ schedule, zone }: ScheduleWords): string {
  return joinWords(formatDays(schedule.days), formatTimes(schedule), zone);
}

export const formatTimes = ({ minutes }: Schedule): string => minutes.map(formatMinutes).join(', ');

export function formatDays(days: Days): string {
  if (days.kind === 'month') return `on the ${days.dates.map(formatDate).join(', ')}`;
  const { weekdays } = days;
  if (weekdays.length === allDays.length) return 'daily';
  if (weekdays.join() === workingDays.join()) return 'weekdays';
  return weekdays.map((day) => dayNames[day - 1]).join(',');
}

function formatDate(date: number): string {
  // `format` needs a month, and January has every date.
  return date === 31 ? 'last day' : format(new Date(2000, 0, date), 'do');
}

interface Found {
  weekdays: number[];
  dates: number[];
  minutes: number[];
}

/** Leaves out filler words, and makes one word of parts that belong together, such as `last day`. */
function wordsOf(text: string): string[] {
  const typed = withTimesInFigures(text).toLowerCase();
  // `mornings at 7, evenings at 6` says twice what a time is, so its evenings stay, and aren't understood.
  const isLate = /\b(?:afternoon|evening)/.test(typed) && !typed.includes('morning');
  const spoken = typed
    .replace(/\b(?:of|in) (?:the|each|every|a) month\b/g, ' ')
    .replace(/\blast (?:day|date)\b/g, 'last-day')
    .replace(/\b(?:working|business) days?\b/g, 'weekdays')
    .replace(/\b(?:every|each) (?=(?:morning|afternoon|evening)\b)/g, 'daily ')
    .replace(isLate ? /\b(?:in the )?(?:afternoons?|evenings?)\b/g : /\b(?:in the )?mornings?\b/g, ' ')
    .replace(/\b(\d{1,2}) ?o'?clock\b/g, '$1:00')
    .replace(/(\d)\s+(?=[ap]\.?m\b)/g, '$1')
    .replace(/\s*-\s*/g, '-')
    .trim()
    .replace(hoursAtEnd, (hours) => hours.replace(/\d+/g, '$&:00'));
  return spoken
    .split(/[\s,;&]+/)
    .filter((word) => word !== '' && !fillers.has(word))
    .map((word) => (isLate ? word.replace(/^(?:0?[1-9]|1[01])[:.h]\d\d$/, '$&pm') : word));
}

const fillers = new Set(['on', 'at', 'the', 'sharp', 'and', 'every', 'each', 'of', 'month', 'monthly', 'in']);

/** In minutes after midnight, which begins the day. */
function readMinutes(word: string): number | undefined {
  const minutes = word === 'midnight' ? 0 : readTime(word);
  return minutes === 1440 ? undefined : minutes;
}

/** `weekdays 7`, `daily at 6 and 18`; after `on` or `the`, numbers are dates. */
const hoursAtEnd =
  /(?<=^|(?!\b(?:on|the|and|of|month|monthly)\s)\b[a-z]+\s{1,9})\d{1,2}(?:\s*(?:,|&|and)\s*\d{1,2})*$/;

function readDate(word: string): number | undefined {
  if (word === 'last-day' || word === 'last') return 31;
  const [, digits = ''] = /^(\d{1,2})(?:st|nd|rd|th)$/.exec(word) ?? [];
  const date = Number(digits);
  return date >= 1 && date <= 31 ? date : undefined;
}

function readWeekdays(word: string): readonly number[] | undefined {
  if (/^(?:daily|days?|everyday)$/.test(word)) return allDays;
  if (/^(?:weekdays?|workdays?|workingdays?)$/.test(word)) return workingDays;
  if (/^weekends?$/.test(word)) return [6, 7];
  const [, first, last] = new RegExp(`^(${dayName})(?:-(${dayName}))?$`).exec(word) ?? [];
  if (first === undefined) return undefined;
  const from = dayNumber(first);
  const length = last === undefined ? 1 : ((dayNumber(last) - from + 7) % 7) + 1;
  return Array.from({ length }, (_, index) => ((from - 1 + index) % 7) + 1);
}

function daysOf({ weekdays, dates }: Found, help: LineHelp): Days {
  if (dates.length === 0) return { kind: 'week', weekdays: weekdays.length > 0 ? sorted(weekdays) : allDays };
  if (weekdays.length === 0) return { kind: 'month', dates: sorted(dates) };
  const message = 'A digest runs on days of the week or on dates of the month, not both.';
  throw wordsError('bad-schedule', message, help, { hint: 'Create two digests instead.' });
}

const sorted = (values: readonly number[]): number[] => [...new Set(values)].sort((a, b) => a - b);

const tooOften = (times: number, help: LineHelp): UserError =>
  wordsError(
    'bad-schedule',
    `A digest is sent at most ${maxRunsPerDay} times a day, and that is ${times} times.`,
    help,
    { hint: 'To be notified as soon as something changes, watch the vessels instead.' },
  );

const zoneHint = 'A time zone is written like Europe/Berlin or Asia/Singapore.';
const scheduleHint =
  'A time is written like “weekdays 08:00”, “mon,thu 07:30” or “on the 1st, 15th 09:00 Europe/Berlin”.';

function notUnderstood(
  word: string,
  { text, found }: { text: string; found: Found },
  help: LineHelp,
): UserError {
  const hour = /^\d{1,2}$/.test(word) && Number(word) < 24 ? formatMinutes(Number(word) * 60) : undefined;
  const fixed = hour && text.replace(new RegExp(`(?<![\\d:.])${word}(?![\\d:.])`), hour);
  const isZoneLike = /^[a-z]+\/|^[a-z]{2,5}$|^(?:utc|gmt)?[+-]\d/.test(word) && found.minutes.length > 0;
  return isZoneLike
    ? badSchedule(`${quote(word)} isn't a valid time zone.`, fixed, help, zoneHint)
    : badSchedule(`${quote(word)} isn't a valid day, date or time of day.`, fixed, help);
}

function withoutTime(text: string, found: Found, zone: string | undefined, help: LineHelp): UserError {
  const hasDays = found.weekdays.length + found.dates.length > 0;
  const days: Days = hasDays ? daysOf(found, help) : { kind: 'week', weekdays: workingDays };
  const schedule = { days, minutes: [8 * 60] };
  const fixed = formatSchedule({ schedule, ...(zone !== undefined && { zone }) });
  const typed = text.trim();
  const message = typed === '' ? 'When should it be sent?' : `${quote(typed)} is missing a time of day.`;
  return badSchedule(message, fixed, help);
}

/** The whole text is a time zone. Throws UserError. */
export function parseZone(text: string, help: LineHelp): string {
  const taken = takeZone(text);
  if (taken?.rest === '') return taken.zone;
  throw badSchedule(`${quote(text)} isn't a valid time zone.`, undefined, help, zoneHint);
}

/** `fixed`: the words that the person may have meant. */
const badSchedule = (
  message: string,
  fixed: string | undefined,
  help: LineHelp,
  hint = scheduleHint,
): UserError => wordsError('bad-schedule', message, help, { hint, fixes: fixed ? [fixed] : [] });
