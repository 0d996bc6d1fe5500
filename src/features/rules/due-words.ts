import { TZDate } from '@date-fns/tz';
import { addHours } from 'date-fns/addHours';
import { addMinutes } from 'date-fns/addMinutes';
import { differenceInMinutes } from 'date-fns/differenceInMinutes';
import { format } from 'date-fns/format';
import { subDays } from 'date-fns/subDays';
import { z } from 'zod';
import { portTime, spanInWords } from '../../answers/formatting/times.ts';
import { UserError } from '../../errors.ts';
import { type DueWords, dueExample, formatMargin } from '../../grammar/due.ts';
import { quote } from '../../grammar/line.ts';
import { formatMoment, resolveMoment, timeOfDay } from '../../grammar/moment.ts';
import { zoneName } from '../../grammar/zone.ts';
import type { Due } from '../../predictions/promises.ts';
import type { Locode } from '../../reference/codes.ts';
import { portLabel, portOf } from '../../reference/ports.ts';
import { date, locode } from '../../reference/prediction.ts';

export const dueSchema: z.ZodType<Due> = z.object({
  port: locode,
  at: date,
  earliest: z.exactOptional(date),
  minimum: z.exactOptional(z.number().min(0).max(1)),
  reference: z.exactOptional(z.string()),
});

const maxDaysAhead = 400;
const maxDaysWithoutYear = 300;

const zoneAt = (port: Locode): string => portOf(port)?.zone ?? 'UTC';

/** Throws UserError for a time that has passed, or is too far ahead. `example`: a line with such words. */
export function resolveDue(
  { port, by, zone: typedZone, from, margin, minimum }: DueWords,
  { now, example }: { now: Date; example?: ((words: string) => string) | undefined },
): Due {
  const zone = typedZone === undefined ? zoneAt(port) : zoneName(typedZone);
  const typed = resolveMoment(by, { now, zone });
  const at = margin === undefined ? typed : addMinutes(typed, margin);
  const earliest =
    margin !== undefined
      ? addMinutes(typed, -margin)
      : from === undefined
        ? undefined
        : timeOfDay(subDays(new TZDate(typed, zone), Math.floor((by.minutes ?? 0) / 1440)), from);
  // Without a year it is the next such day: hardly what is meant if the day has just passed.
  const hasPassed = typeof by.day !== 'string' && at > addHours(now, 24 * maxDaysWithoutYear);
  if (at > now && at <= addHours(now, 24 * maxDaysAhead) && !hasPassed)
    return {
      ...{ port, at },
      ...(earliest && { earliest }),
      ...(minimum !== undefined && { minimum: minimum / 100 }),
    };
  throw new UserError({
    code: 'bad-rule',
    message: `${quote(formatMoment(by))} at ${portLabel(port)} ${at <= now ? 'is in the past' : hasPassed ? 'has passed this year' : `is more than ${maxDaysAhead} days away`}.`,
    hint: hasPassed
      ? 'Write the year if you mean the next one.'
      : "A due date must be in the future. It is read in the port's local time.",
    ...(example && { example: example(dueExample) }),
  });
}

/** As it would be typed after `due`: `NLRTM 20 Dec 06:00-14:00 min 80%`. Shows the year if the day alone isn't clear. */
export function dueText({ port, at, earliest, minimum }: Due, now: Date): string {
  const zone = zoneAt(port);
  const isSoon = at > now && at < addHours(now, 24 * 300);
  const written = (time: Date) => format(new TZDate(time, zone), isSoon ? 'd MMM HH:mm' : 'yyyy-MM-dd HH:mm');
  const least = minimum === undefined ? '' : ` min ${Math.round(minimum * 100)}%`;
  if (!earliest) return `${port} ${written(at)}${least}`;
  if (isSameDay(earliest, at, zone))
    return `${port} ${written(earliest)}-${format(new TZDate(at, zone), 'HH:mm')}${least}`;
  const minutes = differenceInMinutes(at, earliest);
  const half = Math.floor(minutes / 2);
  return `${port} ${written(addMinutes(earliest, half))} ${formatMargin(half)}${least}`;
}

const isSameDay = (one: Date, other: Date, zone: string): boolean => {
  const day = (time: Date) => format(new TZDate(time, zone), 'yyyy-MM-dd');
  return day(one) === day(other);
};

/** `by Sun 20 Dec 14:00 LT`; a window as `Sun 20 Dec 06:00–14:00 LT`. */
export const dueInWords = (due: Due, now: Date): string => `${due.earliest ? '' : 'by '}${dueTime(due, now)}`;

export function dueTime({ port, at, earliest }: Due, now: Date): string {
  const zone = portOf(port)?.zone;
  return earliest ? spanInWords({ begin: earliest, end: at }, zone, now) : portTime(at, zone, now);
}
