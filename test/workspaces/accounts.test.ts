import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { createSecretBox, renewSeals } from '../../src/database/secrets.ts';
import { storeOf } from '../../src/database/workspace-store.ts';
import { type Account, createAccountStore } from '../../src/workspaces/accounts.ts';
import { createAuditLog } from '../../src/workspaces/audit.ts';
import { anyCharacter } from '../support/any-character.ts';
import { failAfter } from '../support/fail-after.ts';
import { direct } from '../support/statements/direct.ts';
import { engines } from '../support/store-engines.ts';
import { useStore } from '../support/use-store.ts';

const now = new Date('2026-11-21T09:00:00Z');
const keyOf = (fill: number) => Buffer.alloc(32, fill);
const account: Account = {
  address: 'https://service.example',
  apiKey: 'key-of-the-account',
  userId: 'user-of-the-account',
  password: 'hunter2',
};

describe.each(engines)('accounts, $engine', ({ open }) => {
  const store = useStore(open);
  beforeEach(async () => {
    const { db } = store.database;
    await db.deleteFrom('workspaces').execute();
    await db.deleteFrom('logins').execute();
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
