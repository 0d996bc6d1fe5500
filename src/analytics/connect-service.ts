import { createHmac } from 'node:crypto';
import { type Logger, silentLogger } from '../log.ts';
import type { ServiceStatus } from './answers.ts';
import { createCallLimiter } from './call-limiter.ts';
import { type CallService, createCallService } from './call-service.ts';
import { createHttpTransport } from './http-transport.ts';
import { type Credentials, createLogin } from './login.ts';
import { createServiceHealth, type ServiceHealth } from './service-health.ts';
import { createTokenManager } from './token-manager.ts';
import { createMemoryTokenStore, type TokenStore } from './token-store.ts';

export interface ServiceConnectionOptions {
  /** http or https, with or without a path and a trailing slash. */
  baseUrl: string;
  apiKey: string;
  credentials: Credentials;
  fetch?: typeof fetch;
  /** The domain clock: `fetchedAt`, the age of answers, since when the service has been failing. */
  now: () => Date;
  /** The real clock in milliseconds: tokens, back-off, deadlines. */
  realNow?: () => number;
  logger?: Logger;
  /** Shared by the processes of one account; in memory by default. */
  tokenStore?: TokenStore;
  maxInFlight?: number;
  /** For one attempt, its body included. */
  timeoutMs?: number;
  /** For a whole call: queue, login, attempts. */
  deadlineMs?: number;
  /** Before the first retry of a GET; doubled for each further one. */
  retryDelayMs?: number;
}

interface ServiceConnection {
  callService: CallService;
  health: ServiceHealth;
  status(): ServiceStatus;
}

/** Everything between a question and its JSON: transport, token, queue, retries. Throws TypeError as the client. */
export function connectService(
  options: ServiceConnectionOptions & { deadlineMs: number },
): ServiceConnection {
  const { baseUrl, apiKey, credentials, deadlineMs, timeoutMs = 10_000, retryDelayMs = 300 } = options;
  const { realNow = Date.now, logger = silentLogger } = options;
  // Fetch would put the key into its error message.
  if (!/^[\x21-\x7e]+$/.test(apiKey))
    throw new TypeError('apiKey holds characters that a header cannot carry');
  const health = createServiceHealth({ now: options.now });
  const limiter = createCallLimiter({ max: options.maxInFlight ?? 4, realNow });
  const common = { limiter, retryDelayMs, realNow, logger };
  const transport = createHttpTransport({
    ...common,
    baseUrl,
    apiKey,
    password: credentials.password,
    fetch: options.fetch ?? fetch,
    timeoutMs,
    health,
  });
  const tokens = createTokenManager({
    login: createLogin({ transport, credentials, withinMs: timeoutMs }),
    credential: credentialTag(options),
    store: options.tokenStore ?? createMemoryTokenStore({ realNow }),
    health,
    realNow,
    logger,
  });
  return {
    callService: createCallService({ ...common, transport, tokens, deadlineMs }),
    health,
    status() {
      const pausedMs = limiter.pauseMs();
      return {
        ...health.status(),
        ...(pausedMs > 0 && { pausedMs }),
        token: tokens.status(),
        inFlight: limiter.inFlight(),
        queued: limiter.queued(),
      };
    },
  };
}

/** Differs if any of the credentials differ; as an HMAC it reveals none of them. */
function credentialTag({ baseUrl, apiKey, credentials }: ServiceConnectionOptions): string {
  const parts = JSON.stringify([baseUrl, credentials.userId, credentials.password]);
  return createHmac('sha256', apiKey).update(parts).digest('base64url').slice(0, 22);
}
