import { createAnalyticsClient } from '../analytics/client.ts';
import { createLogin, type LoginOptions } from '../analytics/login.ts';
import type { AnalyticsConfig, Config } from '../config/config.ts';
import type { Logger } from '../log.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';

/** A little less than a command's deadline (15 s), so people see the client's own error. */
const deadlineMs = 14_000;

/** The client of the analytics service and the domain clock. The terminal uses it too, without a store. */
export function createService(
  options: { config: Config; logger: Logger; realNow?: () => number },
  sandbox: Sandbox | undefined,
  stored: Pick<LoginOptions, 'tokenStore' | 'scaleMemory'> & { onRequest?: () => void } = {},
) {
  const { config, logger, realNow = Date.now } = options;
  const { probabilityScale, maxInFlight, timeoutMs, cacheMinutes } = config;
  const { onRequest, ...loginStore } = stored;
  const now = domainClock(sandbox, realNow);
  const login = createLogin({
    ...accountFor(config, sandbox),
    ...loginStore,
    realNow,
    logger,
    probabilityScale,
    maxInFlight,
    timeoutMs,
  });
  const analytics = createAnalyticsClient({
    login,
    now,
    realNow,
    logger,
    deadlineMs,
    cacheMinutes,
    ...(onRequest && { onRequest }),
  });
  return { analytics, now, source: sandbox ? ('sandbox' as const) : ('service' as const) };
}

/** With the sandbox, the sandbox's clock. */
export const domainClock = (sandbox: Sandbox | undefined, realNow: () => number) =>
  sandbox ? () => sandbox.clock.now() : () => new Date(realNow());

export function accountFor({ analytics }: Config, sandbox: Sandbox | undefined): AnalyticsConfig {
  if (sandbox) {
    const { apiKey, userId, password } = sandbox.credentials;
    return { baseUrl: sandbox.url, apiKey, credentials: { userId, password } };
  }
  if (analytics === 'sandbox') throw new Error('the sandbox has not been started');
  return analytics;
}
