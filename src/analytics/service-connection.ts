import { createHmac } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { ServiceTrouble } from '../errors.ts';
import { type Logger, silentLogger } from '../log.ts';
import type { ServiceStatus } from './answers.ts';
import { createDeniedResources } from './denied-resources.ts';
import { ForbiddenError, RateLimitedError, UnauthorizedError, UnreadableResponseError } from './errors.ts';
import { createHttpTransport, type JsonReply, type ServiceRequest } from './http-transport.ts';
import { createRequestLimiter } from './request-limiter.ts';
import type { RequestContext } from './response-cache.ts';
import { createServiceHealth } from './service-health.ts';
import { createTokenManager } from './token-manager.ts';
import { createMemoryTokenStore, type TokenStore } from './token-store.ts';

export interface ServiceConnectionOptions {
  /** http or https, with or without a path and a trailing slash. */
  baseUrl: string;
  apiKey: string;
  credentials: { userId: string; password: string };
  /** The domain clock: `fetchedAt`, the age of answers, since when the service has been failing. */
  now: () => Date;
  /** The real clock in milliseconds: tokens, back-off, deadlines. */
  realNow?: () => number;
  logger?: Logger;
  /** Shared by the processes of one account; in memory by default. */
  tokenStore?: TokenStore;
  maxInFlight?: number;
  /** For one attempt with its body. */
  timeoutMs?: number;
  /** For a whole request: queue, login, attempts. */
  deadlineMs?: number;
  /** The longest wait before the first retry of a GET; it doubles for each further one. */
  retryDelayMs?: number;
}

const maxTries = 3;

// If a header can't carry the token, the error message of `fetch` shows it.
const loginAnswer = z.object({ token: z.string().regex(/^[\x21-\x7e]+$/) });

/** Everything between a question and its JSON: transport, token, queue, retries. */
export function connectService(options: ServiceConnectionOptions & { deadlineMs: number }) {
  const { baseUrl, apiKey, credentials, deadlineMs, timeoutMs = 10_000, retryDelayMs = 300 } = options;
  const { realNow = Date.now, logger = silentLogger } = options;
  // Otherwise the error message of `fetch` would show the key.
  if (!/^[\x21-\x7e]+$/.test(apiKey))
    throw new TypeError('apiKey holds characters that a header cannot carry');
  const health = createServiceHealth({ now: options.now });
  const limiter = createRequestLimiter({ max: options.maxInFlight ?? 4, realNow });
  const denied = createDeniedResources({ realNow });
  const transport = createHttpTransport({
    baseUrl,
    apiKey,
    password: credentials.password,
    timeoutMs,
    retryDelayMs,
    realNow,
    limiter,
    health,
    logger,
  });
  const tokens = createTokenManager({
    login,
    credentialTag: hashCredentials(options),
    store: options.tokenStore ?? createMemoryTokenStore({ realNow }),
    health,
    realNow,
    logger,
  });

  /** POST authentication/login: returns the token; never retried. */
  async function login(): Promise<string> {
    const { json, unreadable } = await transport({
      resource: 'login',
      path: 'authentication/login',
      body: { user_id: credentials.userId, password: credentials.password },
      withinMs: timeoutMs,
    }).catch((error: unknown) => {
      throw toLoginError(error);
    });
    const { data } = loginAnswer.safeParse(json);
    if (!data) throw unreadable('no token in the answer to the login');
    return data.token;
  }

  /** After a 401 it logs in and tries once more; a second 401 is about the account, not the token. */
  async function sendWithToken(
    request: ServiceRequest,
    endsAt: number,
    signal: AbortSignal,
  ): Promise<JsonReply> {
    const send = (token: string) => transport({ ...request, token, withinMs: endsAt - realNow(), signal });
    const token = await tokens.get();
    try {
      return await send(token);
    } catch (error) {
      if (!(error instanceof UnauthorizedError)) throw error;
      await tokens.discard(token);
    }
    return await send(await tokens.get());
  }

  /** Keeps to the limit of requests in flight. After a 429 the request queues again and waits for the pause. */
  async function sendInTurn(request: ServiceRequest, { ticket, signal }: RequestContext): Promise<JsonReply> {
    const { resource } = request;
    let endsAt: number | undefined;
    for (let tries = 1; ; tries += 1) {
      const leave = await limiter.enter(ticket, signal);
      // A background request may queue for long; an interactive caller stops waiting at the deadline anyway.
      endsAt ??= realNow() + deadlineMs;
      try {
        return await sendWithToken(request, endsAt, signal);
      } catch (error) {
        // A login that was refused with 429 isn't tried again.
        const mayRetry = error instanceof RateLimitedError && error.resource === resource && tries < maxTries;
        if (!mayRetry || (error.retryAfterMs ?? 0) > endsAt - realNow()) throw error;
        logger.warn({ resource, status: 429, retryCount: tries }, 'asking the service again');
      } finally {
        leave();
      }
      await delay(Math.random() * retryDelayMs * 2 ** tries, undefined, { signal }).catch(() => {
        throw signal.reason;
      });
    }
  }

  return {
    /** A GET with a token, in its turn. Throws ServiceTrouble, or the signal's reason. */
    async send(request: ServiceRequest, context: RequestContext): Promise<JsonReply> {
      const { resource } = request;
      denied.checkAllowed(resource);
      if (limiter.pauseMs() > deadlineMs) throw new RateLimitedError({ retryAfterMs: limiter.pauseMs() });
      try {
        const reply = await sendInTurn(request, context);
        denied.allow(resource);
        return reply;
      } catch (error) {
        if (error instanceof UnauthorizedError && error.refused === 'token') throw denied.deny(resource);
        if (error instanceof ForbiddenError) denied.allow(resource);
        throw error;
      }
    },
    health,
    status(): ServiceStatus {
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

/** An HMAC: it differs if any of the credentials differ, and reveals none of them. */
function hashCredentials({ baseUrl, apiKey, credentials }: ServiceConnectionOptions): string {
  const parts = JSON.stringify([baseUrl, credentials.userId, credentials.password]);
  return createHmac('sha256', apiKey).update(parts).digest('base64url').slice(0, 22);
}

/** UnauthorizedError if the service refuses the account; for 401, the transport has made it already. */
function toLoginError(error: unknown): unknown {
  const status = error instanceof ServiceTrouble ? error.status : undefined;
  if (status === 400 || status === 403 || status === 422) return new UnauthorizedError({ refused: 'login' });
  if (status !== 404) return error;
  // With a NotFoundError, a wrong base address would look like “no prediction” for every vessel.
  const reason = 'there is no login at this address';
  return new UnreadableResponseError({ status, contentType: '', excerpt: '', reason });
}
