import { messageOf } from '../errors.ts';
import type { Logger } from '../log.ts';

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
