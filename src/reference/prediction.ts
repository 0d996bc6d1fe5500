import { z } from 'zod';
import { type Imo, isImo, isLocode, type Locode } from './codes.ts';

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

/** Schemas for values in JSON, stored or sent by the service. */
export const locode = z.custom<Locode>((value) => typeof value === 'string' && isLocode(value));
export const imo = z.custom<Imo>((value) => typeof value === 'number' && isImo(value));
export const date = z.coerce.date();

/** A port that a vessel may call at, as predicted in one answer. */
export const prospect = z.object({ port: locode, probability: z.number(), eta: date.nullable() });
export type Prospect = z.infer<typeof prospect>;

/** How old an answer of the service is, and what is missing in it. Times are on the domain clock. */
export interface Provenance {
  fetchedAt: Date;
  /** Answered from the cache, without a request. */
  cached: boolean;
  /** Set if this is an older answer (up to 24 h), because the service has been failing since then. */
  staleSince?: Date;
  /** Set with `staleSince` if the service does answer but asks for fewer requests. */
  throttled?: true;
  /** The number of records that could not be read, or were about another vessel, port, lane or month. */
  droppedRecords: number;
}
