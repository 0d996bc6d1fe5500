import { TZDate } from '@date-fns/tz';
import { addDays } from 'date-fns/addDays';
import { lightFormat } from 'date-fns/lightFormat';
import { max } from 'date-fns/max';
import { set } from 'date-fns/set';
import { subHours } from 'date-fns/subHours';
import { z } from 'zod';
import { date } from '../../../reference/prediction.ts';

/** From `HH:mm` to `HH:mm` by the wall clock of `zone` (an IANA name); 22:00 to 06:00 spans midnight. */
export const quietHours = z.object({ from: z.string(), to: z.string(), zone: z.string() });
export type QuietHours = z.infer<typeof quietHours>;

export const snooze = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('until'), at: date }),
  /** Until this many hours before the ETA of the baseline's port. */
  z.object({ kind: z.literal('until-eta'), hours: z.number().positive() }),
  z.object({ kind: z.literal('until-next-port') }),
]);
export type Snooze = z.infer<typeof snooze>;

/** Equal times mean no quiet hours. */
export function isQuiet(quiet: QuietHours | null, now: Date): boolean {
  if (!quiet) return false;
  const { from, to, zone } = quiet;
  const time = lightFormat(new TZDate(now, zone), 'HH:mm');
  return from <= to ? from <= time && time < to : time >= from || time < to;
}

/** `eta` is the ETA at the baseline's port. `evaluateVessel` ends a snooze until the next port changes. */
export function isSnoozed(snooze: Snooze | null, { eta, now }: { eta: Date | null; now: Date }): boolean {
  switch (snooze?.kind) {
    case undefined:
      return false;
    case 'until':
      return now < snooze.at;
    case 'until-eta':
      return eta !== null && now < subHours(eta, snooze.hours);
    case 'until-next-port':
      return true;
  }
}

/** When a watch must be polled to end its quiet hours and snooze in time. Null if none ends at a known time. */
export function wakeTime(
  { quiet, snooze, eta }: { quiet: QuietHours | null; snooze: Snooze | null; eta: Date | null },
  now: Date,
): Date | null {
  const ends: Date[] = [];
  if (quiet && isQuiet(quiet, now)) ends.push(quietEnd(quiet, now));
  if (snooze?.kind === 'until') ends.push(snooze.at);
  if (snooze?.kind === 'until-eta' && eta) ends.push(subHours(eta, snooze.hours));
  const futureEnds = ends.filter((end) => end > now);
  return futureEnds.length === 0 ? null : max(futureEnds);
}

function quietEnd({ to, zone }: QuietHours, now: Date): Date {
  const [hours = 0, minutes = 0] = to.split(':').map(Number);
  const today = set(new TZDate(now, zone), { hours, minutes, seconds: 0, milliseconds: 0 });
  return new Date(+(today > now ? today : addDays(today, 1)));
}
