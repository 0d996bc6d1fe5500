import { LRUCache } from 'lru-cache';

export type Refreshes = ReturnType<typeof createRefreshes>;

export function createRefreshes({ realNow }: { realNow: () => number }) {
  const claimedAt = new LRUCache<string, number>({
    max: 5_000,
    ttl: 60_000,
    ttlResolution: 0,
    perf: { now: realNow },
  });
  return {
    /** May this line ask the service again? Once a minute, whoever clicks. `agoMs`: the time since the last refresh. */
    claim(line: string): { granted: true } | { granted: false; agoMs: number } {
      const at = claimedAt.get(line);
      if (at !== undefined) return { granted: false, agoMs: realNow() - at };
      claimedAt.set(line, realNow());
      return { granted: true };
    },
    /** After a failed refresh the next one need not wait. */
    release: (line: string) => void claimedAt.delete(line),
  };
}
