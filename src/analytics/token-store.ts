/** Times are milliseconds on the real clock. */
export interface StoredToken {
  token: string;
  obtainedAt: number;
  /** Undefined where the token does not say. */
  expiresAt?: number | undefined;
}

export interface LoginRefusal {
  /** No login is tried before this time. */
  until: number;
  /** Refusals in a row. */
  times: number;
}

export interface TokenRecord {
  /** A tag of the credentials that the record belongs to; it reveals none of them. */
  credential: string;
  token?: StoredToken | undefined;
  refusal?: LoginRefusal | undefined;
}

/**
 * Where the processes that use one account share its token. The lease says which of them logs in: it is
 * held during the HTTP call, without an open transaction, and expires after `ttlMs`.
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

/** For one process; several token managers may share it. */
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
