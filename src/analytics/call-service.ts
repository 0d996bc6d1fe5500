import { setTimeout as delay } from 'node:timers/promises';
import type { CallLimiter } from './call-limiter.ts';
import { createDeniedResources } from './denied-resources.ts';
import { ForbiddenError, RateLimitedError, UnauthorizedError, UnreadableResponseError } from './errors.ts';
import type { HttpTransport, ServiceReply } from './http-transport.ts';
import type { AnalyticsLogger } from './logger.ts';
import type { Redact } from './redact.ts';
import type { JsonReply, ServiceCall } from './service-call.ts';
import type { CallContext } from './shared-call.ts';
import type { TokenManager } from './token-manager.ts';

/** A GET with a token. Throws ServiceTrouble, or the signal's reason. */
export type CallService = (call: ServiceCall, context: CallContext) => Promise<JsonReply>;

export interface CallServiceOptions {
  transport: HttpTransport;
  tokens: TokenManager;
  limiter: CallLimiter;
  apiKey: string;
  /** For a call once it is its turn: login and repeats. */
  deadlineMs: number;
  /** After a 429 without Retry-After: up to it, by chance, doubled each time. */
  retryDelayMs: number;
  realNow: () => number;
  logger: AnalyticsLogger;
  redact: (knownSecrets: readonly string[]) => Redact;
}

const triesAt429 = 3;

export function createCallService(options: CallServiceOptions): CallService {
  const { transport, tokens, limiter, apiKey, deadlineMs, retryDelayMs, realNow, logger, redact } = options;
  const denied = createDeniedResources({ realNow });

  async function send(
    call: ServiceCall,
    token: string,
    endsAt: number,
    signal: AbortSignal,
  ): Promise<JsonReply> {
    const reply = await transport({
      ...call,
      headers: {
        'content-type': 'application/json',
        'x-api-key': apiKey,
        authorization: `Bearer ${token}`,
      },
      withinMs: endsAt - realNow(),
      signal,
    });
    return asJson(reply, (text) => redact([token])(text));
  }

  /** A 401 costs one login and one more try: then it is the account that is refused, not the token. */
  async function sendWithToken(call: ServiceCall, endsAt: number, signal: AbortSignal): Promise<JsonReply> {
    const token = await tokens.get();
    try {
      return await send(call, token, endsAt, signal);
    } catch (error) {
      if (!(error instanceof UnauthorizedError)) throw error;
      await tokens.discard(token);
    }
    return await send(call, await tokens.get(), endsAt, signal);
  }

  /** Under the limit of calls in flight. After a 429 it queues again, behind the lowered limit and its pause. */
  async function sendInTurn(call: ServiceCall, { ticket, signal }: CallContext): Promise<JsonReply> {
    let endsAt: number | undefined;
    for (let tries = 1; ; tries += 1) {
      const leave = await limiter.enter(ticket, signal);
      // A background call may wait long for its turn. Who asks interactively waits no longer than the deadline.
      endsAt ??= realNow() + deadlineMs;
      try {
        return await sendWithToken(call, endsAt, signal);
      } catch (error) {
        const asked = error instanceof RateLimitedError && error.resource === call.resource;
        if (!asked || tries === triesAt429 || (error.retryAfterMs ?? 0) > endsAt - realNow()) throw error;
        logger.warn({ resource: call.resource, status: 429, retryCount: tries }, 'asking the service again');
      } finally {
        leave();
      }
      await delay(Math.random() * retryDelayMs * 2 ** tries, undefined, { signal }).catch(() => {
        throw signal.reason;
      });
    }
  }

  return async function callService(call, context) {
    denied.throwIfDenied(call.resource);
    if (limiter.pauseMs() > deadlineMs) throw new RateLimitedError({ retryAfterMs: limiter.pauseMs() });
    try {
      const reply = await sendInTurn(call, context);
      denied.allow(call.resource);
      return reply;
    } catch (error) {
      if (error instanceof UnauthorizedError && error.refused === 'token') throw denied.deny(call.resource);
      if (error instanceof ForbiddenError) denied.allow(call.resource);
      throw error;
    }
  };
}

function asJson(reply: ServiceReply, redact: Redact): JsonReply {
  const { status, contentType, text } = reply;
  const unreadable = (reason: string) =>
    new UnreadableResponseError({ status, contentType, excerpt: redact(text), reason });
  if (text.trim() === '') return { json: undefined, unreadable };
  try {
    return { json: JSON.parse(text), unreadable };
  } catch {
    throw unreadable('not JSON');
  }
}
