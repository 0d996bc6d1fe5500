import { LRUCache } from 'lru-cache';

/** A bounded cache in memory, whose entries live for `ttlMs` of the real clock; 0: for ever. */
export const createCache = <Value extends object | number | string>(
  ttlMs: number,
  { realNow, max = 5_000 }: { realNow: () => number; max?: number },
) => new LRUCache<string, Value>({ max, ttl: ttlMs, ttlResolution: 0, perf: { now: realNow } });
