import type { Prediction } from '../../analytics/answers.ts';
import type { NextCall } from '../../answers/answer.ts';
import type { LineFacts } from '../../answers/comparison.ts';
import type { Locode } from '../../reference/locode.ts';
import { portName, samePort } from '../../reference/ports.ts';
import type { FleetVessel, VesselPredictions } from './predictions.ts';

/** What digests compare: the most probable port of each vessel. */
export const factsOf = (vessels: readonly Pick<FleetVessel, 'vessel' | 'top' | 'failed'>[]): LineFacts => ({
  kind: 'next-ports',
  vessels: vessels.map(({ vessel, top: [first], failed }) => {
    const next = first && { port: first.port, probability: first.probability, eta: first.eta ?? null };
    return { imo: vessel.imo, next: next ?? null, isUnanswered: failed };
  }),
});

/** What every answer about one vessel's forecast has. */
export const forecastOf = (found: VesselPredictions) => ({
  provenance: found,
  isForecast: true,
  comparison: factsOf([{ vessel: found.vessel, top: found.predictions, failed: false }]),
});

/** The likeliest next call, or the one at the port that was asked about. Undefined if none is predicted. */
export function nextCall(predictions: readonly Prediction[], at?: Locode): NextCall | undefined {
  const found = predictions.find(({ port }) => at === undefined || samePort(port, at));
  if (!found) return undefined;
  const { port, probability, eta } = found;
  return { port: portName(port), locode: port, probability, ...(eta && { eta }) };
}
