import { z } from 'zod';
import { imo, locode, prospect } from '../reference/prediction.ts';

/** Every vessel on the port's list, including those of other days and those that the answer does not show. */
const portCalls = z.object({
  kind: z.literal('port-calls'),
  port: locode,
  /** The period, as it is typed; null: all days. */
  period: z.string().nullable().default(null),
  /** The minimum probability, 0..1. */
  from: z.number().default(0),
  calls: z
    .array(
      prospect.omit({ port: true }).extend({
        imo,
        /** Its ETA is before, within or after the period; `unknown` without an ETA. */
        when: z.enum(['before', 'within', 'after', 'unknown']).default('within'),
      }),
    )
    .readonly(),
});

/** The part of a line's answer that a digest compares with its previous run. */
export const lineFacts = z.discriminatedUnion('kind', [
  /** `next`: the most probable port; null if nothing is predicted, or the service did not answer. */
  z.object({
    kind: z.literal('next-ports'),
    vessels: z.array(z.object({ imo, next: prospect.nullable(), isUnanswered: z.boolean() })).readonly(),
  }),
  portCalls,
  /** Without the ports for which the service did not answer. */
  z.object({ kind: z.literal('several-ports'), ports: z.array(portCalls).readonly() }),
  /** The carriers whose delays have clearly changed between two periods. */
  z.object({
    kind: z.literal('lane-versus'),
    marked: z.array(z.object({ carrier: z.string(), change: z.enum(['more', 'fewer']) })).readonly(),
  }),
]);
export type LineFacts = z.infer<typeof lineFacts>;
