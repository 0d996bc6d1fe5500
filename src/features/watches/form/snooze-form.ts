import { TZDate, tz } from '@date-fns/tz';
import { addDays } from 'date-fns/addDays';
import { lightFormat } from 'date-fns/lightFormat';
import { parseISO } from 'date-fns/parseISO';
import { z } from 'zod';
import { type FormView, readFields } from '../../../answers/fields.ts';
import { clip, type Reader } from '../../../answers/message.ts';
import { UserError } from '../../../errors.ts';
import { zoneToSave } from '../../ctx.ts';
import { form } from '../../feature.ts';
import { getToChange, snoozeWatch } from '../change-watch.ts';
import { unknownZoneHelp } from '../change-watches.ts';

interface State {
  watchId: string;
  title: string;
  date: string;
  time: string;
}

/** “Snooze until a date …”. */
export const snooze = form<{ watchId: string }, State>({
  name: 'snooze',
  target: z.object({ watchId: z.string() }),
  async open({ watchId }, ctx) {
    const { title } = await getToChange(watchId, ctx);
    return { watchId, title, date: '', time: '' };
  },
  instead: () => 'watch snooze 9461477 until 27 Nov 08:00',
  view: snoozeForm,
  memo: ({ title }) => title,
  read: (filled, { target, memo }) => ({
    ...target,
    title: String(memo),
    date: filled.text('date'),
    time: filled.text('time'),
  }),
  async submit({ watchId, date, time }, ctx) {
    const { now, actor } = ctx;
    const { date: at } = readFields({
      date: () => timeOf({ date, time, zone: zoneToSave(actor.zone, unknownZoneHelp), now: now() }),
    });
    await snoozeWatch(watchId, { kind: 'until', at }, ctx);
    return undefined;
  },
});

function timeOf({ date, time, zone, now }: { date: string; time: string; zone: string; now: Date }): Date {
  const at = new Date(+parseISO(`${date}T${time}`, { in: tz(zone) }));
  if (at > now) return at;
  throw new UserError({ code: 'bad-snooze', message: 'That time has passed: choose a later one.' });
}

/** Asks how long to snooze a watch. It opens with tomorrow morning. */
export function snoozeForm({ title }: { title: string }, { now, zone }: Reader): FormView {
  const about = `${clip(title, 150)} sends no alerts until then; when it wakes, it sends one with what has changed.`;
  const tomorrow = lightFormat(addDays(new TZDate(now, zone), 1), 'yyyy-MM-dd');
  return {
    title: 'Snooze until',
    submit: 'Snooze',
    parts: [
      { kind: 'text', lines: [about] },
      { kind: 'date', id: 'date', label: 'Day', value: tomorrow },
      { kind: 'time', id: 'time', label: `Time (${zone})`, value: '08:00' },
    ],
  };
}
