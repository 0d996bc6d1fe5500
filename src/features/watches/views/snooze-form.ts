import { TZDate } from '@date-fns/tz';
import { dateField, timeField, words } from '../../../messages/fields.ts';
import { clip } from '../../../messages/limits.ts';
import type { Reader } from '../../../messages/message.ts';
import type { Modal } from '../../../messages/modal.ts';

/** Asks until when a watch is to be quiet; tomorrow morning to begin with. */
export function snoozeForm({ title }: { title: string }, { now, zone }: Reader): Modal {
  return {
    title: 'Snooze until',
    submit: 'Snooze',
    blocks: [
      words(
        `${clip(title, 150)} notifies nobody until then; what has changed meanwhile is posted when it wakes.`,
      ),
      dateField({ id: 'date', label: 'Day', value: tomorrow(now, zone) }),
      timeField({ id: 'time', label: `Time (${zone})`, value: '08:00' }),
    ],
  };
}

function tomorrow(now: Date, zone: string): string {
  const local = new TZDate(now.getTime(), zone);
  local.setDate(local.getDate() + 1);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${local.getFullYear()}-${two(local.getMonth() + 1)}-${two(local.getDate())}`;
}
