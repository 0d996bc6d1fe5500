import { tz } from '@date-fns/tz';
import { parseISO } from 'date-fns/parseISO';
import { z } from 'zod';
import { UserError } from '../../../errors.ts';
import { readFields } from '../../../messages/field-errors.ts';
import { defineForm } from '../../form.ts';
import { actorIn, zoneToSave } from '../../run-context.ts';
import { unknownZoneHelp } from '../commands/change-watches.ts';
import type { WatchesServices } from '../service/watch-service.ts';
import { snoozeForm } from '../views/watch-form.ts';

interface State {
  watchId: string;
  title: string;
  date: string;
  time: string;
}

/** “Snooze until a date …”. */
export const snooze = defineForm<{ watchId: string }, State, WatchesServices>({
  name: 'snooze',
  target: z.object({ watchId: z.string() }),
  async open({ watchId }, context) {
    const actor = actorIn(context);
    const { title } = await context.watches.getToChange(watchId, actor);
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
    const { date: at } = readFields({
      date: () => timeOf({ date, time, zone: zoneToSave(reader.zone, unknownZoneHelp), now: now() }),
    });
    await context.watches.snooze(watchId, { kind: 'until', at }, actor);
    return undefined;
  },
});

function timeOf({ date, time, zone, now }: { date: string; time: string; zone: string; now: Date }): Date {
  const at = new Date(+parseISO(`${date}T${time}`, { in: tz(zone) }));
  if (at > now) return at;
  throw new UserError({ code: 'bad-snooze', message: 'That time has passed: choose a later one.' });
}
