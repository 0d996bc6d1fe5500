import type { Imo } from '../reference/imo.ts';
import type { Locode } from '../reference/locode.ts';
import { canonicalPort } from '../reference/ports.ts';
import { byLikelihood, firstOfEachKey, type Prediction, type Prospect } from '../reference/prediction.ts';

/** What a watch follows. It is polled once, however many watches of the workspace follow it. */
export type Subject =
  | { kind: 'vessel'; imo: Imo }
  | { kind: 'shiplist'; name: string }
  | { kind: 'port'; port: Locode };

/** What the service answered in one poll. */
export interface Answer {
  /** When the service was asked, on the domain clock. */
  at: Date;
  scale: 'fraction' | 'percent';
  predictions: readonly Prediction[];
}

/** The predictions for one vessel, likeliest port first; empty if there were none. */
export interface Moment {
  at: Date;
  ranked: readonly Prospect[];
}

/**
 * The ports a vessel may call at, likeliest first. A group of aliases appears once, under its main code, with the
 * likeliest of its records. The order of the records makes no difference.
 */
export function rankProspects(predictions: readonly Prediction[]): Prospect[] {
  const prospects = predictions.map(({ port, probability, eta }) => ({
    port: canonicalPort(port),
    probability,
    eta: eta ?? null,
  }));
  return firstOfEachKey(prospects.sort(byLikelihood), ({ port }) => port);
}

/** The predictions for each vessel, likeliest port first. */
export function rankByVessel(predictions: readonly Prediction[]): Map<Imo, Prospect[]> {
  const byVessel = Map.groupBy(predictions, ({ imo }) => imo);
  return new Map([...byVessel].map(([imo, records]) => [imo, rankProspects(records)]));
}

export const likeliestEtas = (predictions: readonly Prediction[]): Date[] =>
  [...rankByVessel(predictions).values()].flatMap(([likeliest]) => likeliest?.eta ?? []);
