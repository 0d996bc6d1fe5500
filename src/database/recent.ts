import { LRUCache } from 'lru-cache';

/** A short-lived cache for values that every command needs and that hardly ever change. */
interface Recent<Value> {
  /** At most `maxAgeMs` old, so a change made by another process shows after that time. */
  get(key: string): Promise<Value>;
  /** Call after this process has changed the value: the next `get` reads it again. */
  changed(key: string): void;
}

export function createRecent<Value>(options: {
  read(key: string): Promise<Value>;
  maxAgeMs: number;
  realNow: () => number;
}): Recent<Value> {
  const { read, maxAgeMs, realNow } = options;
  const known = new LRUCache<string, Promise<Value>>({
    max: 2_000,
    ttl: maxAgeMs,
    ttlResolution: 0,
    perf: { now: realNow },
  });
  return {
    get(key) {
      const earlier = known.get(key);
      if (earlier) return earlier;
      const value = read(key);
      known.set(key, value);
      // Only those who wait now get the error; the next `get` reads again.
      value.catch(() => {
        if (known.peek(key) === value) known.delete(key);
      });
      return value;
    },
    changed: (key) => void known.delete(key),
  };
}
