import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createCache, createMonotonicClock, createReadCache, type ReadCacheOptions } from '../src/cache.ts';

let nowMs: number;
let reads: string[];
let stored: number | undefined;
let failure: Error | undefined;
beforeEach(() => {
  nowMs = 1_000_000;
  reads = [];
  stored = 1;
  failure = undefined;
});

const cacheOf = (options: Partial<ReadCacheOptions<number | undefined>> = {}) =>
  createReadCache<number | undefined>({
    async read(key) {
      reads.push(key);
      if (failure) throw failure;
      return stored;
    },
    realNow: () => nowMs,
    ...options,
  });

describe('a cache', () => {
  test('drops an entry after its time, and what nobody has used for longest when it is full', () => {
    const cache = createCache<number>({ max: 2, ttlMs: 1_000, realNow: () => nowMs });
    cache.set('one', 1).set('two', 2);
    cache.get('one');
    cache.set('three', 3);
    expect([...cache.keys()].sort()).toEqual(['one', 'three']);
    nowMs += 1_001;
    expect(cache.get('one')).toBeUndefined();
  });

  test('counts the time that has passed since a clock rollback', () => {
    const cache = createCache<number>({ ttlMs: 1_000, realNow: () => nowMs });
    cache.set('one', 1);
    nowMs -= 3_600_000;
    expect(cache.get('one')).toBe(1);
    nowMs += 1_001;
    expect(cache.get('one')).toBeUndefined();
  });
});

test('a monotonic clock follows the real one, and goes on from where it was after a clock rollback', () => {
  let realMs = 1_000;
  const now = createMonotonicClock(() => realMs);
  const after = (ms: number) => {
    realMs += ms;
    return now();
  };
  expect([after(0), after(500), after(-3_600_000), after(500), after(3_600_000)]).toEqual([
    1_000, 1_500, 1_500, 2_000, 3_602_000,
  ]);
});

describe('a cache of what is read', () => {
  test('reads a key once for all who ask within a second, also if nothing is there', async () => {
    const cache = cacheOf();
    stored = undefined;
    expect(await Promise.all([cache.get('one'), cache.get('one'), cache.get('two')])).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    nowMs += 1_000;
    await cache.get('one');
    expect(reads).toEqual(['one', 'two']);
    nowMs += 1;
    stored = 2;
    expect(await cache.get('one')).toBe(2);
  });

  test('reads again after an error, an invalidation, and for somebody who wants it fresh', async () => {
    const cache = cacheOf();
    failure = new Error('gone');
    await expect(cache.get('one')).rejects.toThrow('gone');
    failure = undefined;
    expect(await cache.get('one')).toBe(1);
    stored = 2;
    cache.invalidate('one');
    expect(await cache.get('one')).toBe(2);
    stored = 3;
    expect(await cache.get('one', { fresh: true })).toBe(3);
    expect(await cache.get('one')).toBe(3);
  });

  test('keeps no answer of a read that began before an invalidation', async () => {
    const answers: PromiseWithResolvers<number>[] = [];
    const cache = cacheOf({
      read() {
        const answer = Promise.withResolvers<number>();
        answers.push(answer);
        return answer.promise;
      },
    });
    const before = cache.get('one');
    cache.invalidate('one');
    const after = cache.get('one');
    answers[1]?.resolve(2);
    answers[0]?.resolve(1);
    expect([await before, await after, await cache.get('one')]).toEqual([1, 2, 2]);
  });

  test('may remember a failure for a while', async () => {
    const cache = cacheOf({ failureTtlMs: 5_000 });
    failure = new Error('gone');
    await expect(cache.get('one')).rejects.toThrow('gone');
    failure = undefined;
    nowMs += 5_000;
    await expect(cache.get('one')).rejects.toThrow('gone');
    nowMs += 1;
    expect(await cache.get('one')).toBe(1);
  });

  test('weighs values that may be large', async () => {
    const cache = cacheOf({ max: 10, sizeOf: (value) => value ?? 0, ttlMs: 0 });
    stored = 4;
    await cache.get('one');
    await cache.get('two');
    await cache.get('one');
    await cache.get('three');
    reads = [];
    await cache.get('one');
    await cache.get('two');
    expect(reads).toEqual(['two']);
  });
});

describe('the last value', () => {
  const last = { serves: (error: unknown) => error instanceof Error && error.message === 'gone' };

  test('serves while reads fail, until there is another one', async () => {
    const cache = cacheOf({ last });
    await cache.get('one');
    failure = new Error('gone');
    cache.invalidate('one');
    expect([await cache.get('one'), await cache.get('one'), cache.peekLast('one')]).toEqual([1, 1, 1]);
    await expect(cache.get('two')).rejects.toThrow('gone');
    failure = undefined;
    stored = 2;
    expect(await cache.get('one')).toBe(2);
  });

  test('does not serve after an error that says that it is wrong, nor once it is forgotten or nothing is there', async () => {
    const cache = cacheOf({ last });
    for (const end of [
      async () => {
        failure = new Error('uninstalled');
        await expect(cache.get('one')).rejects.toThrow('uninstalled');
      },
      async () => cache.forget('one'),
      async () => {
        stored = undefined;
        expect(await cache.get('one')).toBeUndefined();
        nowMs += 1_001;
      },
    ]) {
      [stored, failure] = [1, undefined];
      nowMs += 1_001;
      expect(await cache.get('one')).toBe(1);
      nowMs += 1_001;
      await end();
      failure = new Error('gone');
      await expect(cache.get('one')).rejects.toThrow('gone');
    }
  });

  test('serves if a read takes too long', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const errors: unknown[] = [];
    let isSilent = false;
    const cache = cacheOf({
      read: async () => (isSilent ? await new Promise(() => {}) : 1),
      last: { maxWaitMs: 1_000, serves: (error, value, key) => errors.push([String(error), value, key]) > 0 },
    });
    await cache.get('one');
    isSilent = true;
    nowMs += 1_001;
    const late = cache.get('one');
    await vi.advanceTimersByTimeAsync(999);
    expect(errors).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(await late).toBe(1);
    expect(errors).toEqual([['Error: no answer within 1000 ms', 1, 'one']]);
  });
});
