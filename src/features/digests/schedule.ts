import { TZDate } from '@date-fns/tz';
import { tzOffset } from '@date-fns/tz/tzOffset';
import { addDays } from 'date-fns/addDays';
import { addMinutes } from 'date-fns/addMinutes';
import { millisecondsInDay, millisecondsInMinute } from 'date-fns/constants';
import { getDaysInMonth } from 'date-fns/getDaysInMonth';
import { getISODay } from 'date-fns/getISODay';
import { startOfDay } from 'date-fns/startOfDay';
import { z } from 'zod';

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
