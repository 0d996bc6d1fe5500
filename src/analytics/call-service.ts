import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../log.ts';
import type { CallLimiter } from './call-limiter.ts';
import { createDeniedResources } from './denied-resources.ts';
import { ForbiddenError, RateLimitedError, UnauthorizedError } from './errors.ts';
import type { HttpTransport } from './http-transport.ts';
import type { JsonReply, ServiceCall } from './service-call.ts';
import type { CallContext } from './shared-call.ts';
import type { TokenManager } from './token-manager.ts';

/** A GET with a token, in its turn. Throws ServiceTrouble, or the signal's reason. */
export type CallService = (call: ServiceCall, context: CallContext) => Promise<JsonReply>;

interface CallServiceOptions {
  transport: HttpTransport;
  tokens: TokenManager;
  limiter: CallLimiter;
  /** For a call from when its turn comes: login and retries. */
  deadlineMs: number;
  /** At most, after a 429 without Retry-After; doubled each time. */
  retryDelayMs: number;
  realNow: () => number;
  logger: Logger;
}

const maxTries = 3;

export function createCallService(options: CallServiceOptions): CallService {
  const { transport, tokens, limiter, deadlineMs, retryDelayMs, realNow, logger } = options;
  const denied = createDeniedResources({ realNow });

  /** After a 401 it logs in and tries once more; a second 401 means the account and not the token. */
  async function sendWithToken(call: ServiceCall, endsAt: number, signal: AbortSignal): Promise<JsonReply> {
    const send = (token: string) => transport({ ...call, token, withinMs: endsAt - realNow(), signal });
    const token = await tokens.get();
    try {
      return await send(token);
    } catch (error) {
      if (!(error instanceof UnauthorizedError)) throw error;
      await tokens.discard(token);
    }
    return await send(await tokens.get());
  }

  /** Within the limit of calls in flight. After a 429 it queues again, behind the lowered limit and its pause. */
  async function sendInTurn(call: ServiceCall, { ticket, signal }: CallContext): Promise<JsonReply> {
    let endsAt: number | undefined;
    for (let tries = 1; ; tries += 1) {
      const leave = await limiter.enter(ticket, signal);
      // A background call may queue for long; an interactive caller stops waiting at the deadline anyway.
      endsAt ??= realNow() + deadlineMs;
      try {
        return await sendWithToken(call, endsAt, signal);
      } catch (error) {
        const isOfCall = error instanceof RateLimitedError && error.resource === call.resource;
        if (!isOfCall || tries === maxTries || (error.retryAfterMs ?? 0) > endsAt - realNow()) throw error;
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
