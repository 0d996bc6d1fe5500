import { LRUCache } from 'lru-cache';

type Claim = { granted: true } | { granted: false; agoMs: number };

export interface Refreshes {
  /** May this line ask the service again? Once a minute, whoever clicks. */
  claim(line: string): Claim;
  /** After a failed refresh: the next one need not wait. */
  release(line: string): void;
}

export function createRefreshes({ realNow }: { realNow: () => number }): Refreshes {
  const asked = new LRUCache<string, number>({
    max: 5_000,
    ttl: 60_000,
    ttlResolution: 0,
    perf: { now: realNow },
  });
  return {
    claim(line) {
      const at = asked.get(line);
      if (at !== undefined) return { granted: false, agoMs: realNow() - at };
      asked.set(line, realNow());
      return { granted: true };
    },
    release: (line) => {
      asked.delete(line);
    },
  };
}
