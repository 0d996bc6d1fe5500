import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import ky, { isHTTPError, isNetworkError, isTimeoutError } from 'ky';
import { request as sendRequest } from 'undici';
import { codeOf, ServiceTrouble } from '../errors.ts';
import { currentReference, type Logger } from '../log.ts';
import type { Measure } from '../measure.ts';
import type { ServiceStatus } from './answers.ts';
import {
  ForbiddenError,
  NotFoundError,
  RateLimitedError,
  UnauthorizedError,
  UnavailableError,
  UnreadableResponseError,
} from './errors.ts';
import type { RequestLimiter } from './request-limiter.ts';

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
  /** Of whoever asks. */
  health: ServiceHealth;
  signal?: AbortSignal;
  /** Called for each attempt. */
  onSend?: () => void;
}

export interface JsonReply {
  /** Undefined for a 2xx without a body. */
  json: unknown;
  /** The number of characters of the body. */
  size: number;
  /** The error to throw if the JSON breaks the contract. */
  unreadable(reason: string): UnreadableResponseError;
}

export const maxBodyBytes = 4 * 1024 * 1024;
const maxRetryAfterMs = 3_600_000;

// Not 429: after it the request goes back to the queue, see client.ts.
const retriedStatuses = [408, ...Array.from({ length: 100 }, (_, index) => 500 + index)];

export function createHttpTransport(options: {
  baseUrl: string;
  /** No error quotes them. */
  credentials: { apiKey: string; userId: string; password: string };
  /** For one attempt with its body. */
  timeoutMs: number;
  /** The longest wait before the first retry; it doubles for each further one. */
  retryDelayMs: number;
  realNow: () => number;
  limiter: RequestLimiter;
  bodyBudget: BodyBudget;
  logger: Logger;
  measure: Measure;
}) {
  const { credentials, retryDelayMs, realNow, limiter, bodyBudget, logger, measure } = options;
  const http = ky.create({ prefix: options.baseUrl, timeout: options.timeoutMs });
  const commonHeaders = {
    accept: 'application/json',
    'accept-encoding': 'gzip',
    'content-type': 'application/json',
    'user-agent': 'landfall',
    'x-api-key': credentials.apiKey,
  };

  /** One request with its retries. Returns a 2xx reply; throws ServiceTrouble, or the signal's reason. */
  return async function transport(request: HttpRequest): Promise<JsonReply> {
    const { path, query, token, body, health, signal, onSend } = request;
    const endsAt = realNow() + request.withinMs;
    const reference = currentReference();
    let reply = { status: 0, contentType: '', text: '' };

    /**
     * Undici's `request` takes a third of the processor time of its `fetch`, see docs/benchmarks.md. It follows no
     * redirect, whose host would get our key. Reads the body first, so ky's timeout and retries cover it.
     */
    async function fetchWithBody(input: Parameters<typeof fetch>[0], startedAt: number): Promise<Response> {
      onSend?.();
      // ky passes a Request.
      const { url, signal } = input instanceof Request ? input : new Request(input);
      const response = await sendRequest(url, {
        method: body ? 'POST' : 'GET',
        headers: {
          ...commonHeaders,
          ...(token && { authorization: `Bearer ${token}` }),
          ...(reference && { 'x-request-id': reference }),
        },
        body: body ? JSON.stringify(body) : null,
        signal,
      }).catch(asFetchError);
      const status = response.statusCode;
      const isOk = status >= 200 && status < 300;
      const contentType = String(response.headers['content-type'] ?? '');
      const isZipped = response.headers['content-encoding'] === 'gzip';
      const unzipped = isZipped ? gunzip(response.body) : response.body;
      const text = await readBody(unzipped, bodyBudget).catch(asFetchError);
      if (text === undefined) {
        const reason = `over ${maxBodyBytes} bytes`;
        throw new UnreadableResponseError({ status, contentType, excerpt: '', reason });
      }
      reply = { status, contentType, text };
      const retryAfter = response.headers['retry-after'];
      const headers = new Headers(
        retryAfter === undefined ? undefined : { 'retry-after': String(retryAfter) },
      );
      if (status === 429) limiter.slowDown(retryAfterMs(headers.get('retry-after'), realNow()));
      if (isOk) limiter.speedUp();
      if (isOk || status === 404 || status === 422) health.succeeded(realNow() - startedAt);
      else if (status >= 400 && status < 500 && status !== 408) health.answered();
      return new Response(null, { status, headers });
    }

    const measuredFetch: typeof fetch = async (input) => {
      const startedAt = realNow();
      let status: number | undefined;
      try {
        const response = await fetchWithBody(input, startedAt);
        status = response.status;
        return response;
      } finally {
        // Nobody waits for an aborted request any more: it says nothing about the service.
        const { resource } = request;
        if (!signal?.aborted) measure({ kind: 'service', resource, status, ms: realNow() - startedAt });
      }
    };

    function unreadable(reason: string): UnreadableResponseError {
      measure({ kind: 'unreadable', resource: request.resource });
      const { status, contentType, text } = reply;
      const excerpt = body ? '' : redact(text, [...Object.values(credentials), token ?? '']);
      return new UnreadableResponseError({ status, contentType, excerpt, reason });
    }

    try {
      // With `searchParams`, ky would make a second Request.
      await http(query ? `${path}?${new URLSearchParams({ ...query })}` : path, {
        method: body ? 'post' : 'get',
        ...(signal && { signal }),
        totalTimeout: Math.max(1, request.withinMs),
        fetch: measuredFetch,
        retry: {
          limit: 2,
          methods: ['get'],
          statusCodes: retriedStatuses,
          retryOnTimeout: true,
          delay: (attemptCount) => retryDelayMs * 2 ** (attemptCount - 1),
          backoffLimit: 3_000,
          jitter: true,
          // With undefined, ky applies the options above.
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
    return { json: parseJson(reply.text, unreadable), size: reply.text.length, unreadable };
  };

  function requestedDelayMs(error: Error): number | undefined {
    if (!isHTTPError(error)) return undefined;
    return retryAfterMs(error.response.headers.get('retry-after'), realNow());
  }

  /** An error of ky never becomes a cause, because it holds the request with the key and the token. */
  function toServiceTrouble(
    error: unknown,
    { resource, body, health, signal }: HttpRequest,
    unreadable: JsonReply['unreadable'],
  ): unknown {
    if (error instanceof ServiceTrouble) return error;
    if (signal?.aborted) return signal.reason;
    if (isNetworkError(error)) return new UnavailableError({ since: health.failed(), cause: error.cause });
    if (isTimeoutError(error)) return new UnavailableError({ since: health.failed() });
    if (!isHTTPError(error)) return error;
    const { status } = error.response;
    if (status === 401) return new UnauthorizedError({ refused: body ? 'login' : 'token' });
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

/** Reads a body as UTF-8; undefined if it is larger than the limit. Throws what the connection throws. */
async function readBody(body: AsyncIterable<Buffer>, budget: BodyBudget): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const reader = budget.open();
  try {
    for await (const chunk of body) {
      bytes += chunk.byteLength;
      // Leaving the loop closes the connection.
      if (bytes > maxBodyBytes) return undefined;
      await reader.take(chunk.byteLength);
      chunks.push(chunk);
    }
    return new TextDecoder().decode(Buffer.concat(chunks));
  } finally {
    reader.close();
  }
}

/** An error of either stream ends both. */
const gunzip = (body: Readable): Readable => pipeline(body, createGunzip(), () => {});

/** ky takes a TypeError for a network error, as fetch throws it. Errors of the system and of undici have a code. */
function asFetchError(error: unknown): never {
  const code = codeOf(error);
  if (code === undefined || code === 'UND_ERR_INVALID_ARG' || code === 'UND_ERR_ABORTED') throw error;
  throw new TypeError('fetch failed', { cause: error });
}

/** Milliseconds from `nowMs`, at most an hour. RFC 9110, 10.2.3: the header has seconds, or an HTTP date. */
export function retryAfterMs(header: string | null, nowMs: number): number | undefined {
  if (header === null) return undefined;
  const value = header.trim();
  if (/^\d+$/.test(value)) return Math.min(maxRetryAfterMs, Number(value) * 1000);
  if (!/^[A-Za-z]{3}.*\d{2}:\d{2}:\d{2}/.test(value)) return undefined;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.min(maxRetryAfterMs, Math.max(0, at - nowMs));
}

const searchedCharacters = 20_000;
const shownCharacters = 200;

/**
 * Makes the excerpt of an answer that an error may hold: the first 200 characters, after removing the given secrets (also
 * in the encodings of JSON and URLs), every token after `Bearer`, and everything that looks like a JWT.
 */
export function redact(text: string, secrets: readonly string[]): string {
  // The longest first, since one secret may contain another.
  const encodedSecrets = secrets
    .filter((secret) => secret !== '')
    .flatMap((secret) => [
      secret,
      JSON.stringify(secret).slice(1, -1),
      encodeURIComponent(secret.toWellFormed()),
    ])
    .sort((a, b) => b.length - a.length);
  return encodedSecrets
    .reduce((rest, secret) => rest.replaceAll(secret, '[secret]'), text.slice(0, searchedCharacters))
    .replace(/\bBearer\s+[^\s"'<>]+/gi, 'Bearer [secret]')
    .replace(/\beyJ[\w-]{5,}(?:\.[\w-]+){1,4}/g, '[secret]')
    .slice(0, shownCharacters);
}

export type BodyBudget = ReturnType<typeof createBodyBudget>;

/**
 * Bounds the bytes of all bodies that are being read at the same time. A body waits for others to end before it goes
 * beyond the bound; the oldest never waits, so there is always one that ends.
 */
export function createBodyBudget({ maxBytes = 32 * 1024 * 1024 } = {}) {
  const readers = new Set<object>();
  let bytesInFlight = 0;
  let ended = Promise.withResolvers<void>();

  return {
    bytesInFlight: () => bytesInFlight,
    /** For one body. To be closed when the body has been read, or has failed. */
    open() {
      const reader = {};
      let ownBytes = 0;
      readers.add(reader);
      const isOldest = () => readers.values().next().value === reader;
      return {
        async take(bytes: number): Promise<void> {
          while (bytesInFlight + bytes > maxBytes && !isOldest()) await ended.promise;
          bytesInFlight += bytes;
          ownBytes += bytes;
        },
        close(): void {
          readers.delete(reader);
          bytesInFlight -= ownBytes;
          ended.resolve();
          ended = Promise.withResolvers();
        },
      };
    },
  };
}

export type ServiceHealth = ReturnType<typeof createServiceHealth>;

/** When the service last answered, and since when it has been failing, on the domain clock. */
export function createServiceHealth({ now }: { now: () => Date }) {
  let status: Pick<ServiceStatus, 'lastSuccessAt' | 'failingSince' | 'latencyMs'> = {};
  return {
    succeeded(latencyMs: number) {
      status = { lastSuccessAt: now(), latencyMs };
    },
    /** The service refused the request or asked us to wait: not a success, but the service is up. */
    answered() {
      delete status.failingSince;
    },
    /** Records a failure; returns since when the service has been failing. */
    failed(): Date {
      status.failingSince ??= now();
      return status.failingSince;
    },
    status: () => ({ ...status }),
  };
}
