import { z } from 'zod';
import { date, imo, locode, prospect, told } from './values.ts';

const vessel = { imo };

/** What a watch tells. Each holds what was told before, so that a message needs nothing else. */
export const watchEvent = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('next-port-changed'),
    ...vessel,
    was: told,
    next: prospect,
    /** The old port as it is now; null when it is no longer listed. */
    old: prospect.nullable(),
    /** It ends a wavering. */
    settled: z.boolean(),
    /** The port that `old` is about, where it is not the one that was told. */
    rival: z.exactOptional(locode),
    nextLeg: z.exactOptional(z.boolean()),
  }),
  z.object({ kind: z.literal('wavering'), ...vessel, was: told, next: prospect, old: prospect.nullable() }),
  z.object({
    kind: z.literal('no-longer-listed'),
    ...vessel,
    was: told,
    next: prospect,
    nextLeg: z.exactOptional(z.boolean()),
  }),
  z.object({ kind: z.literal('eta-slipped'), ...vessel, was: told, now: prospect }),
  z.object({ kind: z.literal('eta-advanced'), ...vessel, was: told, now: prospect }),
  z.object({
    kind: z.literal('probability-fell'),
    ...vessel,
    was: told,
    now: prospect,
    below: z.number(),
    /** The likeliest other port. */
    other: z.exactOptional(prospect),
  }),
  z.object({ kind: z.literal('arriving'), ...vessel, now: prospect, hours: z.number(), call: z.number() }),
  z.object({ kind: z.literal('overdue'), ...vessel, now: prospect, hours: z.number(), call: z.number() }),
  z.object({
    kind: z.literal('due'),
    ...vessel,
    due: z.object({ port: locode, at: date }),
    /** Null when the port is not listed. */
    now: prospect.nullable(),
    reasons: z.array(z.enum(['late', 'unlikely'])),
  }),
  z.object({ kind: z.literal('prediction-lost'), ...vessel, was: told }),
  z.object({ kind: z.literal('prediction-back'), ...vessel, was: told.nullable(), next: prospect }),
  z.object({ kind: z.literal('newly-expected'), ...vessel, now: prospect }),
  z.object({
    kind: z.literal('no-longer-expected'),
    ...vessel,
    was: told,
    now: prospect.nullable(),
    /** The ETA it was last listed with, where that is only hours ahead: perhaps it has been reached. */
    nearEta: z.exactOptional(date),
  }),
  z.object({ kind: z.literal('expected-eta-moved'), ...vessel, was: told, now: prospect }),
  z.object({ kind: z.literal('stale'), since: date }),
]);
export type WatchEvent = z.infer<typeof watchEvent>;
export type WatchEventKind = WatchEvent['kind'];

const critical: ReadonlySet<WatchEventKind> = new Set([
  'next-port-changed',
  'no-longer-listed',
  'due',
  'overdue',
]);

/**
 * Shown in the channel too, where its mode says so. `nextLeg`: the port before was left about when it was to be
 * reached, so that another comes next is no surprise.
 */
export const isCritical = (event: WatchEvent): boolean =>
  critical.has(event.kind) && !('nextLeg' in event && event.nextLeg === true);
