import { UnsecuredJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { UnauthorizedError } from '../../src/analytics/errors.ts';
import { createTokenManager, type TokenManagerOptions } from '../../src/analytics/token-manager.ts';
import { createMemoryTokenStore, type TokenStore } from '../../src/analytics/token-store.ts';
import { failure, gate } from '../support/analytics-harness.ts';

const startMs = Date.parse('2026-11-21T08:00:00Z');
const minuteMs = 60_000;

const refuse = async () => {
  throw new UnauthorizedError({ refused: 'login' });
};

/** Several managers, as in several processes, share a store and a clock; waiting moves the clock. */
function setUp() {
  const clock = { ms: startMs };
  const realNow = () => clock.ms;
  const store = createMemoryTokenStore({ realNow });
  const counts = { logins: 0, reads: 0 };
  const counted: TokenStore = {
    ...store,
    read() {
      counts.reads += 1;
      return store.read();
    },
  };
  const manager = (options: Partial<TokenManagerOptions> = {}) =>
    createTokenManager({
      login: async () => {
        counts.logins += 1;
        const { ms } = clock;
        return new UnsecuredJWT({
          jti: String(counts.logins),
          iat: ms / 1000,
          exp: ms / 1000 + 3600,
        }).encode();
      },
      credentialTag: 'one',
      store: counted,
      health: { failed: () => new Date(startMs) },
      realNow,
      wait: async (ms) => {
        clock.ms += ms;
      },
      ...options,
    });
  return { clock, store, counts, manager };
}

describe('a token that another process stored', () => {
  test('is used even while somebody holds the lease for a renewal', async () => {
    const { clock, store, counts, manager } = setUp();
    const token = await manager().get();
    await store.acquireLease({ holder: 'another', ttlMs: 30_000 });
    expect(await manager().get()).toBe(token);
    expect(clock.ms).toBe(startMs);
    expect(counts.logins).toBe(1);
  });

  test('is ignored with other credentials, and so is a refusal', async () => {
    const { counts, manager } = setUp();
    const token = await manager().get();
    const other = manager({ credentialTag: 'two' });
    expect(await other.get()).not.toBe(token);
    expect(counts.logins).toBe(2);

    await failure(manager({ credentialTag: 'three', login: refuse }).get());
    await manager({ credentialTag: 'four' }).get();
    expect(counts.logins).toBe(3);
  });

  test('does not end the wait of others whose password was refused', async () => {
    const { clock, store, manager } = setUp();
    let attempts = 0;
    const wrong = manager({
      credentialTag: 'wrong',
      login() {
        attempts += 1;
        return refuse();
      },
    });
    for (const minutes of [1, 2, 4]) {
      expect(await failure(wrong.get())).toMatchObject({ retryAfterMs: minutes * 60_000 });
      // The right password is used meanwhile.
      await store.write({ credential: 'one', token: { token: 'right', obtainedAt: clock.ms } });
      clock.ms += minutes * 60_000 - 1;
      await failure(wrong.get());
      clock.ms += 1;
    }
    expect(attempts).toBe(3);
  });

  test('is gone when one process discards it', async () => {
    const { store, counts, manager } = setUp();
    const first = manager();
    const token = await first.get();
    await first.discard(token);
    expect((await store.read())?.token).toBeUndefined();
    expect(await manager().get()).not.toBe(token);
    expect(counts.logins).toBe(2);
  });
});

test('a login that hangs holds up the others for 30 s', async () => {
  const { clock, counts, manager } = setUp();
  const begun = gate();
  const hanging = manager({
    login: () => {
      begun.open();
      return new Promise(() => {});
    },
  });
  void hanging.get();
  await begun.opened;
  await manager().get();
  expect(counts.logins).toBe(1);
  expect(clock.ms - startMs).toBe(30_000);
});

test('a process that never gets the lease reports since when the service has been failing', async () => {
  const { store, manager } = setUp();
  const tokens = manager({ store: { ...store, acquireLease: async () => false } });
  expect(await failure(tokens.get())).toMatchObject({ since: new Date(startMs) });
});

describe('a refusal', () => {
  test('is counted once, by the process whose login was refused', async () => {
    const { clock, store, counts, manager } = setUp();
    const looked = gate();
    const { opened, open } = gate();
    let reads = 0;
    const late = failure(
      manager({
        store: {
          ...store,
          async read() {
            const record = await store.read();
            reads += 1;
            looked.open();
            if (reads === 1) await opened;
            return record;
          },
        },
      }).get(),
    );
    await looked.opened;
    await failure(manager({ login: refuse }).get());
    clock.ms += 10_000;
    open();
    expect(await late).toMatchObject({ refused: 'login', retryAfterMs: 50_000 });
    expect((await store.read())?.refusal).toEqual({ until: startMs + minuteMs, times: 1 });
    expect(counts.logins).toBe(0);
  });

  test('is not read from the store again while it lasts', async () => {
    const { counts, manager } = setUp();
    const tokens = manager({ login: refuse });
    await failure(tokens.get());
    const before = counts.reads;
    expect(await failure(tokens.get())).toMatchObject({ retryAfterMs: minuteMs });
    expect(counts.reads).toBe(before);
  });
});

describe('a renewal ahead of time', () => {
  test('begins with the first request in the last minute', async () => {
    const { clock, counts, manager } = setUp();
    const tokens = manager();
    const first = await tokens.get();
    clock.ms += 59 * minuteMs - 1;
    expect(await tokens.get()).toBe(first);
    await new Promise(setImmediate);
    expect(counts.logins).toBe(1);
    clock.ms += 1;
    expect(await tokens.get()).toBe(first);
    await new Promise(setImmediate);
    expect(counts.logins).toBe(2);
    expect(await tokens.get()).not.toBe(first);
  });

  test('that is refused causes no unhandled rejection, and the token stays in use', async () => {
    const { clock, manager } = setUp();
    let refused = false;
    const token = new UnsecuredJWT({ iat: startMs / 1000, exp: startMs / 1000 + 3600 }).encode();
    const tokens = manager({ login: () => (refused ? refuse() : Promise.resolve(token)) });
    await tokens.get();
    refused = true;
    clock.ms += 59 * minuteMs;
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => unhandled.push(reason);
    process.on('unhandledRejection', note);
    expect(await tokens.get()).toBe(token);
    await new Promise(setImmediate);
    process.off('unhandledRejection', note);
    expect(unhandled).toEqual([]);
  });
});

test('the status follows the token: none, live, expired, refused', async () => {
  const { clock, manager } = setUp();
  let refused = true;
  const token = new UnsecuredJWT({ iat: startMs / 1000 + 60, exp: startMs / 1000 + 3660 }).encode();
  const tokens = manager({ login: () => (refused ? refuse() : Promise.resolve(token)) });
  expect(tokens.status()).toEqual({ state: 'none' });
  await failure(tokens.get());
  expect(tokens.status()).toEqual({ state: 'refused' });
  refused = false;
  clock.ms += minuteMs;
  await tokens.get();
  const obtainedAt = new Date(clock.ms);
  clock.ms += 60 * minuteMs - 1;
  expect(tokens.status()).toEqual({ state: 'live', obtainedAt, expiresAt: new Date(clock.ms + 1) });
  clock.ms += 1;
  expect(tokens.status()).toEqual({ state: 'none' });
});
