import { z } from 'zod';
import type { Imo } from '../reference/imo.ts';
import type { Locode } from '../reference/locode.ts';
import type { PredictionsAnswer } from './answers.ts';
import { type Asked, type NormaliseContext, normalisePredictions } from './normalise-predictions.ts';
import { imoField, locodeField, readEnvelope, readRecords } from './read-records.ts';
import type { JsonReply, ServiceCall } from './service-call.ts';
import { serviceTime } from './service-time.ts';

/** GET /nextport/vessel/{imo}/predictions */
export const vesselPredictionsCall = (imo: Imo): ServiceCall => ({
  resource: 'vessel predictions',
  path: `nextport/vessel/${imo}/predictions`,
});

/** GET /nextport/port/{locode}/predictions */
export const portPredictionsCall = (port: Locode): ServiceCall => ({
  resource: 'port predictions',
  path: `nextport/port/${port}/predictions`,
});

const envelope = z.object({ predictions: z.array(z.unknown()) });
const record = z
  .object({
    un_location_code: locodeField,
    eta_datetime: serviceTime.nullish(),
    probability: z.number(),
    vessel_imo_number: imoField,
  })
  .transform(({ un_location_code, eta_datetime, probability, vessel_imo_number }) => ({
    imo: vessel_imo_number,
    port: un_location_code,
    figure: probability,
    eta: eta_datetime ?? undefined,
  }));

/** Contract 2.1. Throws UnreadableResponseError. */
export function readPredictions(
  reply: JsonReply,
  asked: Asked,
  context: NormaliseContext,
): Pick<PredictionsAnswer, 'predictions' | 'scale' | 'faults'> {
  const { predictions } = readEnvelope(envelope, reply);
  const { read, faults } = readRecords(record, predictions);
  const answer = normalisePredictions(read, asked, context);
  return { ...answer, faults: answer.faults + faults };
}
