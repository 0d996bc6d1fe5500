import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import type { TokenStore } from '../../src/analytics/token-manager.ts';
import { createSecretBox, renewSeals } from '../../src/database/secrets.ts';
import { storeOf } from '../../src/database/workspace-store.ts';
import {
  type Account,
  createAccountStore,
  createDatabaseTokenStore,
  forgetUnusedLogins,
  isPercent,
  rememberPercent,
} from '../../src/workspaces/accounts.ts';
import { createAuditLog } from '../../src/workspaces/audit.ts';
import { anyCharacter } from '../support/any-character.ts';
import { aroundStatements, failAfter } from '../support/fail-after.ts';
import { direct } from '../support/statements/direct.ts';
import { engines, expireLeases, loginId, passLeaseTime, seedWorkspace } from '../support/store-engines.ts';
import { useEmptyStore } from '../support/use-store.ts';

const now = new Date('2026-11-21T09:00:00Z');
const keyOf = (fill: number) => Buffer.alloc(32, fill);
const account: Account = {
  address: 'https://service.example',
  apiKey: 'key-of-the-account',
  userId: 'user-of-the-account',
  password: 'hunter2',
};

describe.each(engines)('accounts, $engine', ({ open }) => {
  const store = useEmptyStore(open);
  beforeEach(async () => {
    const { db } = store.database;
    for (const id of ['T1', 'T2'])
      await db.insertInto('workspaces').values({ id, name: id, created_at: now }).execute();
  });

  const box = createSecretBox([keyOf(1)]);
  const accountsOf = (workspaceId: string, db = store.database.db) =>
    createAccountStore({ store: storeOf(db, workspaceId), box });
  let audits = 0;
  const by = (actorId = 'U1') => ({ id: `audit-${++audits}`, actorId, now });
  const loginIds = async () => {
    const rows = await store.database.db.selectFrom('logins').select('id').execute();
    return rows.map(({ id }) => id);
  };
  const auditOf = async (workspaceId: string) => {
    const log = createAuditLog(storeOf(store.database.db, workspaceId));
    return (await log.list({}, { limit: 9 })).changes;
  };

  it('are sealed, and read back; the summary holds no secret', async () => {
    const accounts = accountsOf('T1');
    expect(await accounts.find()).toBeUndefined();
    expect(await accounts.summary()).toBeUndefined();
    await accounts.save(account, by());
    expect(await accounts.find()).toEqual(account);
    expect(await accounts.summary()).toEqual({
      address: account.address,
      connectedAt: now,
      connectedBy: 'U1',
    });
    expect(await accountsOf('T2').find()).toBeUndefined();
    const { db } = store.database;
    const tables = [
      await direct(db).selectFrom('accounts').selectAll().execute(),
      await db.selectFrom('logins').selectAll().execute(),
      await direct(db).selectFrom('audit').selectAll().execute(),
    ];
    expect(JSON.stringify(tables)).not.toMatch(/hunter2|of-the-account/);
  });

  it('of another workspace do not open, even if they are copied', async () => {
    await accountsOf('T1').save(account, by());
    await accountsOf('T2').save(account, by());
    const { db } = store.database;
    const rows = db.selectFrom('accounts').select('sealed_account').where('workspace_id', '=', 'T1');
    const copied = await rows.executeTakeFirstOrThrow();
    await db.updateTable('accounts').set(copied).where('workspace_id', '=', 'T2').execute();
    await expect(accountsOf('T2').find()).rejects.toThrow('changed or moved');
  });

  it('who connected, replaced and removed one is in the audit log', async () => {
    const accounts = accountsOf('T1');
    await accounts.save(account, by('U1'));
    await accounts.save({ ...account, address: 'https://other.example' }, by('U2'));
    expect(await accounts.remove({ ...by('U3'), nextAddress: undefined })).toBe(true);
    expect(await accounts.remove({ ...by('U3'), nextAddress: undefined })).toBe(false);
    const [removed, replaced, connected] = await auditOf('T1');
    expect(connected).toMatchObject({
      actorId: 'U1',
      action: 'account.connect',
      after: { address: account.address },
    });
    expect(connected).not.toHaveProperty('before');
    const change = { before: { address: account.address }, after: { address: 'https://other.example' } };
    expect(replaced).toMatchObject({ actorId: 'U2', action: 'account.replace', ...change });
    expect(removed).toMatchObject({ actorId: 'U3', action: 'account.remove', before: change.after });
    expect(await auditOf('T2')).toEqual([]);
  });

  it('two workspaces that connect and remove one account at the same time leave a consistent store', async () => {
    const { db } = await store.another();
    for (let round = 0; round < 10; round += 1) {
      await accountsOf('T1').save(account, by());
      await Promise.all([
        accountsOf('T1').remove({ ...by(), nextAddress: undefined }),
        accountsOf('T2', db).save(account, by()),
      ]);
      expect(await accountsOf('T2').find()).toEqual(account);
      expect(await loginIds()).toHaveLength(1);
      await Promise.all([
        accountsOf('T1').save({ ...account, userId: `u${round}` }, by()),
        accountsOf('T2', db).remove({ ...by(), nextAddress: undefined }),
      ]);
      expect(await loginIds()).toHaveLength(1);
    }
  });

  it('an interrupted change leaves the former account, and no audit row', async () => {
    await accountsOf('T1').save(account, by());
    const before = { audit: await auditOf('T1'), logins: await loginIds() };
    let interruptions = 0;
    for (; ; interruptions += 1) {
      const failing = accountsOf('T1', store.database.db.withPlugin(failAfter(interruptions)));
      const failed = await failing.save({ ...account, userId: 'another' }, by()).catch(String);
      if (failed === undefined) break;
      expect(await accountsOf('T1').find()).toEqual(account);
      expect({ audit: await auditOf('T1'), logins: await loginIds() }).toEqual(before);
    }
    expect(interruptions).toBeGreaterThan(5);
    expect((await accountsOf('T1').find())?.userId).toBe('another');
  });

  it('any changes of three workspaces leave each what it saved last, and just the logins in use', async () => {
    const { db } = store.database;
    await db.insertInto('workspaces').values({ id: 'T3', name: 'T3', created_at: now }).execute();
    const workspace = fc.constantFrom('T1', 'T2', 'T3');
    const entered = fc.record({
      address: fc.constantFrom('sandbox', 'https://service.example'),
      apiKey: fc.constantFrom('key-1', 'key-2'),
      userId: fc.constantFrom('ops', 'O\'Brien – 🚢 "x"'),
      password: fc.string({ unit: anyCharacter }),
    });
    const changes = fc.array(fc.tuple(workspace, fc.option(entered)), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(changes, async (story) => {
        const last = new Map<string, Account | null>();
        for (const [id, saved] of story) {
          if (saved) await accountsOf(id).save(saved, by());
          else await accountsOf(id).remove({ ...by(), nextAddress: undefined });
          last.set(id, saved);
        }
        for (const [id, saved] of last) expect((await accountsOf(id).find()) ?? null).toEqual(saved);
        const rows = await direct(db).selectFrom('accounts').select('login_id').execute();
        expect((await loginIds()).sort()).toEqual([...new Set(rows.map(({ login_id }) => login_id))].sort());
      }),
      { numRuns: 20 },
    );
  });

  it('are sealed again under a new key, once', async () => {
    const { db } = store.database;
    await accountsOf('T1').save(account, by());
    await accountsOf('T2').save(account, by());
    const rotating = createSecretBox([keyOf(2), keyOf(1)]);
    expect(await renewSeals(db, rotating)).toBe(2);
    expect(await renewSeals(db, rotating)).toBe(0);
    const renewed = createAccountStore({ store: storeOf(db, 'T1'), box: createSecretBox([keyOf(2)]) });
    expect(await renewed.find()).toEqual(account);
  });
});

const emptyLogin = {
  sealed_record: null,
  probability_scale: null,
  lease_until: null,
  lease_token: null,
};

describe.each(engines)('the shared token, $engine', ({ open }) => {
  const store = useEmptyStore(open);
  let tokens: TokenStore;
  beforeEach(async () => {
    await seedWorkspace(store.database);
    await store.database.db
      .insertInto('logins')
      .values({ ...emptyLogin, id: 'login-2' })
      .execute();
    tokens = tokensOf(loginId);
  });

  const box = createSecretBox([keyOf(7)]);
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
    const after = async () => {
      answers += 1;
      if (answers === 1) await tokens.write(newer);
    };
    const db = store.database.db.withPlugin(aroundStatements({ after }));
    await tokensOf(loginId, db).discard('secret-token');
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

  it('has a lease for one of three holders, for the requested time from their last request on, until they release it, which no write changes', async () => {
    const won = await Promise.all(['a', 'b', 'c'].map(lease));
    expect(won.filter(Boolean)).toEqual([true]);
    await expireLeases(store.database);
    await lease('a');
    await pass(20_000);
    expect(await lease('a')).toBe(true);
    await pass(20_000);
    await tokens.write(record);
    expect(await lease('b')).toBe(false);
    await pass(10_000);
    expect(await lease('b')).toBe(true);
    await tokens.releaseLease('a');
    expect(await lease('a')).toBe(false);
    await tokens.releaseLease('b');
    expect(await lease('a')).toBe(true);
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
