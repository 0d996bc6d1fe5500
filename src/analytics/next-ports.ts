import { z } from 'zod';
import type { Imo } from '../reference/imo.ts';
import type { PredictionsAnswer } from './answers.ts';
import { type Asked, type NormaliseContext, normalisePredictions } from './normalise-predictions.ts';
import { imoField, locodeField, readEnvelope, readRecords } from './read-records.ts';
import type { JsonReply, ServiceCall } from './service-call.ts';
import { serviceTime } from './service-time.ts';

/** GET /nextport/ship/{IMO} */
export const shipNextPortsCall = (imo: Imo): ServiceCall => ({
  resource: 'ship next ports',
  path: `nextport/ship/${imo}`,
});

/** GET /nextport/shiplist/{name}; undefined for a name that no path segment can hold. */
export function shiplistNextPortsCall(name: string): ServiceCall | undefined {
  // URLs resolve dot segments away, encoded or not: the call would go to another path.
  if (name === '' || name === '.' || name === '..') return undefined;
  const segment = encodeURIComponent(name.toWellFormed());
  return { resource: 'shiplist next ports', path: `nextport/shiplist/${segment}` };
}

const envelope = z.object({ records: z.array(z.unknown()) });
const record = z
  .object({
    imo: imoField,
    locode: locodeField,
    probability: z.number(),
    eta: serviceTime.nullish(),
  })
  .transform(({ imo, locode, probability, eta }) => ({
    imo,
    port: locode,
    figure: probability,
    eta: eta ?? undefined,
  }));

/** Contract 2.2. Throws UnreadableResponseError. */
export function readNextPorts(
  reply: JsonReply,
  asked: Asked,
  context: NormaliseContext,
): Pick<PredictionsAnswer, 'predictions' | 'scale' | 'faults'> {
  const { records } = readEnvelope(envelope, reply);
  const { read, faults } = readRecords(record, records);
  const answer = normalisePredictions(read, asked, context);
  return { ...answer, faults: answer.faults + faults };
}
