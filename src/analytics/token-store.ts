/** Times are milliseconds on the real clock. */
export interface StoredToken {
  token: string;
  obtainedAt: number;
  /** Undefined where the token does not say. */
  expiresAt?: number | undefined;
}

export interface LoginRefusal {
  /** No login before this time. */
  until: number;
  /** How often in a row. */
  times: number;
}

export interface TokenRecord {
  /** Which credentials the record belongs to: a tag without any secret. */
  credential: string;
  token?: StoredToken | undefined;
  refusal?: LoginRefusal | undefined;
}

/**
 * Where the processes that use one account share its token. The lease says who logs in: it is held over
 * the login's HTTP, ends by itself after `ttlMs`, and no transaction is open meanwhile.
 */
export interface TokenStore {
  read(): Promise<TokenRecord | undefined>;
  write(record: TokenRecord): Promise<void>;
  /** Takes the token out if it is still that one. */
  discard(token: string): Promise<void>;
  /** False while somebody else holds it. */
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
