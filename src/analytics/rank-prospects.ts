import { canonicalPort } from '../reference/ports.ts';
import type { Prospect } from '../reference/stored-values.ts';
import type { Prediction } from './answers.ts';

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

export function firstOfEachKey<Item>(sorted: readonly Item[], keyOf: (item: Item) => string): Item[] {
  return [...Map.groupBy(sorted, keyOf).values()].flatMap((group) => group.slice(0, 1));
}

interface Ranked {
  port: string;
  probability: number;
  eta?: Date | null;
}

/** By probability (highest first), ETA (none last), port code. */
export function byLikelihood(a: Ranked, b: Ranked): number {
  const aEta = a.eta?.getTime() ?? Number.POSITIVE_INFINITY;
  const bEta = b.eta?.getTime() ?? Number.POSITIVE_INFINITY;
  if (a.probability !== b.probability) return b.probability - a.probability;
  if (aEta !== bEta) return aEta - bEta;
  return a.port < b.port ? -1 : Number(a.port > b.port);
}
