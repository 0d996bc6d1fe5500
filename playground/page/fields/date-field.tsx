import { TZDate } from '@date-fns/tz';
import type { Datepicker, DateTimepicker, Timepicker } from '@slack/types';
import { usePage } from '../model/page-context.ts';
import { dayOf, format } from '../model/time.ts';
import type { FieldAria } from './field-element.ts';

interface Props {
  element: Datepicker | Timepicker | DateTimepicker;
  /** `2026-11-27`, `18:00`, or Unix seconds. */
  value: string;
  aria: FieldAria;
  onChange: (value: string | null) => void;
}

/** A date, a time, or both in the reader's zone. */
export function DateField({ element, value, aria, onChange }: Props) {
  const { zone } = usePage().world.me;
  const shared = { ...aria, className: 'text-field date-field' };
  if (element.type === 'datetimepicker') {
    return (
      <input
        {...shared}
        type="datetime-local"
        value={value ? localDateTime(Number(value) * 1000, zone) : ''}
        onChange={(event) => onChange(secondsOf(event.target.value, zone))}
      />
    );
  }
  return (
    <input
      {...shared}
      type={element.type === 'datepicker' ? 'date' : 'time'}
      value={value}
      onChange={(event) => onChange(event.target.value || null)}
    />
  );
}

/** `2026-11-27T18:00` */
const localDateTime = (ms: number, zone: string): string =>
  `${dayOf(ms, zone)}T${format(ms, zone, { timeStyle: 'short' })}`;

function secondsOf(local: string, zone: string): string | null {
  const [year, month, day, hour, minute] = local.split(/\D/).map(Number);
  if (year === undefined || month === undefined || day === undefined) return null;
  return String(new TZDate(year, month - 1, day, hour ?? 0, minute ?? 0, zone).getTime() / 1000);
}
