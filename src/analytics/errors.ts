import { ServiceTrouble } from '../errors.ts';

/** Few accounts include it. */
export const betaResource = 'trade lane statistics';

/**
 * The service refused the login, or a token it had just issued. Does not cover an account that is logged in
 * but may not use a part of the service (ForbiddenError).
 */
export class UnauthorizedError extends ServiceTrouble {
  override readonly name = 'UnauthorizedError';
  readonly refused: 'login' | 'token';

  constructor({ refused, retryAfterMs }: { refused: 'login' | 'token'; retryAfterMs?: number }) {
    super(
      refused === 'login'
        ? "The service refused the account's login"
        : 'The service refused a token it had just issued',
      { code: 'unauthorized', retryAfterMs },
    );
    this.refused = refused;
  }
}

/**
 * The account may not use this part of the service: trade lane statistics are a beta with few users.
 * Does not cover a refused login or an expired token.
 */
export class ForbiddenError extends ServiceTrouble {
  override readonly name = 'ForbiddenError';
  readonly resource: string;

  constructor({ resource }: { resource: string }) {
    const isBeta = resource === betaResource;
    super(`The account has no access to ${resource}`, { code: 'forbidden', status: 403, isBeta });
    this.resource = resource;
  }
}

/**
 * 404 or 422. Requests for predictions never throw it: an unknown vessel or port gives an empty answer.
 * Does not cover a wrong base address: then the login throws UnreadableResponseError.
 */
export class NotFoundError extends ServiceTrouble {
  override readonly name = 'NotFoundError';

  constructor({ status }: { status: number }) {
    super(`The service knows nothing under this name (status ${status})`, { code: 'not-found', status });
  }
}

/** 429, after the retries that fit into the deadline. Does not cover requests that wait in our own queue. */
export class RateLimitedError extends ServiceTrouble {
  override readonly name = 'RateLimitedError';
  /** `login` if the login was refused; undefined if the request was held back because of an earlier 429. */
  readonly resource: string | undefined;

  /** `retryAfterMs` comes from the `Retry-After` header; undefined without a readable header. */
  constructor({ retryAfterMs, resource }: { retryAfterMs?: number | undefined; resource?: string } = {}) {
    super('The service asks for fewer requests (status 429)', { code: 'rate-limited', retryAfterMs });
    this.resource = resource;
  }
}

/** No answer in time: network, 408, 5xx, or the deadline. Does not cover an answer that can't be read. */
export class UnavailableError extends ServiceTrouble {
  override readonly name = 'UnavailableError';

  constructor({ since, status, cause }: { since: Date; status?: number; cause?: unknown }) {
    const suffix = status === undefined ? '' : ` (status ${status})`;
    super(`The service does not answer${suffix}`, { code: 'unavailable', since, status, cause });
  }
}

/**
 * An answer that breaks the contract: HTML, truncated JSON, a wrong envelope, over 4 MB, an unexpected
 * status. Does not cover single bad records, which are dropped and counted.
 */
export class UnreadableResponseError extends ServiceTrouble {
  override readonly name = 'UnreadableResponseError';
  readonly contentType: string;
  /** The first 200 characters without secrets; empty for a login. */
  readonly excerpt: string;

  constructor(details: { status: number; contentType: string; excerpt: string; reason: string }) {
    const { status, contentType, excerpt, reason } = details;
    super(`The service sent something unreadable (status ${status}): ${reason}`, {
      code: 'unreadable',
      status,
    });
    this.contentType = contentType;
    this.excerpt = excerpt;
  }
}
