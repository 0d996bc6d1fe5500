import { parseISO } from 'date-fns/parseISO';
import { z } from 'zod';
import { isScac, type Scac } from '../reference/carriers.ts';
import { imo, locode } from '../reference/prediction.ts';
import type { JsonReply } from './http-transport.ts';

/** The service's own codes: spaces, lower case and a wrong IMO check digit are tolerated. */
export const imoField = imo;
export const locodeField = z
  .string()
  .transform((text) => text.replaceAll(' ', '').toUpperCase())
  .pipe(locode);
export const scacField = z
  .string()
  .transform((text) => text.trim().toUpperCase())
  .pipe(z.custom<Scac>((value) => typeof value === 'string' && isScac(value)));
export const countField = z.int().nonnegative();

export interface ReadRecords<T> {
  records: readonly T[];
  droppedRecords: number;
}

/** Reads the JSON around the records. Throws UnreadableResponseError if it breaks the contract. */
export function readEnvelope<T>(schema: z.ZodType<T>, { json, unreadable }: JsonReply): T {
  const result = schema.safeParse(json);
  if (result.success) return result.data;
  const path = result.error.issues[0]?.path.join('.') ?? '';
  throw unreadable(`it doesn't match the API contract${path === '' ? '' : ` (${path})`}`);
}

/** Drops and counts rows that break the contract or are unwanted. */
export function readRecords<T>(
  schema: z.ZodType<T>,
  rows: readonly unknown[],
  isWanted: (record: T) => boolean = () => true,
): ReadRecords<T> {
  const records = rows.flatMap((row) => {
    const { data } = schema.safeParse(row);
    return data !== undefined && isWanted(data) ? [data] : [];
  });
  return { records, droppedRecords: rows.length - records.length };
}

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
