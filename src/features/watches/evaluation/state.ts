import { z } from 'zod';
import { baseline, date, imo, locode } from './values.ts';

const scale = z.enum(['fraction', 'percent']);

/** What rules remember, by their keys: each reads its own. */
const memory = z.record(z.string(), z.unknown());
export type Memory = z.infer<typeof memory>;

/** A call is open from when its port comes out on top until it is no longer predicted. */
const call = z.object({ sequence: z.number(), memory });
export type Call = z.infer<typeof call>;

/** Ports are written by the code that stands for their alias group. */
export const vesselState = z.object({
  scale,
  /** What the followers were last notified of; null while there was never a prediction. */
  baseline: baseline.nullable(),
  /** The ETA of that port while it was last on top. Stored to the hour, so that few polls write it. */
  lastEta: z.exactOptional(date.nullable()),
  /** Polls running in which another port was on top. */
  challenged: z.number(),
  /** The baseline's port before this one, and when it was given up. */
  previous: z.object({ port: locode, at: date }).nullable(),
  wavering: z.object({ ports: z.array(locode), leader: locode, since: date }).nullable(),
  calls: z.record(z.string(), call),
  nextCall: z.number(),
  memory,
  /** Polls running without predictions, and whether that was notified. */
  emptyPolls: z.number(),
  lost: z.boolean(),
  /** By its rule «until next port». */
  ended: z.boolean(),
});
export type VesselState = z.infer<typeof vesselState>;

/** `missedPolls`: polls running in which it was no longer likely; `lastEta`: while it was likely, to the hour. */
const expectedVessel = baseline.extend({
  imo,
  missedPolls: z.number(),
  lastEta: z.exactOptional(date.nullable()),
});
export type ExpectedVessel = z.infer<typeof expectedVessel>;

/** `stale` was notified, and no answer has come since. */
const common = { snapshotAt: date, stale: z.boolean() };

/** The state of one watch's interest in one subject. Vessels by their IMO number. */
export const watchState = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('vessels'), ...common, vessels: z.record(z.string(), vesselState) }),
  z.object({
    kind: z.literal('port'),
    ...common,
    scale,
    /** Null before the first answer. */
    expected: z.array(expectedVessel).nullable(),
    /** By IMO number: polls running in which a vessel that is not yet expected was likely. */
    rising: z.exactOptional(z.record(z.string(), z.number())),
    /** Notified of as no longer expected, and when: expected again only where they are likelier than usual. */
    dropped: z.exactOptional(z.array(z.object({ imo, at: date }))),
  }),
]);
export type WatchState = z.infer<typeof watchState>;
export type PortState = Extract<WatchState, { kind: 'port' }>;
export type VesselsState = Extract<WatchState, { kind: 'vessels' }>;
