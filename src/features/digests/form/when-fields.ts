import { UserError } from '../../../errors.ts';
import { takeZone } from '../../../grammar/zone.ts';
import type { Days, Schedule } from '../schedule.ts';
import { formatDays, formatTimes, parseSchedule } from '../schedule-words.ts';
import type { DigestForm } from '../views/digest-form.ts';

type When = Pick<DigestForm, 'days' | 'weekdays' | 'dates' | 'times' | 'zone'>;

/** Fills in the fields. */
export function whenFields({ schedule, zone }: { schedule: Schedule; zone: string }): When {
  const { days } = schedule;
  const times = formatTimes(schedule);
  const inWords = formatDays(days);
  if (days.kind === 'month')
    return { days: 'dates', weekdays: [], dates: inWords.replace('on the ', ''), times, zone };
  const choice = inWords === 'weekdays' || inWords === 'daily' ? inWords : 'some';
  return { days: choice, weekdays: days.weekdays.map(String), dates: '', times, zone };
}

/** The field in which the days are chosen, and a function that reads it. It throws UserError. */
export function daysReader({ days, weekdays, dates }: When): { field: string; read: () => Days } {
  switch (days) {
    case 'weekdays':
    case 'daily':
      return { field: 'days', read: () => parse(`${days} 00:00`).days };
    case 'some':
      return { field: 'weekdays', read: () => readWeekdays(weekdays) };
    case 'dates':
      return { field: 'dates', read: () => readDates(dates) };
  }
}

function readWeekdays(ticked: readonly string[]): Days {
  if (ticked.length === 0) throw wrong('Tick the days on which it should be sent.');
  return { kind: 'week', weekdays: ticked.map(Number) };
}

/** Numbers without an ending are accepted too: `1, 15`. */
function readDates(dates: string): Days {
  const { days } = parse(`${dates.replace(/\b\d{1,2}\b(?![:.])/g, '$&th')} 00:00`);
  if (days.kind === 'month') return days;
  throw wrong('Dates are written like 1st, 15th, or last day.');
}

/** Minutes after midnight. */
export function readTimes(times: string): readonly number[] {
  const { schedule, zone } = parseWithZone(times);
  const { days, minutes } = schedule;
  if (zone !== undefined) throw wrong('The time zone has a field of its own, below.');
  if (days.kind !== 'week' || days.weekdays.length < 7) throw wrong('Choose the days above.');
  return minutes;
}

export function readZone(typed: string): string {
  const taken = takeZone(typed);
  if (taken && taken.rest === '') return taken.zone;
  throw wrong("This isn't a valid time zone. A time zone is written like Europe/Berlin or Asia/Singapore.");
}

const parse = (text: string): Schedule => parseWithZone(text).schedule;

const parseWithZone = (text: string) => parseSchedule(text, { line: (fixed) => fixed, example });

const example = 'digest add weekdays 08:00: usage';

const wrong = (message: string): UserError => new UserError({ code: 'bad-schedule', message });
