import { expect, test } from 'vitest';
import { createMemoryTokenStore } from '../../src/analytics/token-store.ts';

const ttlMs = 30_000;

function setUp() {
  const clock = { ms: 1_000_000 };
  const store = createMemoryTokenStore({ realNow: () => clock.ms });
  return { clock, store, lease: (holder: string) => store.acquireLease({ holder, ttlMs }) };
}

test('one holder at a time has the lease, and may acquire it again', async () => {
  const { clock, store, lease } = setUp();
  expect(await lease('a')).toBe(true);
  expect(await lease('b')).toBe(false);
  clock.ms += 10_000;
  expect(await lease('a')).toBe(true);
  clock.ms += ttlMs - 1;
  expect(await lease('b')).toBe(false);
  clock.ms += 1;
  expect(await lease('b')).toBe(true);
  await store.releaseLease('a');
  expect(await lease('a')).toBe(false);
  await store.releaseLease('b');
  expect(await lease('a')).toBe(true);
});

test('discards only the given token, and leaves the refusal as it is', async () => {
  const { store } = setUp();
  const record = { credential: 'c', refusal: { until: 5, times: 2 }, token: { token: 't1', obtainedAt: 0 } };
  await store.discard('t1');
  expect(await store.read()).toBeUndefined();
  await store.write(record);
  await store.discard('t0');
  expect(await store.read()).toEqual(record);
  await store.discard('t1');
  expect(await store.read()).toEqual({ ...record, token: undefined });
});
