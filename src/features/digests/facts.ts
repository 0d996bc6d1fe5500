import { z } from 'zod';
import { imo, prospect } from '../../reference/stored-values.ts';
import { lineFacts } from '../line-facts.ts';

/** What the last digest said, by the canonical line; of port calls those that were expected. */
export const baselineLines = z.record(z.string(), lineFacts);
export type BaselineLines = z.infer<typeof baselineLines>;

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
