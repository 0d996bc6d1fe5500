import { pipeline, type Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';
import { type Dispatcher, request as sendRequest } from 'undici';
import { codeOf, ServiceTrouble } from '../errors.ts';
import type { Logger } from '../log.ts';
import {
  ForbiddenError,
  NotFoundError,
  RateLimitedError,
  UnauthorizedError,
  UnavailableError,
  UnreadableResponseError,
} from './errors.ts';
import { redact } from './redact.ts';
import type { RequestLimiter } from './request-limiter.ts';
import type { ServiceHealth } from './service-health.ts';

export type Resource =
  | 'login'
  | 'vessel predictions'
  | 'port predictions'
  | 'ship next ports'
  | 'shiplist next ports'
  | 'the usage report'
  | 'trade lane statistics';

export interface ServiceRequest {
  resource: Resource;
  /** Relative to the base address, already encoded. */
  path: string;
  query?: Readonly<Record<string, string>>;
}

interface HttpRequest extends ServiceRequest {
  /** Left out for a login. */
  token?: string;
  /** If set, the request is a POST: it is never retried, and no error quotes its answer. */
  body?: object;
  /** The time for the request with all its retries. */
  withinMs: number;
  signal?: AbortSignal;
}

export interface JsonReply {
  /** Undefined for a 2xx without a body. */
  json: unknown;
  /** The error to throw if the JSON breaks the contract. */
  unreadable(reason: string): UnreadableResponseError;
}

interface Reply {
  status: number;
  contentType: string;
  /** Milliseconds from now, if the reply has a Retry-After. */
  retryAfterMs: number | undefined;
  text: string;
}

interface NoReply {
  /** Undefined for a timeout. */
  error: Error | undefined;
}

export const maxBodyBytes = 20 * 1024 * 1024;
const maxRetryAfterMs = 3_600_000;
const maxRetries = 2;
const maxBackOffMs = 3_000;

/**
 * HTTP by undici's `request`, which follows no redirect: the next host would get our key. With fetch and ky the same
 * takes three times the CPU time: see docs/benchmarks.md.
 */
export function createHttpTransport(options: {
  baseUrl: string;
  apiKey: string;
  password: string;
  /** For one attempt with its body. */
  timeoutMs: number;
  /** The longest wait before the first retry; it doubles for each further one. */
  retryDelayMs: number;
  realNow: () => number;
  limiter: RequestLimiter;
  health: ServiceHealth;
  logger: Logger;
}) {
  const { apiKey, password, timeoutMs, retryDelayMs, realNow, limiter, health, logger } = options;
  const baseUrl = options.baseUrl.replace(/\/+$/, '');
  const commonHeaders = {
    accept: 'application/json',
    'accept-encoding': 'gzip',
    'content-type': 'application/json',
    'user-agent': 'landfall',
    'x-api-key': apiKey,
  };

  /** One request with its retries. Returns a 2xx reply; throws ServiceTrouble, or the signal's reason. */
  return async function transport(request: HttpRequest): Promise<JsonReply> {
    const { resource, body, signal } = request;
    const endsAt = realNow() + request.withinMs;
    for (let retryCount = 1; ; retryCount += 1) {
      const outcome = await attempt(request, endsAt - realNow());
      if ('status' in outcome && isSuccess(outcome)) return readReply(outcome, request);
      const waitMs = body || retryCount > maxRetries ? undefined : retryDelayOf(outcome, retryCount);
      if (waitMs === undefined || waitMs > endsAt - realNow()) throw toServiceTrouble(outcome, request);
      const status = 'status' in outcome ? outcome.status : undefined;
      logger.warn({ resource, status, retryCount }, 'asking the service again');
      await delay(waitMs, undefined, signal && { signal }).catch(() => signal?.throwIfAborted());
    }
  };

  /** One attempt with its body. Throws ServiceTrouble for a body that is too large, or the signal's reason. */
  async function attempt(request: HttpRequest, leftMs: number): Promise<Reply | NoReply> {
    const { path, query, token, body, signal } = request;
    signal?.throwIfAborted();
    const controller = new AbortController();
    const abort = () => controller.abort(signal?.reason);
    const timer = setTimeout(() => controller.abort(), Math.max(1, Math.min(timeoutMs, leftMs)));
    signal?.addEventListener('abort', abort, { once: true });
    const startedAt = realNow();
    try {
      const url = `${baseUrl}/${path}${query ? `?${new URLSearchParams(query)}` : ''}`;
      const headers = token ? { ...commonHeaders, authorization: `Bearer ${token}` } : commonHeaders;
      const method = body ? ({ method: 'POST', body: JSON.stringify(body) } as const) : undefined;
      const response = await sendRequest(url, { ...method, headers, signal: controller.signal });
      const reply = await readResponse(response);
      note(reply.status, { retryAfterMs: reply.retryAfterMs, tookMs: realNow() - startedAt });
      return reply;
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof ServiceTrouble) throw error;
      if (controller.signal.aborted) return { error: undefined };
      if (!isNetworkError(error)) throw error;
      return { error };
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    }
  }

  async function readResponse({
    statusCode: status,
    headers,
    body,
  }: Dispatcher.ResponseData): Promise<Reply> {
    const contentType = String(headers['content-type'] ?? '');
    const tooLarge = () => {
      const reason = `over ${maxBodyBytes} bytes`;
      return new UnreadableResponseError({ status, contentType, excerpt: '', reason });
    };
    const text = await readBody(headers['content-encoding'] === 'gzip' ? gunzip(body) : body, tooLarge);
    const retryAfter = headers['retry-after'];
    const requestedMs = retryAfterMs(retryAfter === undefined ? null : String(retryAfter), realNow());
    return { status, contentType, text, retryAfterMs: requestedMs };
  }

  /** What each reply says about the service: its health, and how many requests it bears. */
  function note(
    status: number,
    { retryAfterMs: pauseMs, tookMs }: { retryAfterMs: number | undefined; tookMs: number },
  ): void {
    if (status === 429) limiter.slowDown(pauseMs);
    if (isSuccess({ status })) limiter.speedUp();
    if (isSuccess({ status }) || status === 404 || status === 422) health.succeeded(tookMs);
    else if (status >= 400 && status < 500 && status !== 408) health.answered();
  }

  /** Undefined if a retry is no use. A 429 goes back to the queue instead: see service-connection.ts. */
  function retryDelayOf(outcome: Reply | NoReply, retryCount: number): number | undefined {
    const isRetried = !('status' in outcome) || outcome.status === 408 || outcome.status >= 500;
    if (!isRetried) return undefined;
    const requestedMs = 'status' in outcome ? outcome.retryAfterMs : undefined;
    return requestedMs ?? Math.min(maxBackOffMs, Math.random() * retryDelayMs * 2 ** (retryCount - 1));
  }

  function readReply(reply: Reply, request: HttpRequest): JsonReply {
    const unreadable = (reason: string) => unreadableError(reply, request, reason);
    return { json: parseJson(reply.text, unreadable), unreadable };
  }

  function unreadableError(reply: Reply, { token, body }: HttpRequest, reason: string) {
    const { status, contentType, text } = reply;
    const excerpt = body ? '' : redact(text, [apiKey, password, token ?? '']);
    return new UnreadableResponseError({ status, contentType, excerpt, reason });
  }

  function toServiceTrouble(outcome: Reply | NoReply, request: HttpRequest): ServiceTrouble {
    if (!('status' in outcome))
      return new UnavailableError({ since: health.failed(), ...(outcome.error && { cause: outcome.error }) });
    const { resource, body } = request;
    const { status, retryAfterMs: requestedMs } = outcome;
    if (status === 401) return new UnauthorizedError({ refused: body ? 'login' : 'token' });
    if (status === 403) return new ForbiddenError({ resource });
    if (status === 404 || status === 422) return new NotFoundError({ status });
    if (status === 429) return new RateLimitedError({ retryAfterMs: requestedMs, resource });
    if (status === 408 || status >= 500) return new UnavailableError({ since: health.failed(), status });
    return unreadableError(outcome, request, 'an unexpected status');
  }
}

const isSuccess = ({ status }: { status: number }): boolean => status >= 200 && status < 300;

/** Errors of the system and of undici have a code; others are bugs. */
const isNetworkError = (error: unknown): error is Error => {
  const code = codeOf(error);
  return error instanceof Error && code !== undefined && code !== 'UND_ERR_INVALID_ARG';
};

function parseJson(text: string, unreadable: JsonReply['unreadable']): unknown {
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw unreadable('not JSON');
  }
}

/** Reads a body as UTF-8. Throws what the connection throws, or `tooLarge()`. */
async function readBody(body: AsyncIterable<Buffer>, tooLarge: () => Error): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    // Leaving the loop closes the connection.
    if (bytes > maxBodyBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

/** An error of either stream ends both. */
const gunzip = (body: Readable): Readable => pipeline(body, createGunzip(), () => {});

/** Milliseconds from `nowMs`, at most an hour. RFC 9110, 10.2.3: the header has seconds, or an HTTP date. */
export function retryAfterMs(header: string | null, nowMs: number): number | undefined {
  if (header === null) return undefined;
  const value = header.trim();
  if (/^\d+$/.test(value)) return Math.min(maxRetryAfterMs, Number(value) * 1000);
  if (!/^[A-Za-z]{3}.*\d{2}:\d{2}:\d{2}/.test(value)) return undefined;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.min(maxRetryAfterMs, Math.max(0, at - nowMs));
}
