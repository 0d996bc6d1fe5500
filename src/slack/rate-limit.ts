import { createCache, createMonotonicClock } from '../cache.ts';

export type RateLimit = ReturnType<typeof createRateLimit>;

/**
 * A token bucket for each key: `max` at once, then `perMinute` on average. Returns a function that takes one, and says
 * whether there was one.
 */
export function createRateLimit({
  max,
  perMinute,
  realNow,
}: {
  max: number;
  perMinute: number;
  realNow: () => number;
}): (key: string) => boolean {
  const perMs = perMinute / 60_000;
  const now = createMonotonicClock(realNow);
  // After its ttl a bucket is full again, and needs no entry.
  const buckets = createCache<{ left: number; at: number }>({ ttlMs: Math.ceil(max / perMs), realNow: now });

  return (key) => {
    const at = now();
    const bucket = buckets.get(key) ?? { left: max, at };
    const left = Math.min(max, bucket.left + (at - bucket.at) * perMs);
    const isAllowed = left >= 1;
    buckets.set(key, { left: isAllowed ? left - 1 : left, at });
    return isAllowed;
  };
}
