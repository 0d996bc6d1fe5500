import { z } from 'zod';
import { imo, locode, prospect } from '../reference/stored-values.ts';

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
          /** Where its ETA lies: without one, whether it is of those days is unknown. */
          when: z.enum(['before', 'within', 'after', 'unknown']).default('within'),
        }),
      )
      .readonly(),
  }),
]);
export type LineFacts = z.infer<typeof lineFacts>;
