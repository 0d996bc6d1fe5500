export type AnalyticsErrorCode =
  | 'unauthorized'
  | 'forbidden'
  | 'not-found'
  | 'rate-limited'
  | 'unavailable'
  | 'unreadable';

/** Service trouble. Told apart by `code` where a class can't be imported. Never holds a secret. */
export abstract class AnalyticsError extends Error {
  abstract readonly code: AnalyticsErrorCode;
}

/** All of them, for exhaustive switches over `code`. */
export type AnalyticsFailure =
  | UnauthorizedError
  | ForbiddenError
  | NotFoundError
  | RateLimitedError
  | UnavailableError
  | UnreadableResponseError;

/**
 * The login was refused, or a new token was. Does not cover an account that is logged in but may not
 * use a part of the service (ForbiddenError).
 */
export class UnauthorizedError extends AnalyticsError {
  override readonly name = 'UnauthorizedError';
  override readonly code = 'unauthorized';
  readonly refused: 'login' | 'token';
  /** Until then no login is tried, counted from when this error came to be. */
  readonly retryAfterMs: number | undefined;

  constructor({ refused, retryAfterMs }: { refused: 'login' | 'token'; retryAfterMs?: number }) {
    super(
      refused === 'login'
        ? "The service refused the account's login"
        : 'The service refused a token it had just issued',
    );
    this.refused = refused;
    this.retryAfterMs = retryAfterMs;
  }
}

/**
 * The account may not use this part of the service: trade lane statistics are a beta of few users.
 * Does not cover a refused login or an expired token.
 */
export class ForbiddenError extends AnalyticsError {
  override readonly name = 'ForbiddenError';
  override readonly code = 'forbidden';
  readonly resource: string;

  constructor({ resource }: { resource: string }) {
    super(`The account has no access to ${resource}`);
    this.resource = resource;
  }
}

/**
 * 404 or 422. Prediction calls never throw it: there, what is unknown is an empty answer. Does not cover
 * a wrong base address (UnreadableResponseError, at login).
 */
export class NotFoundError extends AnalyticsError {
  override readonly name = 'NotFoundError';
  override readonly code = 'not-found';
  readonly status: number;

  constructor({ status }: { status: number }) {
    super(`The service knows nothing under this name (status ${status})`);
    this.status = status;
  }
}

/** 429, after the retries that fit into the deadline. Does not cover calls that wait in our own queue. */
export class RateLimitedError extends AnalyticsError {
  override readonly name = 'RateLimitedError';
  override readonly code = 'rate-limited';
  /** From the `Retry-After` header; undefined where the service gave none that can be read. */
  readonly retryAfterMs: number | undefined;
  /** What was asked: a login is not repeated, a question is. */
  readonly resource: string | undefined;

  constructor({ retryAfterMs, resource }: { retryAfterMs?: number | undefined; resource?: string } = {}) {
    super('The service asks for fewer calls (status 429)');
    this.retryAfterMs = retryAfterMs;
    this.resource = resource;
  }
}

/** No answer in time: network, 408, 5xx, or the deadline. Does not cover an answer that makes no sense. */
export class UnavailableError extends AnalyticsError {
  override readonly name = 'UnavailableError';
  override readonly code = 'unavailable';
  /** Since when the service fails, on the domain clock. */
  readonly since: Date;
  readonly status: number | undefined;

  constructor({ since, status, cause }: { since: Date; status?: number; cause?: unknown }) {
    super(
      status === undefined ? 'The service does not answer' : `The service does not answer (status ${status})`,
      cause === undefined ? undefined : { cause },
    );
    this.since = since;
    this.status = status;
  }
}

/**
 * An answer came, but not one of the contract: HTML, cut JSON, a wrong envelope, over 20 MB, an unexpected
 * status. Does not cover single bad records: those are dropped and counted.
 */
export class UnreadableResponseError extends AnalyticsError {
  override readonly name = 'UnreadableResponseError';
  override readonly code = 'unreadable';
  readonly status: number;
  readonly contentType: string;
  /** The first 200 characters, secrets removed; nothing of a login's answer. */
  readonly excerpt: string;

  constructor(details: { status: number; contentType: string; excerpt: string; reason: string }) {
    super(`The service sent something unreadable (status ${details.status}): ${details.reason}`);
    this.status = details.status;
    this.contentType = details.contentType;
    this.excerpt = details.excerpt;
  }
}
