import { z } from 'zod';
import { imo, locode, prospect } from './values.ts';

/** What of a line's answer can be compared with the digest before. */
export const lineFacts = z.discriminatedUnion('kind', [
  /** `next`: the likeliest port; null where nothing is predicted, or where the service did not answer. */
  z.object({
    kind: z.literal('next-ports'),
    vessels: z.array(z.object({ imo, next: prospect.nullable(), isUnanswered: z.boolean() })).readonly(),
  }),
  /** Every vessel of the answer, also those that it does not show. */
  z.object({
    kind: z.literal('port-calls'),
    port: locode,
    calls: z.array(prospect.omit({ port: true }).extend({ imo })).readonly(),
  }),
]);
export type LineFacts = z.infer<typeof lineFacts>;

/** What was told last, by the canonical line; of port calls those that were expected. */
export const told = z.record(z.string(), lineFacts);
export type Told = z.infer<typeof told>;

/** What changed for one vessel between two digests. */
export const news = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('new-arrival'), imo, now: prospect }),
  /** Its ETA lay ahead still. */
  z.object({ kind: z.literal('no-longer-expected'), imo, was: prospect }),
  z.object({ kind: z.literal('eta-moved'), imo, was: prospect, now: prospect }),
  /** Null: nothing was, or is, predicted. */
  z.object({
    kind: z.literal('next-port-changed'),
    imo,
    was: prospect.nullable(),
    now: prospect.nullable(),
  }),
]);
export type News = z.infer<typeof news>;
