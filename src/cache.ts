import { LRUCache } from 'lru-cache';

const defaultMax = 5_000;

interface CacheOptions<Value> {
  /** The number of entries; with `sizeOf`, the size of all of them. */
  max?: number;
  sizeOf?(value: Value, key: string): number;
  /** How long an entry counts that is set without a `ttl`; 0: for ever. */
  ttlMs?: number;
  realNow?: () => number;
  /** Called with an entry that is replaced, deleted or dropped. */
  dispose?(value: Value): void;
}

/** A bounded map in memory. When it is full, the entry that nobody has used for longest is dropped. */
export const createCache = <Value extends object | number | string>({
  max = defaultMax,
  sizeOf = () => 1,
  ttlMs = 0,
  realNow = Date.now,
  dispose,
}: CacheOptions<Value>) =>
  new LRUCache<string, Value>({
    // With `max`, LRUCache would take memory for all entries at once, and each workspace has several caches.
    maxSize: max,
    sizeCalculation: sizeOf,
    ttl: ttlMs,
    ttlResolution: 0,
    perf: { now: createMonotonicClock(realNow) },
    ...(dispose && { dispose }),
  });

export interface ReadCacheOptions<Value> {
  read(key: string): Promise<Value>;
  /** Counts from the start of a read; 0: for ever. Default: a second, so a change by another process shows after one. */
  ttlMs?: number;
  /** How long a failure counts. Default: not at all, so the next `get` reads again. */
  failureTtlMs?: number;
  realNow: () => number;
  max?: number;
  /** For values that may be large; `max` is the size of all of them. */
  sizeOf?(value: Value): number;
  /** Keeps the last value of each key, for a read that fails, or takes longer than `maxWaitMs`. */
  last?: {
    /** May it serve in spite of this error? If not, it is dropped. */
    serves(error: unknown, value: NonNullable<Value>, key: string): boolean;
    maxWaitMs?: number;
  };
}

/**
 * Values that are read when somebody asks for them; those who ask at the same time share one read. LRUCache's own `fetch`
 * does not fit: it caches no `undefined`, and fails those who wait when their key is deleted.
 */
export function createReadCache<Value>({
  read,
  ttlMs = 1_000,
  failureTtlMs = 0,
  realNow,
  max = defaultMax,
  sizeOf,
  last,
}: ReadCacheOptions<Value>) {
  const reads = createCache<Promise<Value>>({ max, ttlMs, realNow });
  const lastRead = last && createCache<{ value: NonNullable<Value>; reading: Promise<Value> }>({ max });

  function store(key: string, reading: Promise<Value>): Promise<Value> {
    reads.set(key, reading);
    const isCurrent = () => reads.peek(key) === reading;
    reading.then(
      (value) => {
        lastRead?.set(key, value == null ? undefined : { value, reading });
        // LRUCache weighs an entry only when another value is set.
        if (sizeOf && isCurrent())
          reads.set(key, Promise.resolve(value), { size: 1 + sizeOf(value), noUpdateTTL: true });
      },
      () => {
        if (!isCurrent()) return;
        if (failureTtlMs > 0) reads.set(key, reading, { ttl: failureTtlMs });
        else reads.delete(key);
      },
    );
    return reading;
  }

  async function orLast(
    key: string,
    { reading, known }: { reading: Promise<Value>; known: NonNullable<Value> },
    { serves, maxWaitMs }: NonNullable<ReadCacheOptions<Value>['last']>,
  ): Promise<Value> {
    const late = () => {
      throw new Error(`no answer within ${maxWaitMs} ms`);
    };
    try {
      return await (maxWaitMs === undefined ? reading : within(reading, maxWaitMs, late));
    } catch (error) {
      if (serves(error, known, key)) return known;
      lastRead?.delete(key);
      throw error;
    }
  }

  return {
    /** `fresh` reads again, for those who ask next too. */
    get(key: string, options?: { fresh: boolean }): Promise<Value> {
      const reading = (options?.fresh ? undefined : reads.get(key)) ?? store(key, read(key));
      const known = lastRead?.get(key);
      // The read has brought a value, so no earlier one has to stand in for it.
      if (!last || !known || known.reading === reading) return reading;
      return orLast(key, { reading, known: known.value }, last);
    },
    /** What was read last, however long ago; undefined unless `last` is set. */
    peekLast: (key: string): Value | undefined => lastRead?.get(key)?.value,
    /** What is being read, or was; undefined if it counts no longer. */
    peek: (key: string): Promise<Value> | undefined => reads.peek(key),
    /** Call if the value of a key is known without a read. */
    set: (key: string, value: Promise<Value>) => void store(key, value),
    /** Call after this process has changed the value: the next `get` reads it again. */
    invalidate: (key: string) => void reads.delete(key),
    /** As `invalidate`; the last value does not serve any more either. */
    forget(key: string): void {
      reads.delete(key);
      lastRead?.delete(key);
    },
  };
}

/**
 * Milliseconds for durations, derived from the real clock. It goes on from where it was when somebody sets the real clock
 * back, so what was to last a minute still does. Not for dates: after a clock rollback it is ahead of the real clock.
 */
export function createMonotonicClock(realNow: () => number): () => number {
  let seen = realNow();
  let at = seen;
  return () => {
    const now = realNow();
    at += Math.max(0, now - seen);
    seen = now;
    return at;
  };
}

/** Awaits the promise for at most `ms`, then resolves to what `late` returns. The promise must settle on its own. */
export async function within<T, Late>(promise: Promise<T>, ms: number, late: () => Late): Promise<T | Late> {
  const { promise: end, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  try {
    return await Promise.race([promise, end.then(late)]);
  } finally {
    clearTimeout(timer);
  }
}
