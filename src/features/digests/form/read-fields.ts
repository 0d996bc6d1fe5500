import { UserError } from '../../../errors.ts';
import { takeZone } from '../../../grammar/zone.ts';
import { fieldText, readFields } from '../../../messages/field-errors.ts';
import { checkDigestLine, dependsOnAsker, errorWithoutHelp } from '../check-lines.ts';
import type { Days, Schedule } from '../schedule.ts';
import { formatDays, formatTimes, parseSchedule } from '../schedule-words.ts';
import type { DigestsContext } from '../use-cases.ts';
import type { DigestForm, Parsed } from '../views/digest-form.ts';
import { canBeJoined } from '../words.ts';

interface LineContext extends Pick<DigestsContext, 'parseLine' | 'vessels'> {
  isPersonal: boolean;
}

/** How a line is understood, to be shown while a person types. */
export function checkTyped(text: string, context: LineContext): Parsed {
  if (text.trim() === '') return { kind: 'nothing', text: typeHint };
  try {
    return { kind: 'right', text: readLine(text, context) };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { kind: 'wrong', text: fieldText(error) };
  }
}

const typeHint =
  'Any command that only asks: portcalls, nextport (of a vessel, fleet:NAME, list:NAME, or watched), lane, usage.';

export function readLine(typed: string, { parseLine, vessels, isPersonal }: LineContext): string {
  if (typed.trim() === '')
    throw new UserError({ code: 'missing-argument', message: 'Fill in a command, or remove the line.' });
  if (!canBeJoined([typed.trim().replace(/^\//, '')]))
    throw new UserError({
      code: 'unexpected-words',
      message: 'A semicolon separates two lines: put each in its own field.',
    });
  try {
    const { line, privacy } = checkDigestLine(parseLine(typed, { vessels }));
    if (privacy === 'personal' && !isPersonal) throw dependsOnAsker();
    return line;
  } catch (error) {
    throw error instanceof UserError ? new UserError(errorWithoutHelp(error)) : error;
  }
}

type When = Pick<DigestForm, 'days' | 'weekdays' | 'dates' | 'times' | 'zone'>;

/** The values of the fields for a schedule. */
export function whenFields({ schedule, zone }: { schedule: Schedule; zone: string }): When {
  const { days } = schedule;
  const times = formatTimes(schedule);
  const inWords = formatDays(days);
  if (days.kind === 'month')
    return { days: 'dates', weekdays: [], dates: inWords.replace('on the ', ''), times, zone };
  const choice = inWords === 'weekdays' || inWords === 'daily' ? inWords : 'some';
  return { days: choice, weekdays: days.weekdays.map(String), dates: '', times, zone };
}

/** The field that an error about the days belongs to, for each choice of days. */
const daysFields = { weekdays: 'days', daily: 'days', some: 'weekdays', dates: 'dates' } as const;

/** For each field of a schedule, a function that reads it or throws UserError. */
export const whenReaders = (when: When) => ({
  [daysFields[when.days]]: () => readDays(when),
  times: () => readTimes(when.times),
  zone: () => readZone(when.zone),
});

export function readWhen(when: When) {
  const { times: minutes, zone } = readFields(whenReaders(when));
  return { schedule: { days: readDays(when), minutes }, zone };
}

function readDays({ days, weekdays, dates }: When): Days {
  if (days === 'dates') return readDates(dates);
  if (days !== 'some') return parse(`${days} 00:00`).days;
  if (weekdays.length === 0) throw wrong('Tick the days on which it should be sent.');
  return { kind: 'week', weekdays: weekdays.map(Number) };
}

/** Numbers without an ending are accepted too: `1, 15`. */
function readDates(dates: string): Days {
  const { days } = parse(`${dates.replace(/\b\d{1,2}\b(?![:.])/g, '$&th')} 00:00`);
  if (days.kind === 'month') return days;
  throw wrong('Dates are written like 1st, 15th, or last day.');
}

/** Minutes after midnight. */
function readTimes(times: string): readonly number[] {
  const { schedule, zone } = parseWithZone(times);
  const { days, minutes } = schedule;
  if (zone !== undefined) throw wrong('The time zone has a field of its own, below.');
  if (days.kind !== 'week' || days.weekdays.length < 7) throw wrong('Choose the days above.');
  return minutes;
}

function readZone(typed: string): string {
  const taken = takeZone(typed);
  if (taken && taken.rest === '') return taken.zone;
  throw wrong("This isn't a valid time zone. A time zone is written like Europe/Berlin or Asia/Singapore.");
}

/** A schedule needs a time, so those who want only the days add `00:00`. */
const parse = (text: string): Schedule => parseWithZone(text).schedule;

const parseWithZone = (text: string) => parseSchedule(text, { line: (fixed) => fixed, example });

const example = 'digest add weekdays 08:00: usage';

const wrong = (message: string): UserError => new UserError({ code: 'bad-schedule', message });
