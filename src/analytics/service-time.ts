import { z } from 'zod';

export interface ServiceTime {
  at: Date;
  /** `assumed-utc`: the service gave no offset. */
  zone: 'given' | 'assumed-utc';
}

const form = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}(?::\d{2})?)(\.\d+)?(Z|[+-]\d{2}(?::?\d{2})?)?$/i;

/** ISO 8601 date-time with or without fraction and offset; undefined for anything else, 30 February too. */
export function parseServiceTime(text: string): ServiceTime | undefined {
  const match = form.exec(text.trim());
  if (!match) return undefined;
  const [, date = '', time = '', fraction = '', offset] = match;
  // Date rolls 30 February over to March: the day is held against what was written.
  const day = new Date(`${date}T00:00:00Z`);
  const at = new Date(`${date}T${time}${fraction}${withColon(offset ?? 'Z')}`);
  if (Number.isNaN(at.getTime()) || Number.isNaN(day.getTime())) return undefined;
  if (day.toISOString().slice(0, 10) !== date) return undefined;
  return { at, zone: offset === undefined ? 'assumed-utc' : 'given' };
}

/** How times are sent: `2026-08-22T00:00:00Z`. */
export function formatQueryTime(time: Date): string {
  return time.toISOString().replace(/\.\d{3}Z$/, 'Z');
}

export const serviceTime = z.string().transform((text, context): ServiceTime => {
  const time = parseServiceTime(text);
  if (time) return time;
  context.addIssue('a date-time');
  return z.NEVER;
});

function withColon(offset: string): string {
  if (/^z$/i.test(offset)) return 'Z';
  const minutes = offset.slice(3).replace(':', '');
  return `${offset.slice(0, 3)}:${minutes === '' ? '00' : minutes}`;
}
