import ky, { isHTTPError, isNetworkError, isTimeoutError } from 'ky';
import { ServiceTrouble } from '../errors.ts';
import type { Logger } from '../log.ts';
import type { CallLimiter } from './call-limiter.ts';
import {
  ForbiddenError,
  NotFoundError,
  RateLimitedError,
  UnauthorizedError,
  UnavailableError,
  UnreadableResponseError,
} from './errors.ts';
import { maxBodyBytes, readBody } from './read-body.ts';
import { createRedact } from './redact.ts';
import { retryAfterMs } from './retry-after.ts';
import type { JsonReply } from './service-call.ts';
import type { ServiceHealth } from './service-health.ts';

interface ServiceRequest {
  /** What is asked for, in a word or two, for errors and log lines. */
  resource: string;
  /** Relative to the base address, already encoded. */
  path: string;
  query?: Readonly<Record<string, string>>;
  /** Left out for a login. */
  token?: string;
  /** Makes it a POST, which is never retried and whose answer no error quotes. */
  json?: object;
  /** For the request with all its retries. */
  withinMs: number;
  signal?: AbortSignal;
}

/** One request with its retries. Returns a 2xx reply; throws ServiceTrouble, or the signal's reason. */
export type HttpTransport = (request: ServiceRequest) => Promise<JsonReply>;

interface HttpTransportOptions {
  baseUrl: string;
  apiKey: string;
  password: string;
  fetch: typeof fetch;
  /** For one attempt, its body included. */
  timeoutMs: number;
  /** At most, before the first retry; doubled for each further one. */
  retryDelayMs: number;
  realNow: () => number;
  limiter: CallLimiter;
  health: ServiceHealth;
  logger: Logger;
}

interface TextReply {
  status: number;
  contentType: string;
  text: string;
}

const maxRetries = 2;
const maxRetryDelayMs = 3_000;
// Not 429: such a call goes back to the queue, see call-service.ts.
const retriedStatuses = [408, ...Array.from({ length: 100 }, (_, index) => 500 + index)];

export function createHttpTransport(options: HttpTransportOptions): HttpTransport {
  const { apiKey, password, retryDelayMs, realNow, limiter, health, logger } = options;
  const base = ky.create({
    prefix: options.baseUrl,
    headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
    timeout: options.timeoutMs,
    // Our key would be sent along to wherever a redirect points.
    redirect: 'manual',
  });

  /** A fetch that reads the body before it resolves, so that ky's timeout and retries cover the body too. */
  async function attempt(
    input: Parameters<typeof fetch>[0],
    init: RequestInit | undefined,
    onReply: (reply: TextReply) => void,
  ): Promise<Response> {
    const startedAt = realNow();
    const response = await options.fetch(input, init);
    const { status, headers } = response;
    const contentType = headers.get('content-type') ?? '';
    const text = await readBody(response);
    if (text === undefined) {
      const reason = `over ${maxBodyBytes} bytes`;
      throw new UnreadableResponseError({ status, contentType, excerpt: '', reason });
    }
    onReply({ status, contentType, text });
    if (status === 429) limiter.slowDown(retryAfterMs(headers.get('retry-after'), realNow()));
    if (response.ok) limiter.speedUp();
    if (response.ok || status === 404 || status === 422) health.succeeded(realNow() - startedAt);
    else if (status >= 400 && status < 500 && status !== 408) health.answered();
    return new Response(null, { status, headers });
  }

  return async function transport(request) {
    const { path, query, token, json, signal } = request;
    const endsAt = realNow() + request.withinMs;
    let reply: TextReply = { status: 0, contentType: '', text: '' };
    function unreadable(reason: string): UnreadableResponseError {
      const { status, contentType, text } = reply;
      const excerpt = json ? '' : createRedact([apiKey, password, token ?? ''])(text);
      return new UnreadableResponseError({ status, contentType, excerpt, reason });
    }
    try {
      await base(path, {
        method: json ? 'post' : 'get',
        ...(token && { headers: { authorization: `Bearer ${token}` } }),
        ...(query && { searchParams: { ...query } }),
        ...(json && { json }),
        ...(signal && { signal }),
        totalTimeout: Math.max(1, request.withinMs),
        fetch: (input, init) =>
          attempt(input, init, (received) => {
            reply = received;
          }),
        retry: {
          limit: maxRetries,
          methods: ['get'],
          statusCodes: retriedStatuses,
          retryOnTimeout: true,
          delay: (attemptCount) => retryDelayMs * 2 ** (attemptCount - 1),
          backoffLimit: maxRetryDelayMs,
          jitter: true,
          shouldRetry: ({ error }) =>
            (requestedDelayMs(error) ?? 0) > endsAt - realNow() ? false : undefined,
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
      throw toServiceTrouble(error, request, unreadable);
    }
    return { json: parseJson(reply.text, unreadable), unreadable };
  };

  function requestedDelayMs(error: Error): number | undefined {
    if (!isHTTPError(error)) return undefined;
    return retryAfterMs(error.response.headers.get('retry-after'), realNow());
  }

  /** Ky's own errors hold the request, and with it the key and the token, so none is kept as a cause. */
  function toServiceTrouble(
    error: unknown,
    { resource, json, signal }: ServiceRequest,
    unreadable: JsonReply['unreadable'],
  ): unknown {
    if (error instanceof ServiceTrouble) return error;
    if (signal?.aborted) return signal.reason;
    if (isNetworkError(error)) return new UnavailableError({ since: health.failed(), cause: error.cause });
    if (isTimeoutError(error)) return new UnavailableError({ since: health.failed() });
    if (!isHTTPError(error)) return error;
    const { status } = error.response;
    if (status === 401) return new UnauthorizedError({ refused: json ? 'login' : 'token' });
    if (status === 403) return new ForbiddenError({ resource });
    if (status === 404 || status === 422) return new NotFoundError({ status });
    if (status === 429) return new RateLimitedError({ retryAfterMs: requestedDelayMs(error), resource });
    if (status === 408 || status >= 500) return new UnavailableError({ since: health.failed(), status });
    return unreadable('an unexpected status');
  }
}

function parseJson(text: string, unreadable: JsonReply['unreadable']): unknown {
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw unreadable('not JSON');
  }
}
