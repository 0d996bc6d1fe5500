import { createHmac } from 'node:crypto';
import { canonicalPort, samePort } from '../reference/ports.ts';
import type {
  AnalyticsClient,
  CallOptions,
  PredictionsAnswer,
  ServiceStatus,
  StatisticsAnswer,
} from './answers.ts';
import { type CallLimiter, createCallLimiter } from './call-limiter.ts';
import { createCallService } from './call-service.ts';
import { NotFoundError } from './errors.ts';
import { createHttpTransport } from './http-transport.ts';
import { type Lane, readStatistics, statisticsCall } from './journey-statistics.ts';
import { type AnalyticsLogger, silentLogger } from './logger.ts';
import { type Credentials, createLogin } from './login.ts';
import { readNextPorts, shiplistNextPortsCall, shipNextPortsCall } from './next-ports.ts';
import type { Asked, NormaliseContext } from './normalise-predictions.ts';
import { portPredictionsCall, readPredictions, vesselPredictionsCall } from './predictions.ts';
import {
  createMemoryScaleMemory,
  createProbabilityScale,
  type Scale,
  type ScaleMemory,
} from './probability-scale.ts';
import { createRedact } from './redact.ts';
import { createResponseCache } from './response-cache.ts';
import type { JsonReply, ServiceCall } from './service-call.ts';
import { createServiceHealth, type ServiceHealth } from './service-health.ts';
import type { CallContext } from './shared-call.ts';
import { createTokenManager, type TokenManager } from './token-manager.ts';
import { createMemoryTokenStore, type TokenStore } from './token-store.ts';
import { type ReadUsagePage, readUsagePage, type UsageMonth, usageCall, walkUsage } from './usage.ts';

export interface AnalyticsClientOptions {
  /** http or https, with or without a path and a slash at its end. */
  baseUrl: string;
  apiKey: string;
  credentials: Credentials;
  fetch?: typeof fetch;
  /** The domain clock: `fetchedAt`, age of cached and stale answers, since when the service fails. */
  now: () => Date;
  /** The real clock in milliseconds: tokens, back-off, deadlines. */
  realNow?: () => number;
  logger?: AnalyticsLogger;
  /** Shared by the processes of one account; in memory by default. */
  tokenStore?: TokenStore;
  probabilityScale?: 'auto' | Scale;
  scaleMemory?: ScaleMemory;
  maxInFlight?: number;
  /** For one attempt, its body included. */
  timeoutMs?: number;
  /** For a call in all: queue, login, attempts. */
  deadlineMs?: number;
  /** Before the first repeat of a failed GET; doubled for each further one. */
  retryDelayMs?: number;
  cacheMinutes?: { predictions: number; statistics: number; usage: number };
  /** Pages of a usage report that are walked at most. */
  pageLimit?: number;
}

/**
 * The Vessel Schedule Analytics Service as functions. All of them throw ServiceTrouble, or the reason of the
 * caller's own signal. Throws TypeError at once for an API key that no header can carry.
 */
export function createAnalyticsClient(options: AnalyticsClientOptions): AnalyticsClient {
  const { now, deadlineMs = 15_000, pageLimit = 40 } = options;
  const { cacheMinutes = { predictions: 5, statistics: 60, usage: 10 } } = options;
  const service = connect(options, deadlineMs);
  const { callService, health } = service;
  const shared = { now, health, deadlineMs };

  const predictions = createResponseCache<PredictionsAnswer>({
    ...shared,
    ttlMinutes: cacheMinutes.predictions,
    recordsOf: (answer) => answer.predictions.length,
  });
  const statistics = createResponseCache<StatisticsAnswer>({
    ...shared,
    ttlMinutes: cacheMinutes.statistics,
    recordsOf: (answer) => answer.statistics.length,
  });
  const usagePages = createResponseCache<ReadUsagePage>({
    ...shared,
    ttlMinutes: cacheMinutes.usage,
    recordsOf: (page) => page.records.length,
  });
  const normalise: NormaliseContext = {
    scale: createProbabilityScale({
      setting: options.probabilityScale ?? 'auto',
      memory: options.scaleMemory ?? createMemoryScaleMemory(),
      changed: () => predictions.clear(),
    }),
    samePort,
    canonicalPort,
    logger: service.logger,
  };

  /** What the client adds to an answer that has just come. */
  function told<T extends { faults: number }>({ resource }: ServiceCall, answer: T) {
    if (answer.faults > 0) service.logger.warn({ resource, faults: answer.faults }, 'records dropped');
    return { ...answer, fetchedAt: now(), cached: false };
  }

  function predict(call: ServiceCall, read: typeof readPredictions, asked: Asked, callOptions?: CallOptions) {
    return predictions.ask(
      call.path,
      async (context) => {
        const reply = await knownOrNothing(callService(call, context));
        return told(call, reply ? read(reply, asked, normalise) : nothingKnown(normalise));
      },
      callOptions,
    );
  }

  return {
    vesselPredictions: (imo, callOptions) =>
      predict(vesselPredictionsCall(imo), readPredictions, { imo }, callOptions),
    portPredictions: (port, callOptions) =>
      predict(portPredictionsCall(port), readPredictions, { port }, callOptions),
    shipNextPorts: (imo, callOptions) => predict(shipNextPortsCall(imo), readNextPorts, { imo }, callOptions),
    async shiplistNextPorts(name, callOptions) {
      const call = shiplistNextPortsCall(name);
      if (!call) return { ...nothingKnown(normalise), fetchedAt: now(), cached: false };
      return predict(call, readNextPorts, {}, callOptions);
    },
    usage(month: UsageMonth, callOptions) {
      const page = (number: number) => {
        const call = usageCall(month, number);
        const load = async (context: CallContext) =>
          told(call, readUsagePage(await callService(call, context), month));
        return usagePages.ask(questionOf(call), load, callOptions);
      };
      return walkUsage(page, pageLimit);
    },
    journeyStatistics(lane: Lane, callOptions) {
      const call = statisticsCall(lane);
      const load = async (context: CallContext) => {
        // With dates sent, 422 may mean the dates: then nothing is known of the lane.
        const reply = await knownOrNothing(callService(call, context), !lane.begin && !lane.end);
        return told(call, reply ? readStatistics(reply, lane, samePort) : { statistics: [], faults: 0 });
      };
      return statistics.ask(questionOf(call), load, callOptions);
    },
    status: () => statusOf(service),
  };
}

interface Service {
  callService: (call: ServiceCall, context: CallContext) => Promise<JsonReply>;
  health: ServiceHealth;
  limiter: CallLimiter;
  tokens: TokenManager;
  logger: AnalyticsLogger;
}

/** Everything between a question and its JSON: tokens, limit, deadline, repeats. */
function connect(options: AnalyticsClientOptions, deadlineMs: number): Service {
  const { baseUrl, apiKey, credentials, timeoutMs = 10_000, retryDelayMs = 300 } = options;
  const { realNow = Date.now, logger = silentLogger } = options;
  const { tokenStore = createMemoryTokenStore({ realNow }) } = options;
  // Fetch would put the key into its error message.
  if (!/^[\x21-\x7e]+$/.test(apiKey))
    throw new TypeError('apiKey holds characters that a header cannot carry');
  const health = createServiceHealth({ now: options.now });
  const limiter = createCallLimiter({ max: options.maxInFlight ?? 4, realNow });
  const redact = (known: readonly string[]) => createRedact([apiKey, credentials.password, ...known]);
  const transport = createHttpTransport({
    baseUrl,
    fetch: options.fetch ?? fetch,
    timeoutMs,
    retryDelayMs,
    realNow,
    limiter,
    health,
    redact: redact([]),
    logger,
  });
  const tokens = createTokenManager({
    login: createLogin({ transport, apiKey, credentials, withinMs: timeoutMs }),
    credential: credentialTag(options),
    store: tokenStore,
    health,
    realNow,
    logger,
  });
  const callService = createCallService({
    transport,
    tokens,
    limiter,
    apiKey,
    deadlineMs,
    retryDelayMs,
    realNow,
    logger,
    redact,
  });
  return { callService, health, limiter, tokens, logger };
}

/** Differs when any of the credentials does; the key keeps it from being guessed back. */
function credentialTag({ baseUrl, apiKey, credentials }: AnalyticsClientOptions): string {
  const parts = JSON.stringify([baseUrl, credentials.userId, credentials.password]);
  return createHmac('sha256', apiKey).update(parts).digest('base64url').slice(0, 22);
}

/** 404, 422 and an empty body are plausible for what is unknown: one answer for the three. */
async function knownOrNothing(reply: Promise<JsonReply>, also422 = true): Promise<JsonReply | undefined> {
  try {
    const known = await reply;
    return known.json === undefined ? undefined : known;
  } catch (error) {
    if (error instanceof NotFoundError && (also422 || error.status === 404)) return undefined;
    throw error;
  }
}

function nothingKnown({ scale }: NormaliseContext) {
  return { predictions: [], scale: scale.scaleOf([]), faults: 0 };
}

function questionOf({ path, query }: ServiceCall): string {
  return `${path}?${new URLSearchParams(query)}`;
}

function statusOf({ health, limiter, tokens }: Service): ServiceStatus {
  const lastSuccessAt = health.lastSuccessAt();
  const failingSince = health.failingSince();
  const latencyMs = health.latencyMs();
  const pausedMs = limiter.pauseMs();
  return {
    ...(lastSuccessAt && { lastSuccessAt }),
    ...(failingSince && { failingSince }),
    ...(pausedMs > 0 && { pausedMs }),
    ...(latencyMs !== undefined && { latencyMs }),
    token: tokens.status(),
    inFlight: limiter.inFlight(),
    queued: limiter.queued(),
  };
}
