import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../log.ts';
import type { CallCause, ServiceStatus } from './answers.ts';
import { ForbiddenError, RateLimitedError, UnauthorizedError, UnavailableError } from './errors.ts';
import { createServiceHealth, type JsonReply, type Resource, type ServiceRequest } from './http-transport.ts';
import type { Login } from './login.ts';
import type { RequestContext } from './response-cache.ts';
import { nextRefusal, type Refusal } from './token-manager.ts';

interface ServiceConnectionOptions {
  login: Login;
  now: () => Date;
  realNow: () => number;
  logger: Logger;
  onRequest: (cause: CallCause | undefined) => void;
  admit?: ((cause: CallCause | undefined) => Promise<void>) | undefined;
  deadlineMs: number;
}

interface SendContext extends RequestContext {
  cause: CallCause | undefined;
}

const maxTries = 3;

/** Everything between a question and its JSON: token, queue, retries. */
export function connectService(options: ServiceConnectionOptions) {
  const { login, now, realNow, logger, onRequest, admit, deadlineMs } = options;
  const { transport, tokens, limiter, retryDelayMs } = login;
  const health = createServiceHealth({ now });
  const denied = createDeniedResources({ realNow });
  // Other clients of the login have calls in flight too, which are not shown here.
  let queued = 0;
  let inFlight = 0;

  /** Another client may have sent the login, so its outcome is recorded here. */
  async function getToken(): Promise<string> {
    try {
      return await tokens.get();
    } catch (error) {
      if (error instanceof UnauthorizedError) health.answered();
      if (!(error instanceof UnavailableError)) throw error;
      const { status, cause } = error;
      throw new UnavailableError({ since: health.failed(), ...(status !== undefined && { status }), cause });
    }
  }

  /** After a 401 it logs in and tries once more; a second 401 is about the account, not the token. */
  async function sendWithToken(
    request: ServiceRequest,
    endsAt: number,
    { signal, cause }: Pick<SendContext, 'signal' | 'cause'>,
  ): Promise<JsonReply> {
    const onSend = () => onRequest(cause);
    const send = (token: string) =>
      transport({ ...request, token, withinMs: endsAt - realNow(), health, signal, onSend });
    const token = await getToken();
    try {
      return await send(token);
    } catch (error) {
      if (!(error instanceof UnauthorizedError)) throw error;
      await tokens.discard(token);
    }
    return await send(await getToken());
  }

  /** Resolves to the function that releases the place among the requests in flight. */
  async function enter({ ticket, signal }: RequestContext): Promise<() => void> {
    queued += 1;
    const onStart = () => {
      queued -= 1;
      inFlight += 1;
    };
    const leave = await limiter.enter(ticket, signal, onStart).catch((error: unknown) => {
      queued -= 1;
      throw error;
    });
    return () => {
      inFlight -= 1;
      leave();
    };
  }

  /** Keeps to the limit of requests in flight. After a 429 the request queues again and waits for the pause. */
  async function sendInTurn(request: ServiceRequest, context: SendContext): Promise<JsonReply> {
    const { resource } = request;
    const { signal } = context;
    let endsAt: number | undefined;
    for (let tries = 1; ; tries += 1) {
      const leave = await enter(context);
      // A background request may queue for long; an interactive caller stops waiting at the deadline anyway.
      endsAt ??= realNow() + deadlineMs;
      try {
        // Not before it is its turn: by then, the requests before it have been counted.
        await admit?.(context.cause);
        return await sendWithToken(request, endsAt, context);
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
    async send(request: ServiceRequest, context: SendContext): Promise<JsonReply> {
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
        inFlight,
        queued,
      };
    },
  };
}

const betaResource: Resource = 'trade lane statistics';

/** Remembers which resources answer 401 even to a new token, so asking for them costs no more logins. */
function createDeniedResources({ realNow }: { realNow: () => number }) {
  const denials = new Map<Resource, Refusal>();

  /** If only trade lanes answer 401, the account has no access to the beta; otherwise it is locked out. */
  function errorFor(resource: Resource, retryAfterMs: number): Error {
    const onlyBeta = [...denials.keys()].every((denied) => denied === betaResource);
    return resource === betaResource && onlyBeta
      ? new ForbiddenError({ resource })
      : new UnauthorizedError({ refused: 'token', retryAfterMs });
  }

  return {
    checkAllowed(resource: Resource): void {
      const retryAfterMs = (denials.get(resource)?.until ?? 0) - realNow();
      if (retryAfterMs > 0) throw errorFor(resource, retryAfterMs);
    },
    /** Records a 401 on a new token and returns the error that says what it means. */
    deny(resource: Resource): Error {
      const denial = nextRefusal(denials.get(resource), realNow());
      denials.set(resource, denial);
      return errorFor(resource, denial.until - realNow());
    },
    allow: (resource: Resource) => void denials.delete(resource),
  };
}
