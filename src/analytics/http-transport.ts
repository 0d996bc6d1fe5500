import ky, { isHTTPError, isNetworkError, isTimeoutError } from 'ky';
import { ServiceTrouble } from '../errors.ts';
import type { CallLimiter } from './call-limiter.ts';
import {
  ForbiddenError,
  NotFoundError,
  RateLimitedError,
  UnauthorizedError,
  UnavailableError,
  UnreadableResponseError,
} from './errors.ts';
import type { AnalyticsLogger } from './logger.ts';
import { BodyTooLargeError, readBody } from './read-body.ts';
import type { Redact } from './redact.ts';
import { retryAfterMs } from './retry-after.ts';
import type { ServiceHealth } from './service-health.ts';

export interface ServiceRequest {
  /** What is asked, in a word or two, for errors and log lines. */
  resource: string;
  /** Relative to the base address, already encoded. */
  path: string;
  query?: Readonly<Record<string, string>> | undefined;
  headers: Readonly<Record<string, string>>;
  /** Makes it a POST, which is never repeated. */
  json?: object;
  /** For the request with all its repeats. */
  withinMs: number;
  signal?: AbortSignal;
}

export interface ServiceReply {
  status: number;
  contentType: string;
  text: string;
}

/** One request with its repeats. Gives a 2xx reply; throws ServiceTrouble, or the signal's reason. */
export type HttpTransport = (request: ServiceRequest) => Promise<ServiceReply>;

export interface HttpTransportOptions {
  baseUrl: string;
  fetch: typeof fetch;
  /** For one attempt, its body included. */
  timeoutMs: number;
  /** Before the first repeat, doubled for each further one; up to it, by chance. */
  retryDelayMs: number;
  realNow: () => number;
  limiter: CallLimiter;
  health: ServiceHealth;
  redact: Redact;
  logger: AnalyticsLogger;
}

const retries = 2;
const maxRetryDelayMs = 3_000;
// Not 429: who is told to slow down queues again, see service-calls.ts.
const repeatable = [408, ...Array.from({ length: 100 }, (_, index) => 500 + index)];

export function createHttpTransport(options: HttpTransportOptions): HttpTransport {
  const { realNow, limiter, health, redact, logger } = options;
  const base = ky.create({
    prefix: options.baseUrl,
    timeout: options.timeoutMs,
    // Our key would be sent along to wherever a redirect points.
    redirect: 'manual',
  });

  /** Fetch that has read the body when it resolves, so that ky's timeout and repeats cover the body too. */
  async function attempt(
    input: Parameters<typeof fetch>[0],
    init: RequestInit | undefined,
    keep: (reply: ServiceReply) => void,
  ): Promise<Response> {
    const startedAt = realNow();
    const response = await options.fetch(input, init);
    const { status, headers } = response;
    const contentType = headers.get('content-type') ?? '';
    const text = await readBody(response).catch((error: unknown) => {
      if (!(error instanceof BodyTooLargeError)) throw error;
      throw new UnreadableResponseError({ status, contentType, excerpt: '', reason: error.message });
    });
    keep({ status, contentType, text });
    if (status === 429) limiter.slowDown(retryAfterMs(headers.get('retry-after'), realNow()));
    if (response.ok) limiter.speedUp();
    if (response.ok || status === 404 || status === 422) health.succeeded(realNow() - startedAt);
    else if (status >= 400 && status < 500 && status !== 408) health.answered();
    return new Response(null, { status, headers });
  }

  return async function transport(request) {
    const endsAt = realNow() + request.withinMs;
    let reply: ServiceReply | undefined;
    try {
      await base(request.path, {
        method: request.json ? 'post' : 'get',
        headers: { ...request.headers },
        ...(request.query && { searchParams: { ...request.query } }),
        ...(request.json && { json: request.json }),
        ...(request.signal && { signal: request.signal }),
        totalTimeout: Math.max(1, request.withinMs),
        fetch: (input, init) =>
          attempt(input, init, (answered) => {
            reply = answered;
          }),
        retry: {
          limit: retries,
          methods: ['get'],
          statusCodes: repeatable,
          retryOnTimeout: true,
          delay: (attemptCount) => options.retryDelayMs * 2 ** (attemptCount - 1),
          backoffLimit: maxRetryDelayMs,
          jitter: true,
          shouldRetry: ({ error }) => (asksToWait(error) > endsAt - realNow() ? false : undefined),
        },
        hooks: {
          beforeRetry: [
            ({ error, retryCount }) => {
              const status = isHTTPError(error) ? error.response.status : undefined;
              logger.warn({ resource: request.resource, status, retryCount }, 'asking the service again');
            },
          ],
        },
      });
    } catch (error) {
      throw translate(error, request, reply);
    }
    if (!reply) throw new UnavailableError({ since: health.failed() });
    return reply;
  };

  function asksToWait(error: Error): number {
    if (!isHTTPError(error)) return 0;
    return retryAfterMs(error.response.headers.get('retry-after'), realNow()) ?? 0;
  }

  /** Ky's own errors hold the request, and with it the key and the token: none is kept as a cause. */
  function translate(
    error: unknown,
    { resource, json, signal }: ServiceRequest,
    reply?: ServiceReply,
  ): unknown {
    if (error instanceof ServiceTrouble) return error;
    if (signal?.aborted) return signal.reason;
    if (isNetworkError(error)) return new UnavailableError({ since: health.failed(), cause: error.cause });
    if (isTimeoutError(error)) return new UnavailableError({ since: health.failed() });
    if (!isHTTPError(error)) return error;
    const { status, headers } = error.response;
    if (status === 401) return new UnauthorizedError({ refused: json ? 'login' : 'token' });
    if (status === 403) return new ForbiddenError({ resource });
    if (status === 404 || status === 422) return new NotFoundError({ status });
    if (status === 429) {
      return new RateLimitedError({
        retryAfterMs: retryAfterMs(headers.get('retry-after'), realNow()),
        resource,
      });
    }
    if (status === 408 || status >= 500) return new UnavailableError({ since: health.failed(), status });
    const contentType = reply?.contentType ?? '';
    const excerpt = json ? '' : redact(reply?.text ?? '');
    return new UnreadableResponseError({ status, contentType, excerpt, reason: 'an unexpected status' });
  }
}
