import { expect, test } from 'vitest';

import {
  createFallbackTokenStore,
  createMemoryTokenStore,
  type TokenStore,
} from '../../src/analytics/token-manager.ts';
import { silentLogger } from '../../src/log.ts';

const record = { credential: 'c', token: { token: 't1', obtainedAt: 0 } };
const lease = { holder: 'me', ttlMs: 1_000 };

function setup() {
  let isDown = false;
  const warnings: unknown[] = [];
  const logger = { ...silentLogger, warn: (...warning: unknown[]) => void warnings.push(warning) };
  const shared = createMemoryTokenStore();
  const refuse = async () => {
    throw new Error('connect ECONNREFUSED');
  };
  const main: TokenStore = {
    read: () => (isDown ? refuse() : shared.read()),
    write: (value) => (isDown ? refuse() : shared.write(value)),
    discard: (token) => (isDown ? refuse() : shared.discard(token)),
    acquireLease: (wanted) => (isDown ? refuse() : shared.acquireLease(wanted)),
    releaseLease: (holder) => (isDown ? refuse() : shared.releaseLease(holder)),
  };
  const store = createFallbackTokenStore({ main, spare: createMemoryTokenStore(), logger });
  return {
    warnings,
    shared,
    store,
    setDown(value: boolean) {
      isDown = value;
    },
  };
}

test('while the main store answers, only its token and its leases count', async () => {
  const { shared, store } = setup();
  await shared.write(record);
  await shared.acquireLease({ holder: 'another', ttlMs: 1_000 });
  expect(await store.read()).toEqual(record);
  expect(await store.acquireLease(lease)).toBe(false);
  await store.discard('t1');
  expect((await shared.read())?.token).toBeUndefined();
});

test('during an outage the last token is still known, and a login is possible', async () => {
  const { store, setDown } = setup();
  await store.write(record);
  setDown(true);
  expect(await store.read()).toEqual(record);
  expect(await store.acquireLease(lease)).toBe(true);
  await store.write({ ...record, token: { token: 't2', obtainedAt: 1 } });
  await store.releaseLease('me');
  expect((await store.read())?.token?.token).toBe('t2');
});

test('after an outage the main store counts again', async () => {
  const { shared, store, setDown } = setup();
  setDown(true);
  await store.write(record);
  setDown(false);
  expect(await store.read()).toBeUndefined();
  await store.write(record);
  expect(await shared.read()).toEqual(record);
});

test('a token that was discarded while the main store answered does not come back from memory', async () => {
  const { store, setDown } = setup();
  await store.write(record);
  await store.discard('t1');
  setDown(true);
  expect((await store.read())?.token).toBeUndefined();
});

test('a lease taken during the outage ends when its holder releases it, even if the main store answers again', async () => {
  const { store, setDown } = setup();
  setDown(true);
  await store.acquireLease(lease);
  setDown(false);
  await store.releaseLease('me');
  setDown(true);
  expect(await store.acquireLease({ holder: 'another', ttlMs: 1_000 })).toBe(true);
});

test('an outage is logged with its reason', async () => {
  const { store, setDown, warnings } = setup();
  await store.read();
  expect(warnings).toEqual([]);
  setDown(true);
  await store.read();
  expect(warnings).toEqual([
    [{ reason: 'connect ECONNREFUSED' }, 'the token store does not answer: continuing from memory'],
  ]);
});
