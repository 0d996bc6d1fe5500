import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { ServiceStatus } from './answers.ts';
import { UnauthorizedError, UnavailableError } from './errors.ts';
import { type AnalyticsLogger, silentLogger } from './logger.ts';
import type { ServiceHealth } from './service-health.ts';
import { expiryOf, isDue, isExpired } from './token-lifetime.ts';
import type { LoginRefusal, StoredToken, TokenRecord, TokenStore } from './token-store.ts';

export interface TokenManagerOptions {
  /** One POST. Throws UnauthorizedError when the account is refused. */
  login: () => Promise<string>;
  /** A tag of the credentials: a record of other credentials is not used, neither token nor refusal. */
  credential: string;
  store: TokenStore;
  health: Pick<ServiceHealth, 'failed'>;
  /** Milliseconds on the real clock. */
  realNow?: () => number;
  wait?: (ms: number) => Promise<unknown>;
  /** Names this process in the lease. */
  holder?: string;
  logger?: AnalyticsLogger;
}

export interface TokenManager {
  /** A token that should be good. Throws UnauthorizedError while the login's refusal is remembered. */
  get(): Promise<string>;
  /** After a 401: forgets this token, and no other that may have come since. */
  discard(token: string): Promise<void>;
  status(): ServiceStatus['token'];
}

const leaseTtlMs = 30_000;
const leasePollMs = 200;
const firstBackOffMs = 60_000;
const maxBackOffMs = 15 * 60_000;

/** One login per credential, however many ask: single flight here, a lease in the store among processes. */
export function createTokenManager(options: TokenManagerOptions): TokenManager {
  const { login, credential, store, health, logger = silentLogger } = options;
  const { realNow = Date.now, wait = delay, holder = randomUUID() } = options;
  let current: StoredToken | undefined;
  let refusal: LoginRefusal | undefined;
  let lastDiscarded: string | undefined;
  let renewing: Promise<StoredToken> | undefined;

  function renew(): Promise<StoredToken> {
    renewing ??= obtain().finally(() => {
      renewing = undefined;
    });
    return renewing;
  }

  async function obtain(): Promise<StoredToken> {
    // A lease ends by itself, so this many tries outlive any holder.
    for (let tries = 0; tries <= leaseTtlMs / leasePollMs; tries += 1) {
      throwIfRefused();
      const shared = await readShared();
      if (shared) return adopt(shared);
      if (await store.acquireLease({ holder, ttlMs: leaseTtlMs })) return loginUnderLease();
      await wait(leasePollMs);
    }
    throw new UnavailableError({ since: health.failed() });
  }

  async function loginUnderLease(): Promise<StoredToken> {
    try {
      // Somebody may have logged in between our look and our lease.
      const shared = await readShared();
      if (shared) return adopt(shared);
      const token = await login();
      const obtainedAt = realNow();
      const obtained: StoredToken = { token, obtainedAt, expiresAt: expiryOf(token, obtainedAt) };
      await store.write({ credential, token: obtained });
      logger.info({ expiresAt: obtained.expiresAt }, 'logged in at the analytics service');
      return adopt(obtained);
    } catch (error) {
      if (error instanceof UnauthorizedError) throw await rememberRefusal(error);
      throw error;
    } finally {
      await store.releaseLease(holder);
    }
  }

  /** The token that another process got, when it is one to begin with. */
  async function readShared(): Promise<StoredToken | undefined> {
    const record = await ownRecord();
    refusal = record?.refusal;
    throwIfRefused();
    const token = record?.token;
    if (!token || token.token === lastDiscarded || isDue(token, realNow())) return undefined;
    return token;
  }

  async function ownRecord(): Promise<TokenRecord | undefined> {
    const record = await store.read();
    return record?.credential === credential ? record : undefined;
  }

  async function rememberRefusal(error: UnauthorizedError): Promise<UnauthorizedError> {
    if (error.retryAfterMs !== undefined) return error;
    const times = (refusal?.times ?? 0) + 1;
    const backOffMs = Math.min(maxBackOffMs, firstBackOffMs * 2 ** (times - 1));
    refusal = { until: realNow() + backOffMs, times };
    // Only refreshed ahead: the token in use stays good until its end.
    await store.write({ credential, refusal, token: current });
    logger.warn({ times, backOffMs }, 'the analytics service refused the login');
    return new UnauthorizedError({ refused: 'login', retryAfterMs: backOffMs });
  }

  function throwIfRefused(): void {
    const retryAfterMs = (refusal?.until ?? 0) - realNow();
    if (retryAfterMs > 0) throw new UnauthorizedError({ refused: 'login', retryAfterMs });
  }

  function adopt(token: StoredToken): StoredToken {
    current = token;
    refusal = undefined;
    return token;
  }

  return {
    async get() {
      if (!current || isExpired(current, realNow())) return (await renew()).token;
      // The one in use is good until its end, so nobody waits for this.
      if (isDue(current, realNow())) renew().catch(() => {});
      return current.token;
    },
    async discard(token) {
      if (current?.token === token) {
        current = undefined;
        lastDiscarded = token;
      }
      await store.discard(token);
    },
    status() {
      const live = current && !isExpired(current, realNow()) ? current : undefined;
      return {
        state: live ? 'live' : refusal ? 'refused' : 'none',
        ...(live && { obtainedAt: new Date(live.obtainedAt) }),
        ...(live?.expiresAt !== undefined && { expiresAt: new Date(live.expiresAt) }),
      };
    },
  };
}
