import { TZDate } from '@date-fns/tz';
import { z } from 'zod';
import { date, hourMs } from './values.ts';

/** `HH:MM`, wall-clock time in `zone` (an IANA name); may run over midnight. */
export const quietHours = z.object({ from: z.string(), to: z.string(), zone: z.string() });
export type QuietHours = z.infer<typeof quietHours>;

/** `until-eta`: until so many hours before the ETA of the baseline's port. */
export const snooze = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('until'), at: date }),
  z.object({ kind: z.literal('until-eta'), hours: z.number().positive() }),
  z.object({ kind: z.literal('until-next-port') }),
]);
export type Snooze = z.infer<typeof snooze>;

const dayMinutes = 24 * 60;

/** Both ends in wall-clock time; from 22:00 to 06:00 runs over midnight; equal ends mean never. */
export function isQuiet(quiet: QuietHours | null, now: Date): boolean {
  if (!quiet) return false;
  const [from, to, minute] = [minuteOf(quiet.from), minuteOf(quiet.to), wallMinute(now, quiet.zone)];
  return from <= to ? from <= minute && minute < to : minute >= from || minute < to;
}

/** `eta`: of the baseline's port. A snooze until the next port ends by an event, not by the time. */
export function isSnoozed(snooze: Snooze | null, { eta, now }: { eta: Date | null; now: Date }): boolean {
  switch (snooze?.kind) {
    case undefined:
      return false;
    case 'until':
      return now < snooze.at;
    case 'until-eta':
      return eta !== null && now.getTime() < eta.getTime() - snooze.hours * hourMs;
    case 'until-next-port':
      return true;
  }
}

/** When to look again so that a watch that sleeps wakes in time; null when it does not, or nobody knows. */
export function wakesAt(
  { quiet, snooze, eta }: { quiet: QuietHours | null; snooze: Snooze | null; eta: Date | null },
  now: Date,
): Date | null {
  const ends: number[] = [];
  if (quiet && isQuiet(quiet, now)) {
    const minutes = (minuteOf(quiet.to) - wallMinute(now, quiet.zone) + dayMinutes) % dayMinutes;
    ends.push(now.getTime() + minutes * 60_000);
  }
  if (snooze?.kind === 'until') ends.push(snooze.at.getTime());
  if (snooze?.kind === 'until-eta' && eta) ends.push(eta.getTime() - snooze.hours * hourMs);
  const ahead = ends.filter((end) => end > now.getTime());
  return ahead.length === 0 ? null : new Date(Math.max(...ahead));
}

function minuteOf(text: string): number {
  const [hours = 0, minutes = 0] = text.split(':').map(Number);
  return hours * 60 + minutes;
}

function wallMinute(now: Date, zone: string): number {
  const local = new TZDate(now.getTime(), zone);
  return local.getHours() * 60 + local.getMinutes();
}
