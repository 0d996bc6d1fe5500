import { addHours } from 'date-fns/addHours';
import { thresholds } from '../../../predictions/changes.ts';
import { comparePorts, isWithin, maybeCalledHours } from '../../../predictions/next-port.ts';
import type { Imo } from '../../../reference/codes.ts';
import type { Prospect } from '../../../reference/prediction.ts';
import { damping } from './damping.ts';
import type { Baseline, VesselState } from './state.ts';

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
  const eta = state.lastEta ?? baseline.eta;
  const other = comparePorts({ port: baseline.port, eta }, { at: now, ranked }, thresholds.alert);
  // A port that is exactly as likely takes nothing over.
  if (!other || (other.old && other.old.probability >= other.next.probability)) return undefined;
  const { next, old, isClear } = other;
  const facts = { imo, was: baseline, next, old };
  if (other.kind === 'next-leg') return { kind: 'moved-on', ...facts };
  const mayHaveCalled = isWithin(old ? 0 : maybeCalledHours, eta, now);
  const change = { kind: 'diverted', ...facts, ...(mayHaveCalled && { mayHaveCalled }) } as const;
  const { dispute } = state;
  const isConfirmed = state.challenged >= damping.consecutivePolls;
  if (hasDisputes && dispute?.rival === next.port && dispute.kind !== 'unlikely') {
    const isSettled = now >= addHours(dispute.ledSince, damping.settledHours);
    if (isSettled) return { ...change, isSettled };
    return dispute.kind === 'undecided' && isClear && isConfirmed ? change : undefined;
  }
  // A port that is no longer predicted is replaced at once.
  if (!isClear && !isConfirmed) return undefined;
  if (!hasDisputes) return change;
  if (isBackAndForth(state, next, now)) return { ...change, kind: 'back-and-forth' };
  return other.kind === 'undecided' ? { ...change, kind: 'undecided' } : change;
}

/** The next port has changed back within a day. */
const isBackAndForth = ({ previous }: VesselState, next: Prospect, now: Date): boolean =>
  previous?.port === next.port && now <= addHours(previous.at, damping.backAndForthHours);
