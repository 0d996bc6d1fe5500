import { z } from 'zod';
import { type Imo, isImo } from '../reference/imo.ts';
import { isLocode, type Locode } from '../reference/locode.ts';
import { isScac, type Scac } from '../reference/scac.ts';
import type { JsonReply } from './service-call.ts';

/** Codes as the service writes them; spaces and case are forgiven, the check digit of an IMO too. */
export const imoField = z.custom<Imo>((value) => typeof value === 'number' && isImo(value));
export const locodeField = z
  .string()
  .transform((text) => text.replaceAll(' ', '').toUpperCase())
  .pipe(z.custom<Locode>((value) => typeof value === 'string' && isLocode(value)));
export const scacField = z
  .string()
  .transform((text) => text.trim().toUpperCase())
  .pipe(z.custom<Scac>((value) => typeof value === 'string' && isScac(value)));
export const countField = z.int().nonnegative();

/** The envelope must be right. Throws UnreadableResponseError. */
export function readEnvelope<T>(schema: z.ZodType<T>, { json, unreadable }: JsonReply): T {
  const result = schema.safeParse(json);
  if (result.success) return result.data;
  const path = result.error.issues[0]?.path.join('.') ?? '';
  throw unreadable(`not the shape of the contract${path === '' ? '' : ` (${path})`}`);
}

/** A bad record among good ones is dropped and counted. */
export function readRecords<T>(
  schema: z.ZodType<T>,
  records: readonly unknown[],
): { read: T[]; faults: number } {
  const read = records.flatMap((record) => {
    const result = schema.safeParse(record);
    return result.success ? [result.data] : [];
  });
  return { read, faults: records.length - read.length };
}
