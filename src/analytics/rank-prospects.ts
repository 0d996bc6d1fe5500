import type { Locode } from '../reference/locode.ts';
import { canonicalPort } from '../reference/ports.ts';
import type { Prospect } from '../reference/stored-values.ts';
import type { Prediction } from './answers.ts';

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
