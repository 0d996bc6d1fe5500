import { TZDate } from '@date-fns/tz';
import { z } from 'zod';
import type { Prediction } from '../analytics/answers.ts';
import type { KnownVessel } from '../messages/formatting/vessel-label.ts';
import { paged } from '../messages/limits.ts';
import type { Reader } from '../messages/message.ts';
import type { Locode } from '../reference/locode.ts';
import { portOf } from '../reference/ports.ts';
import type { Provenance } from '../reference/provenance.ts';
import type { Prospect } from '../reference/stored-values.ts';

// The schemas that zod has for times hold long patterns, which each assistant would read.
export const timeField = z.string().meta({ format: 'date-time' });

/** To the second: more would suggest a precision that no ETA has. */
export const toTime = (time: Date): string => time.toISOString().replace(/\.\d{3}Z$/, 'Z');

/** By the clock of a zone, with its offset from UTC: `2026-11-21T15:37:28+01:00`. */
const toLocalTime = (time: Date, zone: string): string =>
  new TZDate(time, zone).toISOString().replace(/\.\d{3}/, '');

/** From 0 to 1. */
export const shareField = z.number().min(0).max(1);

export const countField = z.int().min(0);

/** For data that isn't from one answer of the service. */
export const sourceFields = {
  source: z.enum(['service', 'sandbox']),
  invented: z.boolean().describe('All data is invented'),
  notice: z.string().describe('Say this to the person who asks').nullable(),
};

export const toSource = ({ source }: Pick<Reader, 'source'>) => ({
  source,
  invented: source === 'sandbox',
  notice:
    source === 'sandbox' ? 'Invented data: it comes from the sandbox, not from the analytics service.' : null,
});

/** How old an answer is, where it comes from, and what is missing in it. */
const answerFields = {
  question: z.string().describe('The command line that was answered; in Slack it can be typed after a slash'),
  asOf: timeField.describe('The time of this answer, in UTC'),
  fetchedAt: timeField.describe('When the analytics service gave the data, in UTC'),
  ageSeconds: countField.describe('The age of the data at `asOf`'),
  cached: z.boolean(),
  staleSince: timeField
    .nullable()
    .describe('Set if the service has not answered since then, so that this is an older answer'),
  isThrottled: z.boolean().describe('The older answer is shown since the service is limiting our calls'),
  faults: countField.describe('Records of the service that could not be read and are left out'),
  ...sourceFields,
};

/** Of an answer that predicts nothing, with its own fields. */
export const answerOutput = <Fields extends z.ZodRawShape>(fields: Fields) =>
  z.object({ ...fields, ...answerFields });

export const predicted = 'predicted, not reported';

/** Of an answer with predictions, with its own fields. */
export const predictionsOutput = <Fields extends z.ZodRawShape>(fields: Fields) =>
  z.object({ note: z.literal(predicted), ...fields, ...answerFields });

export function toAnswer(answer: Provenance & { line: string }, reader: Reader) {
  const { line, fetchedAt, cached, staleSince, throttled = false, droppedRecords } = answer;
  const { now } = reader;
  return {
    question: line,
    asOf: toTime(now),
    fetchedAt: toTime(fetchedAt),
    ageSeconds: Math.max(0, Math.round((now.getTime() - fetchedAt.getTime()) / 1000)),
    cached,
    staleSince: staleSince ? toTime(staleSince) : null,
    isThrottled: throttled,
    faults: droppedRecords,
    ...toSource(reader),
  };
}

export const toPredictions = (answer: Provenance & { line: string }, reader: Reader) => ({
  note: predicted as typeof predicted,
  ...toAnswer(answer, reader),
});

export const pageFields = {
  page: z.int().min(1),
  pages: z.int().min(1),
  total: countField.describe('The number of rows on all pages'),
};

/** The rows of one page, and where it stands among the others. */
export function pageFor<Row>(rows: readonly Row[], requested: number, size: number) {
  const { items, page, pages, total } = paged(rows, requested, size);
  return { items, of: { page, pages, total } };
}

export const portFields = z.object({
  locode: z.string().describe('UN/LOCODE'),
  name: z.string().describe('Null: not known here').nullable(),
  country: z.string().describe('ISO 3166 alpha-2').nullable(),
});

export function toPort(locode: Locode) {
  const port = portOf(locode);
  return { locode, name: port?.name ?? null, country: port?.country ?? null };
}

export const vesselFields = z.object({
  imo: z.int().min(1).max(9_999_999).describe('IMO number'),
  name: z.string().describe('Name in this workspace, if it has one').nullable(),
});

export const toVessel = ({ imo, name }: KnownVessel) => ({ imo, name: name ?? null });

export const etaFields = {
  eta: timeField.nullable().describe('In UTC; null if the service gave none'),
  etaLocal: timeField.describe("The same by the port's own clock, with its UTC offset").nullable(),
  etaZone: z
    .enum(['given', 'assumed-utc'])
    .nullable()
    .describe('`assumed-utc`: the service gave a time without a UTC offset'),
};

export const predictionFields = z.object({ probability: shareField, ...etaFields });

export function toPrediction(prediction: Pick<Prediction, 'eta' | 'etaZone' | 'probability'>, port: Locode) {
  const { probability, eta, etaZone } = prediction;
  const zone = portOf(port)?.zone;
  return {
    probability: Math.min(1, Math.max(0, probability)),
    eta: eta ? toTime(eta) : null,
    etaLocal: eta && zone !== undefined ? toLocalTime(eta, zone) : null,
    etaZone: eta ? etaZone : null,
  };
}

/** As stored: without the zone of its ETA. */
export const prospectFields = z.object({
  port: portFields,
  probability: shareField,
  eta: etaFields.eta,
  etaLocal: etaFields.etaLocal,
});

export function toProspect({ port, probability, eta }: Prospect) {
  const zone = portOf(port)?.zone;
  return {
    port: toPort(port),
    probability,
    eta: eta ? toTime(eta) : null,
    etaLocal: eta && zone !== undefined ? toLocalTime(eta, zone) : null,
  };
}
