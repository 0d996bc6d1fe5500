import { addHours } from 'date-fns/addHours';
import { subHours } from 'date-fns/subHours';
import { z } from 'zod';
import { isUndecided } from '../../../messages/formatting/probability.ts';
import { imo, type Prospect, prospect } from '../../../reference/stored-values.ts';
import { damping } from './damping.ts';
import { type Baseline, baseline, type VesselState } from './state.ts';

const change = {
  imo,
  was: baseline,
  next: prospect,
  /** The old port as it is predicted now; null if it no longer is. */
  old: prospect.nullable(),
};

export const diverted = z.object({
  kind: z.literal('diverted'),
  ...change,
  /** After a dispute: the new port has led for `settledHours`. */
  isSettled: z.exactOptional(z.boolean()),
  /** The old port is gone, or past its ETA: the vessel may have called there. */
  mayHaveCalled: z.exactOptional(z.boolean()),
});

/** The vessel has probably called at the old port: the ordinary next leg. */
export const movedOn = z.object({ kind: z.literal('moved-on'), ...change });

export type PortChange =
  | z.infer<typeof diverted>
  | z.infer<typeof movedOn>
  | (Omit<z.infer<typeof diverted>, 'kind'> & { kind: 'back-and-forth' | 'undecided' });

interface PortChangeInput {
  imo: PortChange['imo'];
  baseline: Baseline;
  /** Likeliest first. */
  ranked: readonly [Prospect, ...Prospect[]];
  /** Its rule is on: two ports that take turns are in dispute, and an open dispute of both delays the diversion. */
  hasDisputes: boolean;
  now: Date;
}

/**
 * Undefined while the baseline's port is the likeliest, or until another port is confirmed as the next one. If that leads
 * by little, the two are undecided, and the baseline stays.
 */
export function detectPortChange(state: VesselState, input: PortChangeInput): PortChange | undefined {
  const { imo, baseline, ranked, hasDisputes, now } = input;
  const [next] = ranked;
  const old = ranked.find(({ port }) => port === baseline.port) ?? null;
  if (old && old.probability >= next.probability) return undefined;
  const facts = { imo, was: baseline, next };
  const eta = state.lastEta ?? baseline.eta;
  if (!old && hasProbablyCalled(eta, now)) return { kind: 'moved-on', ...facts, old };
  const mayHaveCalled = isWithin(old ? 0 : damping.maybeCalledHours, eta, now);
  const change = { kind: 'diverted', ...facts, old, ...(mayHaveCalled && { mayHaveCalled }) } as const;
  const { dispute } = state;
  if (hasDisputes && dispute?.rival === next.port && dispute.kind !== 'unlikely') {
    const isSettled = now >= addHours(dispute.ledSince, damping.settledHours);
    if (isSettled) return { ...change, isSettled };
    const isClear = leads(next, old) && state.challenged >= damping.consecutivePolls;
    return dispute.kind === 'undecided' && isClear ? change : undefined;
  }
  // A port that is no longer predicted is replaced at once.
  if (old && !leads(next, old) && state.challenged < damping.consecutivePolls) return undefined;
  if (!hasDisputes) return change;
  if (isBackAndForth(state, next, now)) return { ...change, kind: 'back-and-forth' };
  return old && isUndecided(next.probability, old.probability) ? { ...change, kind: 'undecided' } : change;
}

/** By 10 points. In floating point, 0.5 - 0.4 is a hair less than 0.1. */
const leads = (next: Prospect, old: Prospect | null): boolean =>
  next.probability - (old?.probability ?? 0) + 1e-9 >= damping.leadToChange;

/** The next port has changed back within a day. */
const isBackAndForth = ({ previous }: VesselState, next: Prospect, now: Date): boolean =>
  previous?.port === next.port && now <= addHours(previous.at, damping.backAndForthHours);

/** Of a port that is no longer predicted: its ETA has passed, or is near. */
export const hasProbablyCalled = (eta: Date | null, now: Date): boolean =>
  isWithin(damping.calledHours, eta, now);

/** True if the ETA is at most this far ahead, or has passed. */
export const isWithin = (hours: number, eta: Date | null, now: Date): boolean =>
  eta !== null && now >= subHours(eta, hours);
