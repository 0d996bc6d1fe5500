import { TZDate } from '@date-fns/tz';
import { z } from 'zod';
import { UserError } from '../../../errors.ts';
import { readFields } from '../../../messages/field-errors.ts';
import { defineForm } from '../../form.ts';
import { actorIn } from '../../run-context.ts';
import type { WatchesServices } from '../services.ts';
import { snoozeForm } from '../views/snooze-form.ts';

interface State {
  watchId: string;
  title: string;
  date: string;
  time: string;
}

/** «Snooze until a date …» of a watch. */
export const snooze = defineForm<{ watchId: string }, State, WatchesServices>({
  name: 'snooze',
  target: z.object({ watchId: z.string() }),
  async open({ watchId }, context) {
    const actor = actorIn(context);
    const { title } = await context.watches.changeable(watchId, actor);
    return { watchId, title, date: '', time: '' };
  },
  instead: () => 'watch snooze 9461477 until 27 Nov 08:00',
  view: (state, reader) => snoozeForm(state, reader),
  memo: ({ title }) => title,
  read: (filled, { target, memo }) => ({
    ...target,
    title: String(memo),
    date: filled.text('date'),
    time: filled.text('time'),
  }),
  async submit({ watchId, date, time }, context) {
    const actor = actorIn(context);
    const { now, actor: reader } = context;
    const { date: at } = readFields({ date: () => timeOf({ date, time, zone: reader.zone, now: now() }) });
    await context.watches.snooze(watchId, { kind: 'until', at }, actor);
    return undefined;
  },
});

function timeOf({ date, time, zone, now }: { date: string; time: string; zone: string; now: Date }): Date {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  const at = new Date(new TZDate(year, month - 1, day, hours, minutes, zone).getTime());
  if (at > now) return at;
  throw new UserError({ code: 'bad-snooze', message: 'That time has passed: choose a later one.' });
}
