// What the sandbox predicted before each simulated call.
import type { World } from '../../src/sandbox/world/world.ts';
import type { TrueCall } from './calls.ts';

const hourMs = 3_600_000;
const pollMs = 3 * hourMs;

/** Hours before the arrival. */
export const leads = [168, 72, 48, 24, 6] as const;
export type Lead = (typeof leads)[number];

export interface Candidate {
  port: string;
  /** 0 to 1 */
  probability: number;
  etaMs: number;
}

export interface Answer {
  atMs: number;
  /** Likeliest first. */
  candidates: readonly Candidate[];
}

export interface PredictedCall extends TrueCall {
  /** For each lead at which this call was the next one already. */
  atLead: ReadonlyMap<Lead, Answer>;
  /** Every three hours by the clock, from the arrival at the port before until the arrival. Oldest first. */
  polls: readonly Answer[];
}

export function predictedCall(world: Pick<World, 'vesselPredictions'>, call: TrueCall): PredictedCall {
  const { imo, arrivalMs, nextSinceMs } = call;
  const ask = (atMs: number): Answer => ({
    atMs,
    candidates: (world.vesselPredictions(imo, atMs) ?? []).toSorted((a, b) => b.probability - a.probability),
  });
  const known = leads.filter((lead) => arrivalMs - lead * hourMs >= nextSinceMs);
  const polls: Answer[] = [];
  for (let at = Math.ceil(nextSinceMs / pollMs) * pollMs; at < arrivalMs; at += pollMs) polls.push(ask(at));
  return { ...call, atLead: new Map(known.map((lead) => [lead, ask(arrivalMs - lead * hourMs)])), polls };
}
