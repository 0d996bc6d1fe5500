import { hasValidCheckDigit, type Imo } from '../reference/imo.ts';
import type { Locode } from '../reference/locode.ts';
import type { Prediction, PredictionsAnswer } from './answers.ts';
import type { AnalyticsLogger } from './logger.ts';
import { type ProbabilityScale, toFraction } from './probability-scale.ts';
import type { ServiceTime } from './service-time.ts';

/** A record of either resource, before its probability is known to be a fraction. */
export interface RawPrediction {
  imo: Imo;
  port: Locode;
  figure: number;
  eta: ServiceTime | undefined;
}

export interface NormaliseContext {
  scale: ProbabilityScale;
  /** True for two codes of one port. */
  samePort: (a: Locode, b: Locode) => boolean;
  canonicalPort: (port: Locode) => Locode;
  logger: AnalyticsLogger;
}

/** What the answer must be about. */
export interface Asked {
  imo?: Imo;
  port?: Locode;
}

/** One scale, one prediction per vessel and port, sorted; what is about something else is a fault. */
export function normalisePredictions(
  raw: readonly RawPrediction[],
  asked: Asked,
  { scale, samePort, canonicalPort, logger }: NormaliseContext,
): Pick<PredictionsAnswer, 'predictions' | 'scale' | 'faults'> {
  const figures = scale.scaleOf(raw.map(({ figure }) => figure));
  const best = new Map<string, Prediction>();
  let faults = 0;
  for (const { imo, port, figure, eta } of raw) {
    const probability = toFraction(figure, figures);
    const aboutAsked =
      (asked.imo === undefined || asked.imo === imo) &&
      (asked.port === undefined || samePort(asked.port, port));
    if (probability === undefined || !aboutAsked) {
      faults += 1;
      continue;
    }
    const prediction: Prediction = {
      imo,
      port,
      probability,
      ...(eta && { eta: eta.at }),
      etaZone: eta?.zone ?? 'given',
    };
    const key = `${imo} ${canonicalPort(port)}`;
    const known = best.get(key);
    if (!known || byRank(prediction, known) < 0) best.set(key, prediction);
  }
  warnOfCheckDigits(best.values(), logger);
  return { predictions: [...best.values()].sort(byRank), scale: figures, faults };
}

function byRank(a: Prediction, b: Prediction): number {
  const aEta = a.eta?.getTime() ?? Number.POSITIVE_INFINITY;
  const bEta = b.eta?.getTime() ?? Number.POSITIVE_INFINITY;
  if (a.probability !== b.probability) return b.probability - a.probability;
  if (aEta !== bEta) return aEta - bEta;
  if (a.port !== b.port) return a.port < b.port ? -1 : 1;
  return a.imo - b.imo;
}

/** Seen upstream, so it is no fault; what a person types is refused in grammar/. */
function warnOfCheckDigits(predictions: Iterable<Prediction>, logger: AnalyticsLogger): void {
  const wrong = new Set<Imo>();
  for (const { imo } of predictions) if (!hasValidCheckDigit(imo)) wrong.add(imo);
  if (wrong.size > 0) logger.warn({ imos: [...wrong].slice(0, 20) }, 'IMO numbers with a wrong check digit');
}
