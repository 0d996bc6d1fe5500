import type { Logger } from '../log.ts';
import { hasValidCheckDigit, type Imo } from '../reference/imo.ts';
import type { Locode } from '../reference/locode.ts';
import { canonicalPort, samePort } from '../reference/ports.ts';
import type { Prediction, PredictionsAnswer } from './answers.ts';
import { type Scale, toFraction } from './probability-scale.ts';
import { bestOfEach, byLikelihood } from './rank-prospects.ts';
import type { ReadRecords } from './read-records.ts';
import type { ServiceTime } from './service-time.ts';

/** A record of any prediction endpoint. */
export interface RawPrediction {
  imo: Imo;
  port: Locode;
  /** A fraction or a percentage. */
  probability: number;
  eta?: ServiceTime | null | undefined;
}

/** One scale, one prediction per vessel and port, sorted. A record about another vessel or port is a fault. */
export function normalisePredictions(
  { records, faults }: ReadRecords<RawPrediction>,
  about: { imo?: Imo; port?: Locode },
  { scaleOf, logger }: { scaleOf: (figures: readonly number[]) => Scale; logger: Logger },
): Pick<PredictionsAnswer, 'predictions' | 'scale' | 'faults'> {
  const scale = scaleOf(records.map(({ probability }) => probability));
  const good = records.flatMap(({ imo, port, eta, ...raw }): Prediction[] => {
    const probability = toFraction(raw.probability, scale);
    const isWanted = imo === (about.imo ?? imo) && samePort(port, about.port ?? port);
    if (probability === undefined || !isWanted) return [];
    return [{ imo, port, probability, ...(eta && { eta: eta.at }), etaZone: eta?.zone ?? 'given' }];
  });
  good.sort((a, b) => byLikelihood(a, b) || a.imo - b.imo);
  warnAboutCheckDigits(good, logger);
  return {
    predictions: bestOfEach(good, ({ imo, port }) => `${imo} ${canonicalPort(port)}`),
    scale,
    faults: faults + records.length - good.length,
  };
}

/** The service does return such numbers, so they stay; grammar/ checks what a person types. */
function warnAboutCheckDigits(predictions: readonly Prediction[], logger: Logger): void {
  const wrong = new Set(predictions.map(({ imo }) => imo).filter((imo) => !hasValidCheckDigit(imo)));
  if (wrong.size > 0) logger.warn({ imos: [...wrong].slice(0, 20) }, 'IMO numbers with a wrong check digit');
}
