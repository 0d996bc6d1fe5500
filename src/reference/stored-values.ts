import { z } from 'zod';
import { type Imo, isImo } from './imo.ts';
import { isLocode, type Locode } from './locode.ts';

/** What is stored as JSON is read back by these: the store is an edge too. */
export const locode = z.custom<Locode>((value) => typeof value === 'string' && isLocode(value));
export const imo = z.custom<Imo>((value) => typeof value === 'number' && isImo(value));
export const date = z.coerce.date();

/** A port that a vessel may call at, as one answer had it. */
export const prospect = z.object({ port: locode, probability: z.number(), eta: date.nullable() });
export type Prospect = z.infer<typeof prospect>;
