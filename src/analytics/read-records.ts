import { parseISO } from 'date-fns/parseISO';
import { z } from 'zod';
import type { Logger } from '../log.ts';
import { isScac, type Scac } from '../reference/carriers.ts';
import { hasValidCheckDigit, type Imo, type Locode } from '../reference/codes.ts';
import { canonicalPort, samePort } from '../reference/ports.ts';
import { byLikelihood, firstOfEachKey, imo, locode } from '../reference/prediction.ts';
import type { Prediction, PredictionsAnswer } from './answers.ts';
import type { JsonReply } from './http-transport.ts';
import { type Scale, toFraction } from './probability-scale.ts';

/** The service's own codes: spaces, lower case and a wrong IMO check digit are tolerated. */
export const locodeField = z
  .string()
  .transform((text) => text.replaceAll(' ', '').toUpperCase())
  .pipe(locode);
export const scacField = z
  .string()
  .transform((text) => text.trim().toUpperCase())
  .pipe(z.custom<Scac>((value) => typeof value === 'string' && isScac(value)));
export const countField = z.int().nonnegative();

export interface ReadRecords<T> {
  records: readonly T[];
  droppedRecords: number;
}

/** Reads the JSON around the records. Throws UnreadableResponseError if it breaks the contract. */
export function readEnvelope<T>(schema: z.ZodType<T>, { json, unreadable }: JsonReply): T {
  const result = schema.safeParse(json);
  if (result.success) return result.data;
  const path = result.error.issues[0]?.path.join('.') ?? '';
  throw unreadable(`it doesn't match the API contract${path === '' ? '' : ` (${path})`}`);
}

/** Drops and counts rows that break the contract or are unwanted. */
export function readRecords<T>(
  schema: z.ZodType<T>,
  rows: readonly unknown[],
  isWanted: (record: T) => boolean = () => true,
): ReadRecords<T> {
  const records = rows.flatMap((row) => {
    const { data } = schema.safeParse(row);
    return data !== undefined && isWanted(data) ? [data] : [];
  });
  return { records, droppedRecords: rows.length - records.length };
}

interface ServiceTime {
  at: Date;
  /** `assumed-utc`: the service gave no offset. */
  zone: 'given' | 'assumed-utc';
}

// Narrower than ISO 8601: no date without a time, no week of the year, no offset of a day or more.
const dateTimePattern =
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(Z|[+-](?:[01]\d|2[0-3])(?::?\d{2})?)?$/i;

/** Parses an ISO 8601 date-time with or without fraction and offset; undefined for other texts, such as 30 February. */
export function parseServiceTime(text: string): ServiceTime | undefined {
  const match = dateTimePattern.exec(text.trim());
  if (!match) return undefined;
  const [written, offset] = match;
  const at = parseISO((offset === undefined ? `${written}Z` : written).toUpperCase());
  if (Number.isNaN(at.getTime())) return undefined;
  return { at, zone: offset === undefined ? 'assumed-utc' : 'given' };
}

/** For a query: `2026-08-22T00:00:00Z`. */
export function formatQueryTime(time: Date): string {
  return time.toISOString().replace(/\.\d{3}Z$/, 'Z');
}

export const timeField = z.string().transform((text, context): ServiceTime => {
  const time = parseServiceTime(text);
  if (time) return time;
  context.addIssue('not a date-time');
  return z.NEVER;
});

/** An ETA outside 2000 to 2100 is a mistake of the service, so the record is dropped. */
const etaField = timeField.refine(({ at }) => at.getUTCFullYear() >= 2000 && at.getUTCFullYear() <= 2100);

const predictionsEnvelope = z.object({ predictions: z.array(z.unknown()) });
const predictionRecord = z
  .object({
    vessel_imo_number: imo,
    un_location_code: locodeField,
    probability: z.number(),
    eta_datetime: etaField.nullish(),
  })
  .transform(({ vessel_imo_number: imo, un_location_code: port, eta_datetime: eta, ...record }) => ({
    ...record,
    ...{ imo, port, eta },
  }));

/** For the vessel and port endpoints. Throws UnreadableResponseError. */
export function readPredictions(reply: JsonReply): ReadRecords<RawPrediction> {
  return readRecords(predictionRecord, readEnvelope(predictionsEnvelope, reply).predictions);
}

const nextPortsEnvelope = z.object({ records: z.array(z.unknown()) });
const nextPortRecord = z
  .object({ imo, locode: locodeField, probability: z.number(), eta: etaField.nullish() })
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
  const good = records.flatMap(({ eta, ...record }): Prediction[] => {
    const { imo, port } = record;
    const probability = toFraction(record.probability, scale);
    const isWanted = imo === (about.imo ?? imo) && samePort(port, about.port ?? port);
    if (probability === undefined || !isWanted) return [];
    // Without an ETA there is no zone to assume.
    return [{ ...record, probability, ...(eta && { eta: eta.at }), etaZone: eta?.zone ?? 'given' }];
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
