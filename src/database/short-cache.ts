import { LRUCache } from 'lru-cache';

const maxAgeMs = 1_000;

/** A short-lived cache for values that every command needs and that hardly ever change. */
export function createShortCache<Value>({
  read,
  realNow,
}: {
  read: (key: string) => Promise<Value>;
  realNow: () => number;
}) {
  const cache = new LRUCache<string, Promise<Value>>({
    // With `max`, it would take memory for all entries at once, and each workspace has several caches.
    maxSize: 2_000,
    sizeCalculation: () => 1,
    ttl: maxAgeMs,
    ttlResolution: 0,
    perf: { now: realNow },
  });
  return {
    /** At most a second old, so a change made by another process shows after a second. */
    get(key: string): Promise<Value> {
      const earlier = cache.get(key);
      if (earlier) return earlier;
      const value = read(key);
      cache.set(key, value);
      // An error is not cached: the next `get` reads again.
      value.catch(() => {
        if (cache.peek(key) === value) cache.delete(key);
      });
      return value;
    },
    /** Call after this process has changed the value: the next `get` reads it again. */
    invalidate: (key: string) => void cache.delete(key),
  };
}
