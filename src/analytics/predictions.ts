import { z } from 'zod';
import type { Imo } from '../reference/imo.ts';
import type { Locode } from '../reference/locode.ts';
import type { RawPrediction } from './normalise-predictions.ts';
import { imoField, locodeField, type ReadRecords, readEnvelope, readRecords } from './read-records.ts';
import type { JsonReply, ServiceCall } from './service-call.ts';
import { serviceTime } from './service-time.ts';

export interface PredictionsCall extends ServiceCall {
  /** The vessel or port that every record must be about. */
  about: { imo?: Imo; port?: Locode };
  /** Throws UnreadableResponseError. */
  read(reply: JsonReply): ReadRecords<RawPrediction>;
}

/** GET /nextport/vessel/{imo}/predictions */
export const vesselPredictionsCall = (imo: Imo): PredictionsCall => ({
  resource: 'vessel predictions',
  path: `nextport/vessel/${imo}/predictions`,
  about: { imo },
  read: readPredictions,
});

/** GET /nextport/port/{locode}/predictions */
export const portPredictionsCall = (port: Locode): PredictionsCall => ({
  resource: 'port predictions',
  path: `nextport/port/${port}/predictions`,
  about: { port },
  read: readPredictions,
});

/** GET /nextport/ship/{IMO} */
export const shipNextPortsCall = (imo: Imo): PredictionsCall => ({
  resource: 'ship next ports',
  path: `nextport/ship/${imo}`,
  about: { imo },
  read: readNextPorts,
});

/** GET /nextport/shiplist/{name}; undefined for a name that no path segment can hold. */
export function shiplistNextPortsCall(name: string): PredictionsCall | undefined {
  // URLs resolve dot segments, encoded or not, so the call would go to another path.
  if (name === '' || name === '.' || name === '..') return undefined;
  const path = `nextport/shiplist/${encodeURIComponent(name.toWellFormed())}`;
  return { resource: 'shiplist next ports', path, about: {}, read: readNextPorts };
}

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
    rawProbability: record.probability,
    eta: record.eta_datetime,
  }));

function readPredictions(reply: JsonReply): ReadRecords<RawPrediction> {
  return readRecords(prediction, readEnvelope(predictionsEnvelope, reply).predictions);
}

const nextPortsEnvelope = z.object({ records: z.array(z.unknown()) });
const nextPort = z
  .object({ imo: imoField, locode: locodeField, probability: z.number(), eta: etaField.nullish() })
  .transform(({ imo, locode, probability, eta }) => ({
    imo,
    port: locode,
    rawProbability: probability,
    eta,
  }));

function readNextPorts(reply: JsonReply): ReadRecords<RawPrediction> {
  return readRecords(nextPort, readEnvelope(nextPortsEnvelope, reply).records);
}
