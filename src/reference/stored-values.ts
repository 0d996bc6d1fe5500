import { z } from 'zod';
import { type Imo, isImo } from './imo.ts';
import { isLocode, type Locode } from './locode.ts';

/** Schemas for values in JSON, stored or sent by the service. */
export const locode = z.custom<Locode>((value) => typeof value === 'string' && isLocode(value));
export const imo = z.custom<Imo>((value) => typeof value === 'number' && isImo(value));
export const date = z.coerce.date();

/** A port that a vessel may call at, as predicted in one answer. */
export const prospect = z.object({ port: locode, probability: z.number(), eta: date.nullable() });
export type Prospect = z.infer<typeof prospect>;
