import { LRUCache } from 'lru-cache';

/** What was read lately, for what every command wants to know and what hardly ever changes. */
interface Recent<Value> {
  /** Read at most `keepMs` ago; a change made by another process shows after that. */
  get(key: string): Promise<Value>;
  /** To be called when this process has changed it: the next one to ask reads it. */
  changed(key: string): void;
}

export function createRecent<Value>(options: {
  read(key: string): Promise<Value>;
  /** Milliseconds of the real clock. */
  keepMs: number;
  realNow: () => number;
}): Recent<Value> {
  const { read, keepMs, realNow } = options;
  const known = new LRUCache<string, Promise<Value>>({
    max: 2_000,
    ttl: keepMs,
    ttlResolution: 0,
    perf: { now: realNow },
  });
  return {
    get(key) {
      const earlier = known.get(key);
      if (earlier) return earlier;
      const value = read(key);
      known.set(key, value);
      // A failure is nobody's answer but of those who wait for it now.
      value.catch(() => {
        if (known.peek(key) === value) known.delete(key);
      });
      return value;
    },
    changed: (key) => void known.delete(key),
  };
}
