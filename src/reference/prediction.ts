import type { Imo } from './imo.ts';
import type { Locode } from './locode.ts';

/** What the service predicts for one vessel and one port. */
export interface Prediction {
  imo: Imo;
  port: Locode;
  /** From 0 to 1, whatever scale the service uses. */
  probability: number;
  eta?: Date;
  /** `assumed-utc`: the service gave a date-time without offset (ship and shiplist endpoints). */
  etaZone: 'given' | 'assumed-utc';
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

export function firstOfEachKey<Item>(sorted: readonly Item[], keyOf: (item: Item) => string): Item[] {
  return [...Map.groupBy(sorted, keyOf).values()].flatMap((group) => group.slice(0, 1));
}
