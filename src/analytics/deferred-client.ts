import type { ServiceStatus } from './answers.ts';
import type { AnalyticsClient } from './client.ts';

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
