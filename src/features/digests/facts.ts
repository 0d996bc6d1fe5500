import { z } from 'zod';
import { imo, locode, prospect } from './values.ts';

/** What of a line's answer can be compared with the digest before. */
export const lineFacts = z.discriminatedUnion('kind', [
  /** `next`: the likeliest port; null where nothing is predicted, or where the service did not answer. */
  z.object({
    kind: z.literal('next-ports'),
    vessels: z.array(z.object({ imo, next: prospect.nullable(), isUnanswered: z.boolean() })).readonly(),
  }),
  /** Every vessel that the port lists, also those of other days, and those that the answer does not show. */
  z.object({
    kind: z.literal('port-calls'),
    port: locode,
    /** The days asked for, in words; null: all. */
    period: z.string().nullable().default(null),
    /** The least probability asked for. */
    from: z.number().default(0),
    calls: z
      .array(
        prospect.omit({ port: true }).extend({
          imo,
          /** Where its ETA lies: not of those days, where the period can't be told without one. */
          when: z.enum(['before', 'within', 'after', 'unknown']).default('within'),
        }),
      )
      .readonly(),
  }),
]);
export type LineFacts = z.infer<typeof lineFacts>;

/** What was told last, by the canonical line; of port calls those that were expected. */
export const told = z.record(z.string(), lineFacts);
export type Told = z.infer<typeof told>;

/** What changed for one vessel between two digests. */
export const news = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('new-arrival'), imo, now: prospect }),
  /** Expected before, and as its days go by now among those asked for. */
  z.object({ kind: z.literal('now-within'), imo, now: prospect, period: z.string() }),
  /** Its ETA lay ahead still. */
  z.object({ kind: z.literal('no-longer-expected'), imo, was: prospect }),
  /** `beyond`: so that it lies after these days now. */
  z.object({
    kind: z.literal('eta-moved'),
    imo,
    was: prospect,
    now: prospect,
    beyond: z.string().optional(),
  }),
  /** Null: nothing was, or is, predicted. */
  z.object({
    kind: z.literal('next-port-changed'),
    imo,
    was: prospect.nullable(),
    now: prospect.nullable(),
  }),
]);
export type News = z.infer<typeof news>;
