import type { Logger } from '../log.ts';
import { hasValidCheckDigit, type Imo } from '../reference/imo.ts';
import type { Locode } from '../reference/locode.ts';
import { canonicalPort, samePort } from '../reference/ports.ts';
import type { Prediction, PredictionsAnswer } from './answers.ts';
import { type ProbabilityScale, toFraction } from './probability-scale.ts';
import type { ReadRecords } from './read-records.ts';
import type { ServiceTime } from './service-time.ts';

/** A record of any prediction endpoint; its probability may still be a fraction or a percentage. */
export interface RawPrediction {
  imo: Imo;
  port: Locode;
  rawProbability: number;
  eta?: ServiceTime | null | undefined;
}

/** One scale, one prediction per vessel and port, sorted; a record about something else is a fault. */
export function normalisePredictions(
  raw: ReadRecords<RawPrediction>,
  about: { imo?: Imo; port?: Locode },
  { scale: detector, logger }: { scale: ProbabilityScale; logger: Logger },
): Pick<PredictionsAnswer, 'predictions' | 'scale' | 'faults'> {
  const scale = detector.scaleOf(raw.records.map(({ rawProbability }) => rawProbability));
  const best = new Map<string, Prediction>();
  let { faults } = raw;
  for (const { imo, port, rawProbability, eta } of raw.records) {
    const probability = toFraction(rawProbability, scale);
    const isWanted =
      (about.imo === undefined || about.imo === imo) &&
      (about.port === undefined || samePort(about.port, port));
    if (probability === undefined || !isWanted) {
      faults += 1;
      continue;
    }
    const etaZone = eta?.zone ?? 'given';
    const prediction: Prediction = { imo, port, probability, ...(eta && { eta: eta.at }), etaZone };
    const key = `${imo} ${canonicalPort(port)}`;
    const bestSoFar = best.get(key);
    if (!bestSoFar || byRank(prediction, bestSoFar) < 0) best.set(key, prediction);
  }
  warnAboutCheckDigits(best.values(), logger);
  return { predictions: [...best.values()].sort(byRank), scale, faults };
}

function byRank(a: Prediction, b: Prediction): number {
  const aEta = a.eta?.getTime() ?? Number.POSITIVE_INFINITY;
  const bEta = b.eta?.getTime() ?? Number.POSITIVE_INFINITY;
  if (a.probability !== b.probability) return b.probability - a.probability;
  if (aEta !== bEta) return aEta - bEta;
  if (a.port !== b.port) return a.port < b.port ? -1 : 1;
  return a.imo - b.imo;
}

/** The service does return such numbers, so they stay; what a person types is checked in grammar/. */
function warnAboutCheckDigits(predictions: Iterable<Prediction>, logger: Logger): void {
  const wrong = new Set<Imo>();
  for (const { imo } of predictions) if (!hasValidCheckDigit(imo)) wrong.add(imo);
  if (wrong.size > 0) logger.warn({ imos: [...wrong].slice(0, 20) }, 'IMO numbers with a wrong check digit');
}
