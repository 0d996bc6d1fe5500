import { z } from 'zod';
import type { JsonReply } from './http-transport.ts';
import type { RawPrediction } from './normalise-predictions.ts';
import { imoField, locodeField, type ReadRecords, readEnvelope, readRecords } from './read-records.ts';
import { serviceTime } from './service-time.ts';

/** An ETA outside 2000 to 2100 is a mistake of the service, and no database has to store it. */
const etaField = serviceTime.refine(({ at }) => at.getUTCFullYear() >= 2000 && at.getUTCFullYear() <= 2100);

const predictionsEnvelope = z.object({ predictions: z.array(z.unknown()) });
const prediction = z
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

/** Of the vessel and port endpoints. Throws UnreadableResponseError. */
export function readPredictions(reply: JsonReply): ReadRecords<RawPrediction> {
  return readRecords(prediction, readEnvelope(predictionsEnvelope, reply).predictions);
}

const nextPortsEnvelope = z.object({ records: z.array(z.unknown()) });
const nextPort = z
  .object({ imo: imoField, locode: locodeField, probability: z.number(), eta: etaField.nullish() })
  .transform(({ locode, ...record }) => ({ ...record, port: locode }));

/** Of the ship and shiplist endpoints. Throws UnreadableResponseError. */
export function readNextPorts(reply: JsonReply): ReadRecords<RawPrediction> {
  return readRecords(nextPort, readEnvelope(nextPortsEnvelope, reply).records);
}
