import { LRUCache } from 'lru-cache';

/**
 * A bounded cache in memory, whose entries live for `ttlMs` of the real clock; 0: for ever. An entry counts as one, unless
 * it is set with a `size`. With `max`, LRUCache would take memory for all entries at once, and each workspace has several.
 */
export const createCache = <Value extends object | number | string>(
  ttlMs: number,
  { realNow, max = 5_000 }: { realNow: () => number; max?: number },
) =>
  new LRUCache<string, Value>({
    maxSize: max,
    sizeCalculation: () => 1,
    ttl: ttlMs,
    ttlResolution: 0,
    perf: { now: realNow },
  });
