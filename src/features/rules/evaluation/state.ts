import { millisecondsInDay, millisecondsInHour, millisecondsInMinute } from 'date-fns/constants';
import { z } from 'zod';
import type { Answer, Subject } from '../../../predictions/next-port.ts';
import { type Imo, isImo, type Locode } from '../../../reference/codes.ts';
import { canonicalPort } from '../../../reference/ports.ts';
import {
  date,
  imo,
  locode,
  type Prediction,
  type Prospect,
  prospect,
} from '../../../reference/prediction.ts';

/** The result of one poll of a subject: an answer, or a failure. */
export type Snapshot =
  | (Subject & Answer)
  | { kind: 'failed'; isPort: boolean; at: Date; silentSince: Date; intervalMinutes: number };

/**
 * `fleet:NORTH at Rotterdam`: what a watch is limited to. `port` is null for the ports of a group, which it follows one by
 * one; `imos` is null for the vessels of the list that it follows.
 */
export const portCondition = z.object({ port: locode.nullable(), imos: z.array(imo).nullable() });
export type PortCondition = z.infer<typeof portCondition>;

export type AnsweredSnapshot = Exclude<Snapshot, { kind: 'failed' }>;

/** Whether the condition is about this call. */
export const isMet = ({ port, imos }: PortCondition, call: { imo: Imo; port: Locode }): boolean =>
  (port === null || canonicalPort(call.port) === canonicalPort(port)) && (imos?.includes(call.imo) ?? true);

export const predictionsFor = (condition: PortCondition, predictions: readonly Prediction[]): Prediction[] =>
  predictions.filter((prediction) => isMet(condition, prediction));

/** An answer about a port, a list or a vessel as one about the port of the condition. */
export function narrow(
  snapshot: AnsweredSnapshot,
  condition: PortCondition,
): Extract<Snapshot, { kind: 'port' }> {
  const port = condition.port ?? (snapshot.kind === 'port' ? snapshot.port : undefined);
  if (port === undefined) throw new Error('only ports are followed for a group of them');
  const { at, scale, predictions } = snapshot;
  return { kind: 'port', port, at, scale, predictions: predictionsFor(condition, predictions) };
}

const scale = z.enum(['fraction', 'percent']);

/** What the followers were last notified of, and when. */
export const baseline = prospect.extend({ at: date });
export type Baseline = z.infer<typeof baseline>;

/** What rules remember, keyed by the rule. Each rule has a schema for its own memory. */
const memory = z.record(z.string(), z.unknown());
export type Memory = z.infer<typeof memory>;

/** A port call is open from when its port becomes the baseline's until the port is neither that nor predicted. */
const call = z.object({ sequence: z.number(), memory });
export type Call = z.infer<typeof call>;

/** It isn't clear where the vessel calls next. One alert says so, and is edited in place until that is settled. */
export const dispute = z.object({
  /** The event that notified of it. */
  kind: z.enum(['undecided', 'back-and-forth', 'unlikely']),
  since: date,
  /** The baseline before. */
  was: baseline,
  /** The baseline's port since then, and the other one; null if only one is predicted. */
  port: locode,
  rival: locode.nullable(),
  /** The likeliest port, and since when it has been that. */
  leader: locode,
  ledSince: date,
  /** Of an `unlikely` port: the threshold, 0 to 1. */
  below: z.exactOptional(z.number()),
  /** What the alert shows: edits with nearly the same figures are left out. */
  shown: z.array(prospect),
});
export type Dispute = z.infer<typeof dispute>;

/** A port that belongs to an alias group is stored under the code of that group. */
export const vesselState = z.object({
  scale,
  /** Null until the first prediction. */
  baseline: baseline.nullable(),
  /** The last predicted ETA of the baseline's port: see `etaToRemember`. */
  lastEta: z.exactOptional(date.nullable()),
  /** In how many consecutive polls another port was the likeliest. */
  challenged: z.number(),
  /** The port of the baseline before this one, and when it was replaced. */
  previous: z.object({ port: locode, at: date }).nullable(),
  dispute: dispute.nullable(),
  /** What cards show as the next port in the latest answer: one port, or two if it is undecided. */
  next: z.exactOptional(z.array(locode)),
  calls: z.record(z.string(), call),
  /** The sequence number of the next port call. */
  nextCall: z.number(),
  memory,
  /** Consecutive polls without predictions. */
  emptyPolls: z.number(),
  /** There are no predictions, and the followers were notified of that or have never had one. */
  lost: z.boolean(),
  /** Ended by its rule “until next port”. */
  ended: z.boolean(),
});
export type VesselState = z.infer<typeof vesselState>;

const expectedVessel = baseline.extend({
  imo,
  /** Consecutive polls that found the vessel not likely enough to be expected. */
  missedPolls: z.number(),
  /** The last ETA while the vessel was likely: see `etaToRemember`. */
  lastEta: z.exactOptional(date.nullable()),
  /** What rules remember of this call. */
  memory: z.exactOptional(memory),
});
export type ExpectedVessel = z.infer<typeof expectedVessel>;

const common = {
  snapshotAt: date,
  /** The followers were notified that the service doesn't answer, and it still doesn't. */
  stale: z.boolean(),
};

/** What one watch remembers of one subject. `vessels` is keyed by IMO number. */
export const watchState = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('vessels'), ...common, vessels: z.record(z.string(), vesselState) }),
  z.object({
    kind: z.literal('port'),
    ...common,
    scale,
    /** Null before the first answer. */
    expected: z.array(expectedVessel).nullable(),
    /** By IMO number: consecutive polls that found a vessel likely, but not yet expected. */
    rising: z.exactOptional(z.record(z.string(), z.number())),
    /** Vessels that are no longer expected, for some days: see `droppedDays`. */
    dropped: z.exactOptional(z.array(z.object({ imo, at: date }))),
    /** Only with a condition: the vessels that it was about at the last answer, whether or not they are expected. */
    members: z.exactOptional(z.array(imo)),
  }),
]);
export type WatchState = z.infer<typeof watchState>;
export type PortState = Extract<WatchState, { kind: 'port' }>;
export type VesselsState = Extract<WatchState, { kind: 'vessels' }>;

/** Another port is the next one. */
export interface PortChange {
  /** `moved-on`: the vessel has probably called at the old port: the ordinary next leg. */
  kind: 'diverted' | 'moved-on' | 'back-and-forth' | 'undecided';
  imo: Imo;
  was: Baseline;
  next: Prospect;
  /** The old port as it is predicted now; null if it no longer is. */
  old: Prospect | null;
  /** After a dispute: the new port has led for `settledHours`. */
  isSettled?: boolean;
  /** The old port is gone, or past its ETA: the vessel may have called there. */
  mayHaveCalled?: boolean;
}

/** The states of vessels by IMO number; empty for a port or a condition. */
export const vesselStates = (state: WatchState | null | undefined): VesselsState['vessels'] =>
  state?.kind === 'vessels' ? state.vessels : {};

export const imosIn = (state: WatchState | null | undefined): Imo[] =>
  state?.kind === 'port' ? (state.members ?? []) : Object.keys(vesselStates(state)).map(Number).filter(isImo);

/**
 * Returns the ETA to remember. To leave most polls without a change of state, this is the current one only if it differs
 * by an hour or more; within a day of the ETA by 10 minutes, since the hours that are left then count.
 */
export function etaToRemember(
  remembered: Date | null | undefined,
  current: Date | null,
  now: Date,
): Date | null {
  if (!remembered || !current) return current ?? remembered ?? null;
  const isNear = Math.abs(current.getTime() - now.getTime()) < millisecondsInDay;
  const smallestMs = isNear ? 10 * millisecondsInMinute : millisecondsInHour;
  return Math.abs(current.getTime() - remembered.getTime()) < smallestMs ? remembered : current;
}

/** Fixed limits that keep small changes from notifying people. Probabilities are 0 to 1. */
export const damping = {
  /** A smaller lead, a missing prediction or a newly likely vessel counts after this many consecutive polls. */
  consecutivePolls: 2,
  /** If the next port changes back within this time, the two ports are in dispute. */
  backAndForthHours: 24,
  /** A dispute is settled once one port has led for this long, by more than `isUndecided` allows. */
  settledHours: 6,
  /** After a dispute, ports are undecided again only if one has led by this much in between. */
  rearmLead: 0.15,
  /** A threshold can alert again after the probability has been this far above it. */
  rearm: 0.1,
  /** A due date can alert again after the ETA has been this long before it; within a window, at most a quarter of it. */
  rearmDueHours: 3,
  /** For this long after a vessel is no longer expected, it must reach `likely` + `rearm` to be expected again. */
  droppedDays: 7,
  /** A port's watch looks this far ahead, and says nothing of who is newly or no longer expected so near the ETA. */
  portDays: 7,
  /** The service counts as not answering after this many polling intervals without an answer. */
  staleIntervals: 3,
} as const;
