import { TZDate } from '@date-fns/tz';
import { addDays } from 'date-fns/addDays';
import { lightFormat } from 'date-fns/lightFormat';
import { dateField, textBlock, timeField } from '../../../messages/fields.ts';
import { clip } from '../../../messages/limits.ts';
import type { Modal, Reader } from '../../../messages/message.ts';

/** Asks how long to snooze a watch. It opens with tomorrow morning. */
export function snoozeForm({ title }: { title: string }, { now, zone }: Reader): Modal {
  const about = `${clip(title, 150)} sends no alerts until then; when it wakes, it sends one with what has changed.`;
  const tomorrow = lightFormat(addDays(new TZDate(now, zone), 1), 'yyyy-MM-dd');
  return {
    title: 'Snooze until',
    submit: 'Snooze',
    blocks: [
      textBlock(about),
      dateField({ id: 'date', label: 'Day', value: tomorrow }),
      timeField({ id: 'time', label: `Time (${zone})`, value: '08:00' }),
    ],
  };
}
