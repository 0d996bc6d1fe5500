import { z } from 'zod';
import { type Imo, isImo } from '../../../reference/imo.ts';
import { isLocode, type Locode } from '../../../reference/locode.ts';

/** What is stored as JSON is read back by these: the store is an edge too. */
export const locode = z.custom<Locode>((value) => typeof value === 'string' && isLocode(value));
export const imo = z.custom<Imo>((value) => typeof value === 'number' && isImo(value));
export const date = z.coerce.date();

export const hourMs = 3_600_000;

/** A port a vessel may call at next, as one poll had it. */
export const prospect = z.object({ port: locode, probability: z.number(), eta: date.nullable() });
export type Prospect = z.infer<typeof prospect>;

/** The ETA to remember: the one seen now where it is an hour or more from the one known. */
export function nearlySame(known: Date | null | undefined, seen: Date | null): Date | null {
  if (!known || !seen) return seen ?? known ?? null;
  return Math.abs(seen.getTime() - known.getTime()) < hourMs ? known : seen;
}

/** What the followers were last notified of, and when. */
export const baseline = prospect.extend({ at: date });
export type Baseline = z.infer<typeof baseline>;
