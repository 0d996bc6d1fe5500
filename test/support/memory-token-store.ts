import type { TokenRecord, TokenStore } from '../../src/analytics/token-manager.ts';

/** Shared by the token managers of a test. */
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
