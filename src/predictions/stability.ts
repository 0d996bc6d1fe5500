import { millisecondsInMinute } from 'date-fns/constants';
import { z } from 'zod';
import type { Imo, Locode } from '../reference/codes.ts';
import { date, prospect } from '../reference/prediction.ts';

/** Hours before the last ETA of a call, at which its predictions are compared with the end. */
export const leads = [72, 48, 24] as const;
export type Lead = (typeof leads)[number];

/** What was predicted at a lead: the likeliest port, and when. Null without a poll of that call in the hours before. */
const reading = prospect.extend({ at: z.exactOptional(date) }).nullable();
export type Reading = z.infer<typeof reading>;

export const readings = z.object({ 72: reading, 48: reading, 24: reading });
export type Readings = z.infer<typeof readings>;

/** A call under way that has just ended: its port left the predictions at its ETA. */
export interface EndedCall {
  imo: Imo;
  /** The list whose polls found it; empty for those of the vessel alone. */
  list: string;
  /** The port of the call before; null if some calls in between may be unknown. */
  previousPort: Locode | null;
  /** The likeliest port at the end. */
  port: Locode;
  lastEta: Date;
  /** The first poll of this call: what was predicted earlier says nothing about it. */
  since: Date;
  /** The first poll that no longer had the port. */
  endedAt: Date;
}

export interface FinishedCall extends Omit<EndedCall, 'since' | 'list'> {
  readings: Readings;
}

/** How many of the calls. `of`: those with a reading at that lead. */
export interface Share {
  count: number;
  of: number;
}

/** Minutes, in either direction. */
export interface Spread {
  median: number;
  /** The middle half of the calls lies between the quartiles. */
  lower: number;
  upper: number;
  of: number;
}

export interface Stability {
  calls: number;
  /** The port on top at the lead was still on top at the end. */
  onTop: Record<Lead, Share>;
  /** From 48 hours before to the end, where the port stayed the same; null without such a call. */
  etaMoved: Spread | null;
}

/** The lead of the verdict, of the ETA's moves and of the calibration: near enough to plan for, far enough to change. */
export const mainLead = 48;

export function stabilityOf(calls: readonly FinishedCall[]): Stability {
  const share = (lead: Lead): Share => {
    const read = calls.filter(({ readings }) => readings[lead] !== null);
    return { count: read.filter((call) => hasStayed(call, lead)).length, of: read.length };
  };
  const [at72, at48, at24] = leads.map(share) as [Share, Share, Share]; // one for each lead
  const moves = calls.flatMap((call) => {
    const minutes = minutesMoved(call);
    return minutes === null ? [] : [Math.abs(minutes)];
  });
  return { calls: calls.length, onTop: { 72: at72, 48: at48, 24: at24 }, etaMoved: spreadOf(moves) };
}

/** False without a reading. */
export const hasStayed = ({ port, readings }: FinishedCall, lead: Lead): boolean =>
  readings[lead]?.port === port;

/** How much later the last ETA is than the one at the lead; null for another port, or without an ETA. */
export function minutesMoved(
  { port, lastEta, readings }: FinishedCall,
  lead: Lead = mainLead,
): number | null {
  const reading = readings[lead];
  if (reading?.port !== port || !reading.eta) return null;
  return Math.round((lastEta.getTime() - reading.eta.getTime()) / millisecondsInMinute);
}

function spreadOf(minutes: readonly number[]): Spread | null {
  if (minutes.length === 0) return null;
  const sorted = minutes.toSorted((one, other) => one - other);
  const quantile = (share: number) => {
    // Between two values, as spreadsheets do it.
    const position = share * (sorted.length - 1);
    const below = sorted[Math.floor(position)] ?? 0;
    const above = sorted[Math.ceil(position)] ?? 0;
    return Math.round(below + (above - below) * (position % 1));
  };
  return { median: quantile(0.5), lower: quantile(0.25), upper: quantile(0.75), of: sorted.length };
}

/** What became of the calls for which the service said so much: from `from` up to `to`, 0 to 1. */
export interface CalibrationBin extends Share {
  from: number;
  to: number;
}

/** Fewer calls say nothing about probabilities. */
export const calibration = { minCalls: 20, minPerBin: 10 } as const;

/** By the probability at the main lead, in steps of ten points. Empty for few calls. */
export function calibrationOf(calls: readonly FinishedCall[]): CalibrationBin[] {
  const read = calls.filter(({ readings }) => readings[mainLead] !== null);
  if (read.length < calibration.minCalls) return [];
  // In floating point, 0.7 * 10 is a hair more than 7, and 0.29 * 100 a hair less than 29.
  const binOf = ({ readings }: FinishedCall) =>
    Math.min(9, Math.floor((readings[mainLead]?.probability ?? 0) * 10 + 1e-9));
  return [...Map.groupBy(read, binOf)]
    .filter(([, inBin]) => inBin.length >= calibration.minPerBin)
    .sort(([one], [other]) => other - one)
    .map(([bin, inBin]) => ({
      from: bin / 10,
      to: (bin + 1) / 10,
      count: inBin.filter((call) => hasStayed(call, mainLead)).length,
      of: inBin.length,
    }));
}

export interface Lane {
  origin: Locode;
  destination: Locode;
}

export type StabilityRow = Stability & ({ kind: 'vessel'; imo: Imo } | ({ kind: 'lane' } & Lane));

/** A row for each vessel, then one for each lane of which they made more than one call: the most calls first. */
export function stabilityRows(calls: readonly FinishedCall[]): StabilityRow[] {
  const byVessel = Map.groupBy(calls, ({ imo }) => imo);
  const byLane = Map.groupBy(calls, ({ previousPort, port }) => `${previousPort ?? ''} ${port}`);
  const vessels = [...byVessel].map(([imo, own]) => ({ kind: 'vessel' as const, imo, ...stabilityOf(own) }));
  const lanes = [...byLane.values()].flatMap((own) => {
    const [call] = own;
    if (!call?.previousPort || own.length < 2) return [];
    return { kind: 'lane' as const, origin: call.previousPort, destination: call.port, ...stabilityOf(own) };
  });
  return [vessels.sort(byCalls), lanes.sort(byCalls)].flat();
}

const byCalls = (one: StabilityRow, other: StabilityRow): number =>
  other.calls - one.calls || (keyOf(one) < keyOf(other) ? -1 : 1);

const keyOf = (row: StabilityRow): string =>
  row.kind === 'vessel' ? String(row.imo) : `${row.origin} ${row.destination}`;
