import { randomUUID } from 'node:crypto';
import { type Logger, silentLogger } from '../log.ts';
import { type CacheResult, type Measure, measureNothing } from '../measure.ts';
import type { Imo, Locode } from '../reference/codes.ts';
import { canonicalPort } from '../reference/ports.ts';
import type { Provenance } from '../reference/prediction.ts';
import type { CallCause, PredictionsAnswer, RequestOptions, ServiceStatus } from './answers.ts';
import { NotFoundError } from './errors.ts';
import type { JsonReply, ServiceRequest } from './http-transport.ts';
import { type Lane, readStatistics, type StatisticsAnswer, statisticsRequest } from './journey-statistics.ts';
import type { Login } from './login.ts';
import { normalisePredictions, type RawPrediction, readNextPorts, readPredictions } from './predictions.ts';
import type { ReadRecords } from './read-records.ts';
import { createResponseCache, type RequestContext, type ResponseCache } from './response-cache.ts';
import { connectService } from './service-connection.ts';
import {
  type FetchedUsagePage,
  readUsagePage,
  type UsageMonth,
  type UsagePage,
  usageRequest,
  walkUsage,
} from './usage.ts';

export interface AnalyticsClientOptions {
  /** Several clients may share one: their people, and their background work, take turns. */
  login: Login;
  /** The domain clock: `fetchedAt`, the age of answers, since when the service has been failing. */
  now: () => Date;
  /** The real clock in milliseconds. */
  realNow?: () => number;
  logger?: Logger;
  /** Called for each request sent to the service, retries included. Logins don't count. */
  onRequest?: OnRequest;
  /** Called before each request; throws if it must not be sent. */
  admit?: AdmitRequest;
  /** For a whole request: queue, login, attempts. */
  deadlineMs?: number;
  cacheMinutes?: { predictions: number; statistics: number; usage: number };
  maxUsagePages?: number;
  measure?: Measure;
}

/** The cause is undefined if the caller named none. */
export type AdmitRequest = (cause: CallCause | undefined) => Promise<void>;

/** The cause is undefined if the caller named none. */
export type OnRequest = (cause: CallCause | undefined) => void;

interface PredictionsRequest extends ServiceRequest {
  /** The vessel or port that every record must be about. */
  about: { imo?: Imo; port?: Locode };
  read(reply: JsonReply): ReadRecords<RawPrediction>;
}

export type AnalyticsClient = ReturnType<typeof createAnalyticsClient>;

/**
 * The Vessel Schedule Analytics Service: a function per endpoint, except for the login, which the token manager
 * sends. All functions throw ServiceTrouble, or the reason of the caller's own signal.
 */
export function createAnalyticsClient(clientOptions: AnalyticsClientOptions) {
  const { login, now, realNow = Date.now, deadlineMs = 15_000, maxUsagePages = 40 } = clientOptions;
  const {
    logger = silentLogger,
    onRequest = () => undefined,
    admit,
    measure = measureNothing,
  } = clientOptions;
  const { cacheMinutes = { predictions: 5, statistics: 60, usage: 10 } } = clientOptions;
  const { send, health, status } = connectService({
    login,
    now,
    realNow,
    logger,
    onRequest,
    admit,
    deadlineMs,
  });
  const cacheOf = <T extends Provenance>(ttlMinutes: number) =>
    createResponseCache<T>({ ttlMinutes, now, health, deadlineMs });

  const predictions = cacheOf<PredictionsAnswer>(cacheMinutes.predictions);
  const statistics = cacheOf<StatisticsAnswer>(cacheMinutes.statistics);
  const usagePages = cacheOf<FetchedUsagePage>(cacheMinutes.usage);
  // Two clients of one login may ask for people, or for nobody, with the same id.
  const clientId = randomUUID();
  let wasPercent = login.scale.isPercent();

  const withProvenance = <T>(answer: T) => ({ ...answer, fetchedAt: now(), cached: false });

  /** Answers from the cache, or sends the request and passes its reply to `read`. */
  async function ask<T extends { droppedRecords: number }>(
    cache: ResponseCache<T & Provenance>,
    request: ServiceRequest,
    read: (reply: Promise<JsonReply>) => Promise<T>,
    options?: RequestOptions,
  ): Promise<T & Provenance> {
    const { resource, path, query } = request;
    let isSent = false;
    const load = async (context: RequestContext) => {
      isSent = true;
      const reply = send(request, { ...context, cause: options?.cause });
      const answer = await read(reply);
      const { droppedRecords } = answer;
      if (droppedRecords > 0) logger.warn({ resource, droppedRecords }, 'records dropped');
      // An answer can be that the service knows nothing of it.
      const size = await reply.then(
        ({ size }) => size,
        () => 0,
      );
      return { answer: withProvenance(answer), size };
    };
    const askedBy = `${clientId} ${options?.askedBy ?? ''}`;
    const answer = await cache.ask(`${path}?${new URLSearchParams(query)}`, load, { ...options, askedBy });
    measure({ kind: 'cache', resource, result: cacheResultOf(answer, isSent) });
    return answer;
  }

  /** Any client of the login may find that the service writes percent. */
  function forgetMisreadPredictions(): void {
    if (wasPercent !== login.scale.isPercent()) predictions.clear();
    wasPercent = login.scale.isPercent();
  }

  async function predict(request: PredictionsRequest, options?: RequestOptions): Promise<PredictionsAnswer> {
    forgetMisreadPredictions();
    const normalise = (raw: ReadRecords<RawPrediction>) =>
      normalisePredictions(raw, request.about, { scaleOf: login.scale.of, logger });
    const nothing = { records: [], droppedRecords: 0 };
    // A list named `.` or `..` would change the path of the URL, even if encoded.
    if (/\/\.{0,2}$/.test(request.path)) return withProvenance(normalise(nothing));
    const read = async (pending: Promise<JsonReply>) => {
      const { reply, isRefused } = await replyIfKnown(pending);
      return { ...normalise(reply ? request.read(reply) : nothing), ...(isRefused && { isRefused }) };
    };
    return ask(predictions, request, read, options);
  }

  return {
    /** GET /nextport/vessel/{imo}/predictions */
    vesselPredictions(imo: Imo, options?: RequestOptions) {
      const path = `nextport/vessel/${imo}/predictions`;
      return predict(
        { resource: 'vessel predictions', path, about: { imo }, read: readPredictions },
        options,
      );
    },
    /** GET /nextport/port/{locode}/predictions */
    portPredictions(port: Locode, options?: RequestOptions) {
      const path = `nextport/port/${port}/predictions`;
      return predict({ resource: 'port predictions', path, about: { port }, read: readPredictions }, options);
    },
    /** GET /nextport/ship/{IMO}: other records than vesselPredictions, with ETAs that have no offset. */
    shipNextPorts(imo: Imo, options?: RequestOptions) {
      const path = `nextport/ship/${imo}`;
      return predict({ resource: 'ship next ports', path, about: { imo }, read: readNextPorts }, options);
    },
    /** GET /nextport/shiplist/{name} */
    shiplistNextPorts(name: string, options?: RequestOptions) {
      const path = `nextport/shiplist/${encodeURIComponent(name.toWellFormed())}`;
      return predict({ resource: 'shiplist next ports', path, about: {}, read: readNextPorts }, options);
    },
    /** Iterates over the pages of the report. */
    usage: (month: UsageMonth, options?: RequestOptions): AsyncIterable<UsagePage> =>
      walkUsage((number) => {
        const read = async (reply: Promise<JsonReply>) => readUsagePage(await reply, month);
        return ask(usagePages, usageRequest(month, number), read, options);
      }, maxUsagePages),
    journeyStatistics(lane: Lane, options?: RequestOptions): Promise<StatisticsAnswer> {
      const read = async (pending: Promise<JsonReply>) => {
        // With dates in the request, 422 may be about the dates and say nothing about the lane.
        const { reply } = await replyIfKnown(pending, !lane.begin && !lane.end);
        return reply ? readStatistics(reply, lane) : { statistics: [], droppedRecords: 0 };
      };
      return ask(statistics, statisticsRequest(lane), read, options);
    },
    status,
  };
}

function cacheResultOf({ staleSince, cached }: Provenance, isSent: boolean): CacheResult {
  if (staleSince) return 'stale';
  if (cached) return 'hit';
  return isSent ? 'miss' : 'shared';
}

/** No reply for 404, 422 and an empty body: each may mean an unknown vessel, port, list or lane. */
async function replyIfKnown(
  pending: Promise<JsonReply>,
  treat422AsUnknown = true,
): Promise<{ reply?: JsonReply; isRefused?: true }> {
  try {
    const reply = await pending;
    return reply.json === undefined ? {} : { reply };
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    if (error.status === 404) return {};
    if (treat422AsUnknown) return { isRefused: true };
    throw error;
  }
}

/** A client that finds another one for each question. */
export function createDeferredClient(options: {
  find: () => Promise<AnalyticsClient>;
  /** The client found last; undefined if there is none. */
  last: () => AnalyticsClient | undefined;
}): AnalyticsClient {
  const { find, last } = options;
  return {
    vesselPredictions: async (...request) => (await find()).vesselPredictions(...request),
    portPredictions: async (...request) => (await find()).portPredictions(...request),
    shipNextPorts: async (...request) => (await find()).shipNextPorts(...request),
    shiplistNextPorts: async (...request) => (await find()).shiplistNextPorts(...request),
    journeyStatistics: async (...request) => (await find()).journeyStatistics(...request),
    async *usage(...request) {
      yield* (await find()).usage(...request);
    },
    status: () => last()?.status() ?? idle,
  };
}

const idle: ServiceStatus = { token: { state: 'none' }, inFlight: 0, queued: 0 };

/**
 * The predictions for a port, and the code that has them. A port may have several codes: if the service has nothing
 * for the given code, the port's main code is tried.
 */
export async function portPredictionsByAnyCode(
  { portPredictions }: Pick<AnalyticsClient, 'portPredictions'>,
  port: Locode,
  options: RequestOptions,
): Promise<{ code: Locode; answer: PredictionsAnswer }> {
  const answer = await portPredictions(port, options);
  const main = canonicalPort(port);
  if (answer.predictions.length > 0 || main === port) return { code: port, answer };
  const other = await portPredictions(main, options);
  return other.predictions.length > 0 ? { code: main, answer: other } : { code: port, answer };
}
