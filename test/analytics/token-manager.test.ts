import { SignJWT, UnsecuredJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { UnauthorizedError, UnavailableError } from '../../src/analytics/errors.ts';
import {
  createTokenManager,
  expiryOf,
  isExpired,
  needsRenewal,
  type TokenManagerOptions,
  type TokenStore,
} from '../../src/analytics/token-manager.ts';
import { silentLogger } from '../../src/log.ts';
import { failure, gate } from '../support/analytics-harness.ts';
import { createMemoryTokenStore } from '../support/memory-token-store.ts';

const startMs = Date.parse('2026-11-21T08:00:00Z');
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

const refuse = async () => {
  throw new UnauthorizedError({ refused: 'login' });
};

/** The service's clock may differ from ours by `skewMs`. */
function jwt(issuedMs: number, lifeMs: number, { iat = true } = {}): Promise<string> {
  const token = new SignJWT({ jti: String(issuedMs) }).setProtectedHeader({ alg: 'HS256' });
  token.setExpirationTime((issuedMs + lifeMs) / 1000);
  if (iat) token.setIssuedAt(issuedMs / 1000);
  return token.sign(new TextEncoder().encode('a key of the service, unknown to us'));
}

function setUp(options: Partial<TokenManagerOptions> = {}) {
  const clock = { ms: startMs };
  const realNow = () => clock.ms;
  const store = createMemoryTokenStore({ realNow });
  let logins = 0;
  const common: TokenManagerOptions = {
    login: async () => {
      logins += 1;
      return `token-${logins}`;
    },
    credentialTag: 'one',
    store,
    health: { failed: () => new Date(clock.ms) },
    realNow,
    // Waiting moves the clock.
    wait: async (ms) => {
      clock.ms += ms;
    },
    ...options,
  };
  const manager = (more: Partial<TokenManagerOptions> = {}) => createTokenManager({ ...common, ...more });
  return { clock, store, manager, logins: () => logins };
}

/** A store whose first answer to a process comes late. */
function slowAtFirst(store: TokenStore) {
  const { opened, open } = gate();
  const looked = gate();
  let reads = 0;
  const read = async () => {
    const record = await store.read();
    reads += 1;
    looked.open();
    if (reads === 1) await opened;
    return record;
  };
  return { store: { ...store, read }, looked: looked.opened, open };
}

describe('the lifetime of a token', () => {
  test('a JWT is renewed before it expires, and nobody waits for the renewal', async () => {
    const issued: string[] = [];
    const { opened, open } = gate();
    const { clock, manager } = setUp();
    const tokens = manager({
      login: async () => {
        if (issued.length > 0) await opened;
        issued.push(await jwt(clock.ms, 10 * hourMs));
        return issued.at(-1) ?? '';
      },
    });
    await tokens.get();
    clock.ms += 10 * hourMs - 61_000;
    expect(await tokens.get()).toBe(issued[0]);
    expect(issued).toHaveLength(1);
    clock.ms += 2_000;
    expect(await tokens.get()).toBe(issued[0]);
    open();
    clock.ms += 60_000;
    expect(await tokens.get()).toBe(issued[1]);
    expect(issued).toHaveLength(2);
    expect(tokens.status()).toEqual({
      state: 'live',
      obtainedAt: new Date(startMs + 10 * hourMs + 1_000),
      expiresAt: new Date(startMs + 20 * hourMs + 1_000),
    });
  });

  test('a token that has expired on arrival causes no endless logins', async () => {
    let logins = 0;
    const { clock, manager } = setUp();
    const tokens = manager({
      login: () => {
        logins += 1;
        return jwt(clock.ms - 20 * hourMs, 10 * hourMs, { iat: false });
      },
    });
    for (let times = 0; times < 10; times += 1) await tokens.get();
    expect(logins).toBe(1);
    expect(tokens.status()).toEqual({ state: 'live', obtainedAt: new Date(startMs) });
  });

  test('after a failed renewal the token is used until it expires', async () => {
    let refused = false;
    const { clock, manager } = setUp();
    const first = await jwt(startMs, 10 * hourMs);
    const tokens = manager({
      login: async () => {
        if (refused) return await refuse();
        return first;
      },
    });
    await tokens.get();
    refused = true;
    clock.ms += 10 * hourMs - 30_000;
    expect(await tokens.get()).toBe(first);
    expect(await tokens.get()).toBe(first);
    clock.ms += 30_000;
    expect(await failure(tokens.get())).toMatchObject({ refused: 'login' });
  });
});

test('a manager ignores the discarded token in a store that is slow to discard it', async () => {
  const { opened, open } = gate();
  const { store, manager } = setUp();
  const tokens = manager({
    store: {
      ...store,
      async discard(token) {
        await opened;
        await store.discard(token);
      },
    },
  });
  await tokens.get();
  const discarded = tokens.discard('token-1');
  expect(await tokens.get()).toBe('token-2');
  open();
  await discarded;
  expect(await tokens.get()).toBe('token-2');
});

describe('a refused login', () => {
  test('is remembered for 60 s, doubling to 15 minutes', async () => {
    const { clock, manager } = setUp();
    let logins = 0;
    const tokens = manager({
      login: async () => {
        logins += 1;
        throw new UnauthorizedError({ refused: 'login' });
      },
    });
    const waits: number[] = [];
    for (let times = 1; times <= 7; times += 1) {
      const error = await failure(tokens.get());
      if (!(error instanceof UnauthorizedError)) throw error;
      waits.push((error.retryAfterMs ?? 0) / 1000);
      expect(logins).toBe(times);
      clock.ms += (error.retryAfterMs ?? 0) - 1;
      await failure(tokens.get());
      expect(logins).toBe(times);
      clock.ms += 1;
    }
    expect(waits).toEqual([60, 120, 240, 480, 900, 900, 900]);
  });
});

describe('several processes', () => {
  test('read the store again once they hold the lease', async () => {
    const { store, manager, logins } = setUp();
    const slow = slowAtFirst(store);
    const late = manager({ store: slow.store }).get();
    await slow.looked;
    await manager().get();
    slow.open();
    expect(await late).toBe('token-1');
    expect(logins()).toBe(1);
  });

  test('give up if they never get the lease', async () => {
    const { clock, store, manager, logins } = setUp();
    const tokens = manager({ store: { ...store, acquireLease: async () => false } });
    const error = await failure(tokens.get());
    expect(error).toBeInstanceOf(UnavailableError);
    expect(error).toMatchObject({ since: new Date(clock.ms) });
    expect(logins()).toBe(0);
  });

  test('release the lease when the login fails', async () => {
    const { clock, manager } = setUp();
    const failing = manager({
      login: async () => {
        throw new UnavailableError({ since: new Date(startMs) });
      },
    });
    await failure(failing.get());
    expect(await manager().get()).toBe('token-1');
    expect(clock.ms).toBe(startMs);
  });
});

describe('a token that another process stored', () => {
  test('is used even while somebody holds the lease for a renewal', async () => {
    const { clock, store, manager, logins } = setUp();
    const token = await manager().get();
    await store.acquireLease({ holder: 'another', ttlMs: 30_000 });
    expect(await manager().get()).toBe(token);
    expect(clock.ms).toBe(startMs);
    expect(logins()).toBe(1);
  });

  test('is ignored with other credentials, and so is a refusal', async () => {
    const { manager, logins } = setUp();
    const token = await manager().get();
    const other = manager({ credentialTag: 'two' });
    expect(await other.get()).not.toBe(token);
    expect(logins()).toBe(2);

    await failure(manager({ credentialTag: 'three', login: refuse }).get());
    await manager({ credentialTag: 'four' }).get();
    expect(logins()).toBe(3);
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
    const { store, manager, logins } = setUp();
    const first = manager();
    const token = await first.get();
    await first.discard(token);
    expect((await store.read())?.token).toBeUndefined();
    expect(await manager().get()).not.toBe(token);
    expect(logins()).toBe(2);
  });
});

test('a login that hangs holds up the others for 30 s', async () => {
  const { clock, manager, logins } = setUp();
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
  expect(logins()).toBe(1);
  expect(clock.ms - startMs).toBe(30_000);
});

test('a refusal is counted once, by the process whose login was refused', async () => {
  const { clock, store, manager, logins } = setUp();
  const slow = slowAtFirst(store);
  const late = failure(manager({ store: slow.store }).get());
  await slow.looked;
  await failure(manager({ login: refuse }).get());
  clock.ms += 10_000;
  slow.open();
  expect(await late).toMatchObject({ refused: 'login', retryAfterMs: 50_000 });
  expect((await store.read())?.refusal).toEqual({ until: startMs + minuteMs, times: 1 });
  expect(logins()).toBe(0);
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

describe('while the store does not answer', () => {
  const refuseAll = async () => {
    throw new Error('connect ECONNREFUSED');
  };
  const down = { read: refuseAll, write: refuseAll, discard: refuseAll };
  const store = { ...down, acquireLease: refuseAll, releaseLease: refuseAll };

  test('one login is enough, and the log says why', async () => {
    const warnings: unknown[] = [];
    const logger = { ...silentLogger, warn: (...warning: unknown[]) => void warnings.push(warning) };
    const { manager, logins } = setUp({ store, logger });
    const tokens = manager();
    expect([await tokens.get(), await tokens.get()]).toEqual(['token-1', 'token-1']);
    await tokens.discard('token-1');
    expect(await tokens.get()).toBe('token-2');
    expect(logins()).toBe(2);
    expect(warnings[0]).toEqual([
      { reason: 'connect ECONNREFUSED' },
      'the token store does not answer: continuing from memory',
    ]);
  });

  test('a refused login is remembered', async () => {
    const { manager } = setUp({ store });
    let attempts = 0;
    const tokens = manager({
      login() {
        attempts += 1;
        return refuse();
      },
    });
    await expect(tokens.get()).rejects.toThrow(UnauthorizedError);
    await expect(tokens.get()).rejects.toThrow(UnauthorizedError);
    expect(attempts).toBe(1);
  });
});

const seconds = startMs / 1000;
/** The lifetime is read without looking at the signature. */
const claimsOf = (claims: Record<string, unknown>) => new UnsecuredJWT(claims).encode();

describe('the expiry of a token', () => {
  test.each([
    ['by its `exp` and `iat`', { iat: seconds, exp: seconds + 600 }, 10 * minuteMs],
    [
      'counted from its `iat`, where the clocks differ',
      { iat: seconds - 900, exp: seconds - 300 },
      10 * minuteMs,
    ],
    ['by its `exp` alone', { exp: seconds + 600 }, 10 * minuteMs],
    ["by its `exp` alone, where `iat` isn't a number", { exp: seconds + 600, iat: null }, 10 * minuteMs],
    ['a millisecond after it comes', { exp: (startMs + 1) / 1000 }, 1],
  ])('%s', (_, claims, lifeMs) => {
    expect(expiryOf(claimsOf(claims), startMs)).toBe(startMs + lifeMs);
  });

  test.each([
    ['it names no `exp`', claimsOf({ iat: seconds })],
    ["its `exp` isn't a number", claimsOf({ exp: String(seconds + 600) })],
    ['it expires at the moment it comes', claimsOf({ exp: seconds })],
    ['it expires when it is issued', claimsOf({ iat: seconds, exp: seconds })],
    ["it isn't a JWT", 'opaque'],
  ])('is unknown if %s', (_, token) => {
    expect(expiryOf(token, startMs)).toBeUndefined();
  });
});

test.each([
  ['10 h', 600 * minuteMs, minuteMs],
  ['10 minutes', 10 * minuteMs, minuteMs],
  ['5 minutes', 5 * minuteMs, minuteMs / 2],
])('a token of %s is renewed in the last tenth of its life, a minute at most', (_, lifeMs, marginMs) => {
  const expiresAt = startMs + lifeMs;
  const token = { token: 'a', obtainedAt: startMs, expiresAt };
  expect(needsRenewal(token, expiresAt - marginMs - 1)).toBe(false);
  expect(needsRenewal(token, expiresAt - marginMs)).toBe(true);
  expect(isExpired(token, expiresAt - 1)).toBe(false);
  expect(isExpired(token, expiresAt)).toBe(true);
});

test('a token that does not say how long it lives needs no renewal and never expires', () => {
  const token = { token: 'a', obtainedAt: startMs };
  expect(needsRenewal(token, Number.MAX_SAFE_INTEGER)).toBe(false);
  expect(isExpired(token, Number.MAX_SAFE_INTEGER)).toBe(false);
});
