import { z } from 'zod';
import { isScac, type Scac } from '../reference/carriers.ts';
import { imo, locode } from '../reference/stored-values.ts';
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
