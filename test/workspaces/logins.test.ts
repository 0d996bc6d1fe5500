import { type KyselyPlugin, sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TokenStore } from '../../src/analytics/token-manager.ts';
import { createSecretBox } from '../../src/database/secrets.ts';
import {
  createDatabaseTokenStore,
  forgetUnusedLogins,
  isPercent,
  rememberPercent,
} from '../../src/workspaces/accounts.ts';
import { engines, expireLeases, loginId, passLeaseTime, seedWorkspace } from '../support/store-engines.ts';
import { useStore } from '../support/use-store.ts';

const box = createSecretBox([Buffer.alloc(32, 7)]);

const emptyLogin = {
  sealed_record: null,
  probability_scale: null,
  lease_until: null,
  lease_token: null,
};

describe.each(engines)('the shared token, $engine', ({ open }) => {
  const store = useStore(open);
  let tokens: TokenStore;
  beforeAll(async () => {
    await seedWorkspace(store.database);
  });
  beforeEach(async () => {
    const { db } = store.database;
    await db.deleteFrom('logins').where('id', '!=', loginId).execute();
    await db.updateTable('logins').set(emptyLogin).execute();
    await db
      .insertInto('logins')
      .values({ ...emptyLogin, id: 'login-2' })
      .execute();
    tokens = tokensOf(loginId);
  });

  const tokensOf = (id: string, db = store.database.db) => createDatabaseTokenStore({ db, box, loginId: id });

  const record = { credential: 'tag', token: { token: 'secret-token', obtainedAt: 1, expiresAt: 2 } };

  it('reads back a record, which is sealed in the table', async () => {
    expect(await tokens.read()).toBeUndefined();
    await tokens.write(record);
    expect(await tokens.read()).toEqual(record);
    const rows = await store.database.db.selectFrom('logins').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain('secret-token');
  });

  it('discards only the given token, and keeps the refusal', async () => {
    const refusal = { until: 5, times: 2 };
    await tokens.write({ ...record, refusal });
    await tokens.discard('an older one');
    expect((await tokens.read())?.token?.token).toBe('secret-token');
    await tokens.discard('secret-token');
    expect(await tokens.read()).toEqual({ credential: 'tag', refusal });
  });

  it('keeps the token of those who know the right password when a wrong one is refused', async () => {
    const refused = { credential: 'another tag', refusal: { until: 5, times: 1 } };
    await tokens.write(refused);
    expect(await tokens.read()).toEqual(refused);
    await tokens.write(record);
    await tokens.write(refused);
    expect(await tokens.read()).toEqual(record);
  });

  it('keeps a token that was stored while the former one was discarded', async () => {
    await tokens.write(record);
    const newer = { credential: 'tag', token: { token: 'newer', obtainedAt: 2 } };
    let answers = 0;
    const thenNewer: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        answers += 1;
        if (answers === 1) await tokens.write(newer);
        return result;
      },
    };
    await tokensOf(loginId, store.database.db.withPlugin(thenNewer)).discard('secret-token');
    expect(await tokens.read()).toEqual(newer);
  });

  it('has separate tokens and leases for each login', async () => {
    const others = tokensOf('login-2');
    const lease = { holder: 'a', ttlMs: 30_000 };
    await others.write(record);
    expect(await tokens.read()).toBeUndefined();
    await tokens.write(record);
    await tokens.discard('secret-token');
    expect(await others.read()).toEqual(record);
    expect(await tokens.acquireLease(lease)).toBe(true);
    expect(await others.acquireLease(lease)).toBe(true);
    await others.releaseLease('a');
    expect(await tokens.acquireLease({ ...lease, holder: 'b' })).toBe(false);
  });

  const lease = (holder: string) => tokens.acquireLease({ holder, ttlMs: 30_000 });
  const pass = (ms: number) => passLeaseTime(store.database, ms);

  it('lets one of three holders log in', async () => {
    const won = await Promise.all(['a', 'b', 'c'].map(lease));
    expect(won.filter(Boolean)).toEqual([true]);
  });

  it('leases for the requested time, from the last request on', async () => {
    await lease('a');
    await pass(20_000);
    expect(await lease('a')).toBe(true);
    await pass(20_000);
    expect(await lease('b')).toBe(false);
    await pass(10_000);
    expect(await lease('b')).toBe(true);
  });

  it('keeps a lease until its holder releases it', async () => {
    await lease('a');
    await tokens.releaseLease('b');
    expect(await lease('b')).toBe(false);
    await tokens.releaseLease('a');
    expect(await lease('b')).toBe(true);
  });

  it('leases again after a rollback of the clock of the database by an hour', async () => {
    await lease('a');
    await pass(-3_600_000);
    expect(await lease('b')).toBe(true);
  });

  it('a write does not change the lease of a login', async () => {
    await tokens.acquireLease({ holder: 'a', ttlMs: 30_000 });
    await tokens.write(record);
    expect(await tokens.acquireLease({ holder: 'b', ttlMs: 30_000 })).toBe(false);
  });

  it('of a login that was deleted is not stored; a lease makes the login again', async () => {
    const { db } = store.database;
    const removed = tokensOf('login-2');
    await removed.acquireLease({ holder: 'a', ttlMs: 30_000 });
    await db.deleteFrom('logins').where('id', '=', 'login-2').execute();
    await removed.write(record);
    await removed.releaseLease('a');
    expect(await removed.read()).toBeUndefined();
    expect(await removed.acquireLease({ holder: 'b', ttlMs: 30_000 })).toBe(true);
    await removed.write(record);
    expect(await removed.read()).toEqual(record);
  });

  it('remembers the scale of probabilities', async () => {
    const { db } = store.database;
    expect(await isPercent(db, loginId)).toBe(false);
    await rememberPercent(db, loginId);
    expect(await isPercent(db, loginId)).toBe(true);
    expect(await isPercent(db, 'login-2')).toBe(false);
  });

  it('logins that nobody uses any more are deleted, unless a process is about to use one', async () => {
    const { db } = store.database;
    for (const id of ['login-3', 'login-4']) await tokensOf(id).acquireLease({ holder: 'a', ttlMs: 30_000 });
    await tokensOf('login-4').releaseLease('a');
    await db
      .insertInto('logins')
      .values({ ...emptyLogin, id: 'operators' })
      .execute();
    await forgetUnusedLogins(db, sql`id <> 'operators'`);
    const left = await db.selectFrom('logins').select('id').orderBy('id').execute();
    expect(left.map(({ id }) => id)).toEqual([loginId, 'login-3', 'operators']);
    // The process that held it has died.
    await expireLeases(store.database);
    await forgetUnusedLogins(db, sql`id <> 'operators'`);
    const atLast = await db.selectFrom('logins').select('id').orderBy('id').execute();
    expect(atLast.map(({ id }) => id)).toEqual([loginId, 'operators']);
  });
});
