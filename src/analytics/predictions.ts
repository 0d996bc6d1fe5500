import { z } from 'zod';
import type { Logger } from '../log.ts';
import { hasValidCheckDigit, type Imo, type Locode } from '../reference/codes.ts';
import { canonicalPort, samePort } from '../reference/ports.ts';
import { byLikelihood, firstOfEachKey } from '../reference/prediction.ts';
import type { Prediction, PredictionsAnswer } from './answers.ts';
import type { JsonReply } from './http-transport.ts';
import { type Scale, toFraction } from './probability-scale.ts';
import {
  imoField,
  locodeField,
  type ReadRecords,
  readEnvelope,
  readRecords,
  timeField,
} from './read-records.ts';

/** An ETA outside 2000 to 2100 is a mistake of the service, so the record is dropped. */
const etaField = timeField.refine(({ at }) => at.getUTCFullYear() >= 2000 && at.getUTCFullYear() <= 2100);

const predictionsEnvelope = z.object({ predictions: z.array(z.unknown()) });
const predictionRecord = z
  .object({
    vessel_imo_number: imoField,
    un_location_code: locodeField,
    probability: z.number(),
    eta_datetime: etaField.nullish(),
  })
  .transform((record) => ({
    imo: record.vessel_imo_number,
    port: record.un_location_code,
    probability: record.probability,
    eta: record.eta_datetime,
  }));

/** For the vessel and port endpoints. Throws UnreadableResponseError. */
export function readPredictions(reply: JsonReply): ReadRecords<RawPrediction> {
  return readRecords(predictionRecord, readEnvelope(predictionsEnvelope, reply).predictions);
}

const nextPortsEnvelope = z.object({ records: z.array(z.unknown()) });
const nextPortRecord = z
  .object({ imo: imoField, locode: locodeField, probability: z.number(), eta: etaField.nullish() })
  .transform(({ locode, ...record }) => ({ ...record, port: locode }));

/** A record of any prediction endpoint. Its probability is a fraction or a percentage. */
export type RawPrediction = z.output<typeof nextPortRecord>;

/** For the ship and shiplist endpoints. Throws UnreadableResponseError. */
export function readNextPorts(reply: JsonReply): ReadRecords<RawPrediction> {
  return readRecords(nextPortRecord, readEnvelope(nextPortsEnvelope, reply).records);
}

/** Sorted, on one scale, with one prediction per vessel and port. A record about another vessel or port is dropped. */
export function normalisePredictions(
  { records, droppedRecords }: ReadRecords<RawPrediction>,
  about: { imo?: Imo; port?: Locode },
  { scaleOf, logger }: { scaleOf: (probabilities: readonly number[]) => Scale; logger: Logger },
): Pick<PredictionsAnswer, 'predictions' | 'scale' | 'droppedRecords'> {
  const scale = scaleOf(records.map(({ probability }) => probability));
  const good = records.flatMap(({ imo, port, eta, ...raw }): Prediction[] => {
    const probability = toFraction(raw.probability, scale);
    const isWanted = imo === (about.imo ?? imo) && samePort(port, about.port ?? port);
    if (probability === undefined || !isWanted) return [];
    // Without an ETA there is no zone to assume.
    return [{ imo, port, probability, ...(eta && { eta: eta.at }), etaZone: eta?.zone ?? 'given' }];
  });
  good.sort((a, b) => byLikelihood(a, b) || a.imo - b.imo);
  warnAboutCheckDigits(good, logger);
  return {
    predictions: firstOfEachKey(good, ({ imo, port }) => `${imo} ${canonicalPort(port)}`),
    scale,
    droppedRecords: droppedRecords + records.length - good.length,
  };
}

/** The service returns such numbers, so they aren't dropped; grammar/ checks the numbers that people type. */
function warnAboutCheckDigits(predictions: readonly Prediction[], logger: Logger): void {
  const wrong = new Set(predictions.map(({ imo }) => imo).filter((imo) => !hasValidCheckDigit(imo)));
  if (wrong.size > 0) logger.warn({ imos: [...wrong].slice(0, 20) }, 'IMO numbers with a wrong check digit');
}
