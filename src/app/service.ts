import { type AnalyticsClientOptions, createAnalyticsClient } from '../analytics/client.ts';
import type { AnalyticsConfig, Config } from '../config/config.ts';
import type { Logger } from '../log.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { accountOf } from './embedded.ts';

interface ServiceOptions {
  config: Config;
  logger: Logger;
  fetch?: typeof globalThis.fetch;
  /** Milliseconds. */
  realNow?: () => number;
}

/** A little less than a command's deadline (15 s), so that the client's own error is shown. */
const deadlineMs = 14_000;

/** The client of the analytics service and the domain clock. The terminal uses it too, without a store. */
export function createService(
  { config, logger, fetch = globalThis.fetch, realNow = Date.now }: ServiceOptions,
  sandbox: Sandbox | undefined,
  shared: Pick<AnalyticsClientOptions, 'tokenStore' | 'scaleMemory'> = {},
) {
  const now = sandbox ? () => sandbox.clock.now() : () => new Date(realNow());
  const { probabilityScale, maxInFlight, timeoutMs, cacheMinutes } = config;
  const { tokenStore, scaleMemory } = shared;
  const analytics = createAnalyticsClient({
    ...accountFor(config, sandbox),
    fetch,
    now,
    realNow,
    logger,
    probabilityScale,
    maxInFlight,
    timeoutMs,
    deadlineMs,
    cacheMinutes,
    ...(tokenStore && { tokenStore }),
    ...(scaleMemory && { scaleMemory }),
  });
  return { analytics, now, source: sandbox ? ('sandbox' as const) : ('service' as const) };
}

export function accountFor({ analytics }: Config, sandbox: Sandbox | undefined): AnalyticsConfig {
  if (sandbox) return accountOf(sandbox);
  if (analytics === 'sandbox') throw new Error('the sandbox has not been started');
  return analytics;
}
