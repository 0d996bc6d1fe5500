import { z } from 'zod';
import { date, imo, locode, told } from './values.ts';

const scale = z.enum(['fraction', 'percent']);

/** A call is open from when its port comes out on top until it is no longer listed. */
const call = z.object({
  sequence: z.number(),
  /** Hours of the arriving ladder that have been passed. */
  passed: z.array(z.number()),
  overdue: z.boolean(),
});
export type Call = z.infer<typeof call>;

const dueMemory = z.object({ lateArmed: z.boolean(), unlikelyArmed: z.boolean(), eta: date.nullable() });
export type DueMemory = z.infer<typeof dueMemory>;

/** Ports are written by the code that stands for their alias group. */
export const vesselState = z.object({
  scale,
  /** What followers were last told; null while there was never a prediction. */
  told: told.nullable(),
  /** The ETA of that port while it was last on top. Kept to the hour, so that few polls write it. */
  lastEta: z.exactOptional(date.nullable()),
  /** Polls running in which another port was on top. */
  challenged: z.number(),
  /** The port told before this one, and when it was given up. */
  previous: z.object({ port: locode, at: date }).nullable(),
  wavering: z.object({ ports: z.array(locode), leader: locode, since: date }).nullable(),
  calls: z.record(z.string(), call),
  nextCall: z.number(),
  belowArmed: z.boolean(),
  due: z.record(z.string(), dueMemory),
  /** Polls running without predictions, and whether that was told. */
  emptyPolls: z.number(),
  lost: z.boolean(),
  /** By its rule «until next port». */
  ended: z.boolean(),
});
export type VesselState = z.infer<typeof vesselState>;

/** `missedPolls`: polls running in which it was no longer likely; `lastEta`: while it was likely, to the hour. */
const expectedVessel = told.extend({
  imo,
  missedPolls: z.number(),
  lastEta: z.exactOptional(date.nullable()),
});
export type ExpectedVessel = z.infer<typeof expectedVessel>;

/** `stale` was told, and no answer has come since. */
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
    /** Told as no longer expected, and when: expected again only where they are likelier than usual. */
    dropped: z.exactOptional(z.array(z.object({ imo, at: date }))),
  }),
]);
export type WatchState = z.infer<typeof watchState>;
export type PortState = Extract<WatchState, { kind: 'port' }>;
export type VesselsState = Extract<WatchState, { kind: 'vessels' }>;
