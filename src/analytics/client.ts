import { silentLogger } from '../log.ts';
import type {
  AnalyticsClient,
  CallOptions,
  PredictionsAnswer,
  Provenance,
  StatisticsAnswer,
} from './answers.ts';
import { connectService, type ServiceConnectionOptions } from './connect-service.ts';
import { NotFoundError } from './errors.ts';
import { readStatistics, statisticsCall } from './journey-statistics.ts';
import { normalisePredictions } from './normalise-predictions.ts';
import {
  type PredictionsCall,
  portPredictionsCall,
  shiplistNextPortsCall,
  shipNextPortsCall,
  vesselPredictionsCall,
} from './predictions.ts';
import { createProbabilityScale, type Scale, type ScaleMemory } from './probability-scale.ts';
import { createResponseCache } from './response-cache.ts';
import type { JsonReply, ServiceCall } from './service-call.ts';
import { type ReadUsagePage, readUsagePage, usageCall, walkUsage } from './usage.ts';

export interface AnalyticsClientOptions extends ServiceConnectionOptions {
  probabilityScale?: 'auto' | Scale;
  scaleMemory?: ScaleMemory;
  cacheMinutes?: { predictions: number; statistics: number; usage: number };
  /** How many pages of a usage report are read at most. */
  pageLimit?: number;
}

/**
 * The Vessel Schedule Analytics Service: a function per endpoint; the token manager makes the calls of
 * the login. All functions throw ServiceTrouble, or the reason of the caller's own signal.
 * Throws TypeError at once for an API key that no header can carry.
 */
export function createAnalyticsClient(options: AnalyticsClientOptions): AnalyticsClient {
  const { now, deadlineMs = 15_000, pageLimit = 40, logger = silentLogger } = options;
  const { cacheMinutes = { predictions: 5, statistics: 60, usage: 10 } } = options;
  const { callService, health, status } = connectService({ ...options, deadlineMs });
  const cacheOf = <T extends Provenance>(ttlMinutes: number, recordsOf: (answer: T) => readonly unknown[]) =>
    createResponseCache<T>({ ttlMinutes, recordsOf, now, health, deadlineMs });

  const predictions = cacheOf(cacheMinutes.predictions, (answer: PredictionsAnswer) => answer.predictions);
  const statistics = cacheOf(cacheMinutes.statistics, (answer: StatisticsAnswer) => answer.statistics);
  const usagePages = cacheOf(cacheMinutes.usage, (page: ReadUsagePage) => page.records);
  const scale = createProbabilityScale({
    setting: options.probabilityScale ?? 'auto',
    memory: options.scaleMemory,
    onPercent: () => predictions.clear(),
  });

  function withProvenance<T extends { faults: number }>(resource: string, answer: T) {
    if (answer.faults > 0) logger.warn({ resource, faults: answer.faults }, 'records dropped');
    return { ...answer, fetchedAt: now(), cached: false };
  }

  async function predict(call: PredictionsCall | undefined, callOptions?: CallOptions) {
    const nothing = { records: [], faults: 0 };
    if (!call) return withProvenance('', normalisePredictions(nothing, {}, { scale, logger }));
    return predictions.ask(
      keyOf(call),
      async (context) => {
        const reply = await undefinedIfUnknown(callService(call, context));
        const raw = reply ? call.read(reply) : nothing;
        return withProvenance(call.resource, normalisePredictions(raw, call.about, { scale, logger }));
      },
      callOptions,
    );
  }

  return {
    vesselPredictions: (imo, callOptions) => predict(vesselPredictionsCall(imo), callOptions),
    portPredictions: (port, callOptions) => predict(portPredictionsCall(port), callOptions),
    shipNextPorts: (imo, callOptions) => predict(shipNextPortsCall(imo), callOptions),
    shiplistNextPorts: (name, callOptions) => predict(shiplistNextPortsCall(name), callOptions),
    usage: (month, callOptions) =>
      walkUsage((number) => {
        const call = usageCall(month, number);
        return usagePages.ask(
          keyOf(call),
          async (context) =>
            withProvenance(call.resource, readUsagePage(await callService(call, context), month)),
          callOptions,
        );
      }, pageLimit),
    journeyStatistics(lane, callOptions) {
      const call = statisticsCall(lane);
      return statistics.ask(
        keyOf(call),
        async (context) => {
          // With dates sent, 422 may mean the dates: then it says nothing about the lane.
          const reply = await undefinedIfUnknown(callService(call, context), !lane.begin && !lane.end);
          const answer = reply ? readStatistics(reply, lane) : { statistics: [], faults: 0 };
          return withProvenance(call.resource, answer);
        },
        callOptions,
      );
    },
    status,
  };
}

const keyOf = ({ path, query }: ServiceCall): string => `${path}?${new URLSearchParams(query)}`;

/** The service may answer 404, 422 or an empty body for what it does not know: all three are undefined. */
async function undefinedIfUnknown(reply: Promise<JsonReply>, also422 = true): Promise<JsonReply | undefined> {
  try {
    const known = await reply;
    return known.json === undefined ? undefined : known;
  } catch (error) {
    if (error instanceof NotFoundError && (also422 || error.status === 404)) return undefined;
    throw error;
  }
}
