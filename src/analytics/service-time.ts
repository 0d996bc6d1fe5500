import { parseISO } from 'date-fns/parseISO';
import { z } from 'zod';

interface ServiceTime {
  at: Date;
  /** `assumed-utc`: the service gave no offset. */
  zone: 'given' | 'assumed-utc';
}

// Narrower than ISO 8601: no date without a time, no week of the year, no offset of a day or more.
const dateTimePattern =
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(Z|[+-](?:[01]\d|2[0-3])(?::?\d{2})?)?$/i;

/** Parses an ISO 8601 date-time with or without fraction and offset; undefined for other texts, such as 30 February. */
export function parseServiceTime(text: string): ServiceTime | undefined {
  const match = dateTimePattern.exec(text.trim());
  if (!match) return undefined;
  const [written, offset] = match;
  const at = parseISO((offset === undefined ? `${written}Z` : written).toUpperCase());
  if (Number.isNaN(at.getTime())) return undefined;
  return { at, zone: offset === undefined ? 'assumed-utc' : 'given' };
}

/** For a query: `2026-08-22T00:00:00Z`. */
export function formatQueryTime(time: Date): string {
  return time.toISOString().replace(/\.\d{3}Z$/, 'Z');
}

export const timeField = z.string().transform((text, context): ServiceTime => {
  const time = parseServiceTime(text);
  if (time) return time;
  context.addIssue('not a date-time');
  return z.NEVER;
});
