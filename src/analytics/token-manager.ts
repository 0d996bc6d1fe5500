import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { decodeJwt } from 'jose/jwt/decode';
import { messageOf } from '../errors.ts';
import { type Logger, silentLogger } from '../log.ts';
import type { ServiceStatus } from './answers.ts';
import { UnauthorizedError, UnavailableError } from './errors.ts';
import type { ServiceHealth } from './http-transport.ts';

export interface TokenManagerOptions {
  /** One POST. Throws UnauthorizedError if the service refuses the account. */
  login: () => Promise<string>;
  /** Identifies the credentials without revealing them; stored tokens and refusals with another tag are ignored. */
  credentialTag: string;
  store: TokenStore;
  health: Pick<ServiceHealth, 'failed'>;
  /** Milliseconds on the real clock. */
  realNow?: () => number;
  wait?: (ms: number) => Promise<unknown>;
  logger?: Logger;
}

const leaseTtlMs = 30_000;
const leasePollMs = 200;
const renewalShare = 0.1;
const maxRenewalMs = 60_000;

/** One login per account, however many callers and processes ask for a token. A lease in the store decides who logs in. */
export function createTokenManager(options: TokenManagerOptions) {
  const { login, credentialTag, store, health, logger = silentLogger } = options;
  const { realNow = Date.now, wait = delay } = options;
  const holder = randomUUID();
  let current: StoredToken | undefined;
  let refusal: Refusal | undefined;
  let lastDiscarded: string | undefined;
  let renewing: Promise<StoredToken> | undefined;

  function renew(): Promise<StoredToken> {
    renewing ??= obtain().finally(() => {
      renewing = undefined;
    });
    return renewing;
  }

  async function obtain(): Promise<StoredToken> {
    // These tries last longer than any lease.
    for (let tries = 0; tries <= leaseTtlMs / leasePollMs; tries += 1) {
      checkRefusal();
      const shared = await readShared();
      if (shared) return adopt(shared);
      if (await store.acquireLease({ holder, ttlMs: leaseTtlMs })) return loginUnderLease();
      await wait(leasePollMs);
    }
    throw new UnavailableError({ since: health.failed() });
  }

  async function loginUnderLease(): Promise<StoredToken> {
    try {
      // Another process may have logged in just before we got the lease.
      const shared = await readShared();
      if (shared) return adopt(shared);
      const token = await login();
      const obtainedAt = realNow();
      const obtained: StoredToken = { token, obtainedAt, expiresAt: expiryOf(token, obtainedAt) };
      await store.write({ credential: credentialTag, token: obtained });
      logger.info({ expiresAt: obtained.expiresAt }, 'logged in at the analytics service');
      return adopt(obtained);
    } catch (error) {
      if (error instanceof UnauthorizedError) throw await rememberRefusal(error);
      throw error;
    } finally {
      await store.releaseLease(holder);
    }
  }

  /** The token that another process stored, unless it expires soon. Throws if the stored refusal is still in force. */
  async function readShared(): Promise<StoredToken | undefined> {
    const record = await store.read();
    const own = record?.credential === credentialTag ? record : undefined;
    // A record of other credentials says nothing about these.
    if (own || !record) refusal = own?.refusal;
    checkRefusal();
    const token = own?.token;
    if (!token || token.token === lastDiscarded || needsRenewal(token, realNow())) return undefined;
    return token;
  }

  async function rememberRefusal(error: UnauthorizedError): Promise<UnauthorizedError> {
    // checkRefusal threw this error, so the refusal is remembered already.
    if (error.retryAfterMs !== undefined) return error;
    refusal = nextRefusal(refusal, realNow());
    const { times, until } = refusal;
    const retryAfterMs = until - realNow();
    // The current token stays valid until it expires.
    await store.write({ credential: credentialTag, refusal, token: current });
    logger.warn({ times, backOffMs: retryAfterMs }, 'the analytics service refused the login');
    return new UnauthorizedError({ refused: 'login', retryAfterMs });
  }

  function checkRefusal(): void {
    const retryAfterMs = (refusal?.until ?? 0) - realNow();
    if (retryAfterMs > 0) throw new UnauthorizedError({ refused: 'login', retryAfterMs });
  }

  function adopt(token: StoredToken): StoredToken {
    current = token;
    refusal = undefined;
    return token;
  }

  return {
    /** A token that should be valid. Throws UnauthorizedError for a while after a refused login. */
    async get(): Promise<string> {
      if (!current || isExpired(current, realNow())) return (await renew()).token;
      // The current token is still valid, so nobody waits for the next one.
      if (needsRenewal(current, realNow())) renew().catch(() => {});
      return current.token;
    },
    /** After a 401: forgets this token, but no newer one. */
    async discard(token: string) {
      if (current?.token === token) {
        current = undefined;
        lastDiscarded = token;
      }
      await store.discard(token);
    },
    status(): ServiceStatus['token'] {
      const live = current && !isExpired(current, realNow()) ? current : undefined;
      return {
        state: live ? 'live' : refusal ? 'refused' : 'none',
        ...(live && { obtainedAt: new Date(live.obtainedAt) }),
        ...(live?.expiresAt !== undefined && { expiresAt: new Date(live.expiresAt) }),
      };
    },
  };
}

/**
 * When a new token expires, on our clock. The `exp` of a JWT is counted from its `iat` if it has one, since clocks may
 * differ. Undefined if the token does not say, or has expired already.
 */
export function expiryOf(token: string, obtainedAt: number): number | undefined {
  const { exp, iat } = readClaims(token);
  if (exp === undefined) return undefined;
  const expiresAt = iat === undefined ? exp * 1000 : obtainedAt + (exp - iat) * 1000;
  return expiresAt > obtainedAt ? expiresAt : undefined;
}

export function isExpired({ expiresAt }: StoredToken, nowMs: number): boolean {
  return expiresAt !== undefined && nowMs >= expiresAt;
}

/** True in the last tenth of the token's life, and at most a minute before its end. */
export function needsRenewal({ obtainedAt, expiresAt }: StoredToken, nowMs: number): boolean {
  if (expiresAt === undefined) return false;
  return nowMs >= expiresAt - Math.min(maxRenewalMs, (expiresAt - obtainedAt) * renewalShare);
}

/** The signature is not verified: only the service can do that. */
function readClaims(token: string): { exp?: number; iat?: number } {
  try {
    const { exp, iat } = decodeJwt(token);
    return { ...(Number.isFinite(exp) && { exp }), ...(Number.isFinite(iat) && { iat }) };
  } catch {
    return {};
  }
}

/** Times are milliseconds on the real clock. */
export interface StoredToken {
  token: string;
  obtainedAt: number;
  /** Undefined if the token does not say. */
  expiresAt?: number | undefined;
}

export interface TokenRecord {
  /** Identifies the credentials that the record belongs to without revealing them. */
  credential: string;
  token?: StoredToken | undefined;
  refusal?: Refusal | undefined;
}

/**
 * The processes that use one account share its token here. The process that holds the lease logs in: it holds the
 * lease during the HTTP request, without an open transaction, and loses it after `ttlMs`.
 */
export interface TokenStore {
  read(): Promise<TokenRecord | undefined>;
  write(record: TokenRecord): Promise<void>;
  /** Removes the token if it is still the stored one. */
  discard(token: string): Promise<void>;
  /** False while another process holds it. */
  acquireLease(lease: { holder: string; ttlMs: number }): Promise<boolean>;
  releaseLease(holder: string): Promise<void>;
}

/** For the token managers of one process. */
export function createMemoryTokenStore({ realNow = Date.now }: { realNow?: () => number } = {}): TokenStore {
  let record: TokenRecord | undefined;
  let lease: { holder: string; until: number } | undefined;
  return {
    read: async () => record,
    async write(next) {
      record = next;
    },
    async discard(token) {
      if (record?.token?.token === token) record = { ...record, token: undefined };
    },
    async acquireLease({ holder, ttlMs }) {
      if (lease && lease.holder !== holder && lease.until > realNow()) return false;
      lease = { holder, until: realNow() + ttlMs };
      return true;
    },
    async releaseLease(holder) {
      if (lease?.holder === holder) lease = undefined;
    },
  };
}

/**
 * Uses `main`, or `spare` if `main` fails: an outage of the store costs one login at most. Changes are written to
 * both, so the spare has the last token.
 */
export function createFallbackTokenStore(options: {
  main: TokenStore;
  spare: TokenStore;
  logger: Logger;
}): TokenStore {
  const { main, spare, logger } = options;

  async function mainOrSpare<Value>(ask: (store: TokenStore) => Promise<Value>): Promise<Value> {
    try {
      return await ask(main);
    } catch (error) {
      logger.warn({ reason: messageOf(error) }, 'the token store does not answer: continuing from memory');
      return await ask(spare);
    }
  }

  async function both(change: (store: TokenStore) => Promise<void>): Promise<void> {
    await change(spare);
    await mainOrSpare(change);
  }

  return {
    read: () => mainOrSpare((store) => store.read()),
    write: (record) => both((store) => store.write(record)),
    discard: (token) => both((store) => store.discard(token)),
    acquireLease: (lease) => mainOrSpare((store) => store.acquireLease(lease)),
    releaseLease: (holder) => both((store) => store.releaseLease(holder)),
  };
}

/** Nothing is tried again before `until`, in milliseconds on the real clock. */
export interface Refusal {
  until: number;
  /** Refusals in a row. */
  times: number;
}

/** A minute after the first refusal, doubled for each further one, up to 15 minutes. */
export function nextRefusal(previous: Refusal | undefined, nowMs: number): Refusal {
  const times = (previous?.times ?? 0) + 1;
  return { times, until: nowMs + Math.min(15, 2 ** (times - 1)) * 60_000 };
}
