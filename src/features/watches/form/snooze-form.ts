import { TZDate } from '@date-fns/tz';
import { addDays } from 'date-fns/addDays';
import { lightFormat } from 'date-fns/lightFormat';
import { z } from 'zod';
import { type FormView, readFields } from '../../../answers/fields.ts';
import { clip, type Reader } from '../../../answers/message.ts';
import { parseMoment } from '../../../grammar/moment.ts';
import { form } from '../../feature.ts';
import { getToChange, snoozeWatch } from '../change-watch.ts';
import { resolveSnooze } from '../change-watches.ts';

interface State {
  watchId: string;
  title: string;
  date: string;
  time: string;
}

const example = 'watch snooze 9461477 until 27 Nov 08:00';

/** “Snooze until a date …”. */
export const snooze = form<{ watchId: string }, State>({
  name: 'snooze',
  target: z.object({ watchId: z.string() }),
  async open({ watchId }, ctx) {
    const { title } = await getToChange(watchId, ctx);
    return { watchId, title, date: '', time: '' };
  },
  instead: () => example,
  view: snoozeForm,
  memo: ({ title }) => title,
  read: (filled, { target, memo }) => ({
    ...target,
    title: String(memo),
    date: filled.text('date'),
    time: filled.text('time'),
  }),
  async submit({ watchId, date, time }, ctx) {
    const help = { line: (fixed: string) => fixed, example };
    const moment = () => parseMoment(`${date} ${time}`, help);
    const { date: until } = readFields({
      date: () => resolveSnooze({ kind: 'until-moment', moment: moment() }, ctx),
    });
    await snoozeWatch(watchId, until, ctx);
    return undefined;
  },
});

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
