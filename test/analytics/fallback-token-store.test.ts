import { expect, test } from 'vitest';
import { createFallbackTokenStore } from '../../src/analytics/fallback-token-store.ts';
import { silentLogger } from '../../src/analytics/logger.ts';
import { createMemoryTokenStore, type TokenStore } from '../../src/analytics/token-store.ts';

const record = { credential: 'c', token: { token: 't1', obtainedAt: 0 } };
const lease = { holder: 'me', ttlMs: 1_000 };

function setup() {
  let gone = false;
  const kept = createMemoryTokenStore();
  const refuse = async () => {
    throw new Error('connect ECONNREFUSED');
  };
  const main: TokenStore = {
    read: () => (gone ? refuse() : kept.read()),
    write: (value) => (gone ? refuse() : kept.write(value)),
    discard: (token) => (gone ? refuse() : kept.discard(token)),
    acquireLease: (wanted) => (gone ? refuse() : kept.acquireLease(wanted)),
    releaseLease: (holder) => (gone ? refuse() : kept.releaseLease(holder)),
  };
  const store = createFallbackTokenStore({ main, spare: createMemoryTokenStore(), logger: silentLogger });
  return {
    kept,
    store,
    setGone(value: boolean) {
      gone = value;
    },
  };
}

test('while the store is there it alone counts: a token of another process is seen, a lease of another holds', async () => {
  const { kept, store } = setup();
  await kept.write(record);
  await kept.acquireLease({ holder: 'another', ttlMs: 1_000 });
  expect(await store.read()).toEqual(record);
  expect(await store.acquireLease(lease)).toBe(false);
  await store.discard('t1');
  expect((await kept.read())?.token).toBeUndefined();
});

test('while it is gone the last token is still known, and somebody may log in', async () => {
  const { store, setGone } = setup();
  await store.write(record);
  setGone(true);
  expect(await store.read()).toEqual(record);
  expect(await store.acquireLease(lease)).toBe(true);
  await store.write({ ...record, token: { token: 't2', obtainedAt: 1 } });
  await store.releaseLease('me');
  expect((await store.read())?.token?.token).toBe('t2');
});

test('when it is back it counts again', async () => {
  const { kept, store, setGone } = setup();
  setGone(true);
  await store.write(record);
  setGone(false);
  expect(await store.read()).toBeUndefined();
  await store.write(record);
  expect(await kept.read()).toEqual(record);
});
