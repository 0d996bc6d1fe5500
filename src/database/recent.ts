import { LRUCache } from 'lru-cache';

/** A short-lived cache for values that every command needs and that hardly ever change. */
export function createRecent<Value>(options: {
  read(key: string): Promise<Value>;
  /** Milliseconds of the real clock. */
  maxAgeMs: number;
  realNow: () => number;
}) {
  const { read, maxAgeMs, realNow } = options;
  const recent = new LRUCache<string, Promise<Value>>({
    max: 2_000,
    ttl: maxAgeMs,
    ttlResolution: 0,
    perf: { now: realNow },
  });
  return {
    /** At most `maxAgeMs` old, so a change made by another process shows after that time. */
    get(key: string): Promise<Value> {
      const earlier = recent.get(key);
      if (earlier) return earlier;
      const value = read(key);
      recent.set(key, value);
      // Only those who wait now get the error; the next `get` reads again.
      value.catch(() => {
        if (recent.peek(key) === value) recent.delete(key);
      });
      return value;
    },
    /** Call after this process has changed the value: the next `get` reads it again. */
    changed: (key: string) => void recent.delete(key),
  };
}
