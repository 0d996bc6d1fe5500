import type { Prediction } from '../../../analytics/answers.ts';
import type { Imo } from '../../../reference/imo.ts';
import type { Locode } from '../../../reference/locode.ts';
import { canonicalPort } from '../../../reference/ports.ts';
import type { Prospect } from './values.ts';

interface Answered {
  /** When the service was asked, on the domain clock. */
  at: Date;
  scale: 'fraction' | 'percent';
  predictions: readonly Prediction[];
}

/** What one poll gave: an answer about a subject, or none. */
export type Snapshot =
  | ({ kind: 'vessel'; imo: Imo } & Answered)
  | ({ kind: 'shiplist' } & Answered)
  | ({ kind: 'port'; port: Locode } & Answered)
  | { kind: 'failed'; of: 'vessels' | 'port'; at: Date; lastSuccessAt: Date; intervalMinutes: number };

/**
 * The ports a vessel may call at, likeliest first, each alias group once under the code that stands for
 * it, with the likeliest of its records. The order of the records makes no difference.
 */
export function rankProspects(predictions: readonly Prediction[]): Prospect[] {
  const best = new Map<Locode, Prospect>();
  for (const { port, probability, eta } of predictions) {
    const candidate: Prospect = { port: canonicalPort(port), probability, eta: eta ?? null };
    const known = best.get(candidate.port);
    if (!known || compare(candidate, known) < 0) best.set(candidate.port, candidate);
  }
  return [...best.values()].sort(compare);
}

function compare(one: Prospect, other: Prospect): number {
  const byProbability = other.probability - one.probability;
  if (byProbability !== 0) return byProbability;
  const byEta = (one.eta?.getTime() ?? Infinity) - (other.eta?.getTime() ?? Infinity);
  // Both without ETA: Infinity - Infinity is not a number.
  if (byEta < 0 || byEta > 0) return byEta;
  return one.port < other.port ? -1 : Number(one.port > other.port);
}
