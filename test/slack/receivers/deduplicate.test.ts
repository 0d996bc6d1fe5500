import { describe, expect, test, vi } from 'vitest';
import { createDeduplicate } from '../../../src/slack/receivers/deduplicate.ts';

describe('deduplicate', () => {
  test('does not run a repeat, during the first run or after it', async () => {
    const once = createDeduplicate({ realNow: () => 0 });
    const gate = Promise.withResolvers<void>();
    const work = vi.fn(() => gate.promise);
    const both = Promise.all([once('a', work), once('a', work)]);
    gate.resolve();
    expect(await both).toEqual(['done', 'repeat']);
    expect(await once('a', work)).toBe('repeat');
    expect(work).toHaveBeenCalledTimes(1);
  });

  test('runs one of many repeats after a failure', async () => {
    const once = createDeduplicate({ realNow: () => 0 });
    const gate = Promise.withResolvers<void>();
    const first = once('a', () => gate.promise);
    const work = vi.fn(async () => {});
    const repeats = [once('a', work), once('a', work)];
    gate.reject(new Error('cut'));
    await expect(first).rejects.toThrow('cut');
    expect(await Promise.all(repeats)).toEqual(['done', 'repeat']);
    expect(work).toHaveBeenCalledTimes(1);
  });

  test('remembers for more than 10 minutes, within a bound', async () => {
    let now = 1;
    const once = createDeduplicate({ realNow: () => now, max: 2 });
    await once('a', async () => {});
    now += 10 * 60_000;
    expect(await once('a', async () => {})).toBe('repeat');
    await once('b', async () => {});
    await once('c', async () => {});
    expect(await once('a', async () => {})).toBe('done');
  });
});
