import { z } from 'zod';
import type { Imo } from '../../../reference/imo.ts';
import type { Locode } from '../../../reference/locode.ts';
import { date, prospect } from '../../../reference/stored-values.ts';

/** Hours before the last ETA of a call, at which its predictions are compared with the end. */
export const leads = [72, 48, 24] as const;
export type Lead = (typeof leads)[number];

/** What was predicted at a lead: the likeliest port, and when. Null without a poll of that call in the hours before. */
const reading = prospect.extend({ at: z.exactOptional(date) }).nullable();
export type Reading = z.infer<typeof reading>;

export const readings = z.object({ 72: reading, 48: reading, 24: reading });
export type Readings = z.infer<typeof readings>;

/** A call under way that has just ended: its port left the predictions at its ETA. */
export interface EndedCall {
  imo: Imo;
  /** The list whose polls found it; empty for those of the vessel alone. */
  list: string;
  /** The port of the call before; null if some calls in between may be unknown. */
  previousPort: Locode | null;
  /** The likeliest port at the end. */
  port: Locode;
  lastEta: Date;
  /** The first poll of this call: what was predicted earlier says nothing about it. */
  since: Date;
  /** The first poll that no longer had the port. */
  endedAt: Date;
}

export interface FinishedCall extends Omit<EndedCall, 'since' | 'list'> {
  readings: Readings;
}
