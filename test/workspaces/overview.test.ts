import { describe, expect, it } from 'vitest';
import { loginIdOf } from '../../src/analytics/login.ts';
import { overviewTable } from '../../src/app/operator/operate-workspaces.ts';
import { createSecretBox } from '../../src/database/secrets.ts';
import { storeOf } from '../../src/database/workspace-store.ts';
import { createAccountStore, createDatabaseTokenStore } from '../../src/workspaces/accounts.ts';
import { createActivity } from '../../src/workspaces/call-counts.ts';
import { saveInstallation } from '../../src/workspaces/save-installation.ts';
import { readOverview, type WorkspaceOverview } from '../../src/workspaces/workspaces.ts';
import { granted, orgWide } from '../support/installation.ts';
import { engines } from '../support/store-engines.ts';
import { useEmptyStore } from '../support/use-store.ts';

const now = new Date('2026-11-22T12:00:00Z');
const box = createSecretBox([Buffer.alloc(32, 7)]);
const ownAccount = {
  address: 'https://service.example',
  apiKey: 'own-key',
  userId: 'own-user',
  password: 'own-pw',
};
const operatorsLogin = 'login-of-the-operator';
const options = {
  today: '2026-11-22',
  addresses: [ownAccount.address],
  operators: { loginId: operatorsLogin, isShared: false },
};

describe.each(engines)('the overview of workspaces, $engine', ({ open }) => {
  const store = useEmptyStore(open);

  const overview = (change: Partial<typeof options> = {}) =>
    readOverview(store.database.db, { ...options, ...change });
  const installOf = (teamId: string, name: string) =>
    saveInstallation({ db: store.database.db, box, now }, granted({ teamId, name, enterpriseId: undefined }));
  const accountsOf = (workspaceId: string) =>
    createAccountStore({ store: storeOf(store.database.db, workspaceId), box });
  const by = (id: string) => ({ id, actorId: 'U1', now });
  const refuse = (loginId: string) =>
    createDatabaseTokenStore({ db: store.database.db, box, loginId }).write({
      credential: 'tag',
      refusal: { until: now.getTime() + 60_000, times: 1 },
    });
  const setOf = (id: string, change: object) =>
    store.database.db.updateTable('workspaces').set(change).where('id', '=', id).execute();

  it('shows whose account answers, and whether the service refuses it', async () => {
    const { db } = store.database;
    await installOf('T1', 'Acme');
    await installOf('T2', 'Bolt');
    await db.insertInto('workspaces').values({ id: 'T3', name: 'Only', created_at: now }).execute();
    const accounts = async (change?: Partial<typeof options>) =>
      Object.fromEntries((await overview(change)).map(({ id, account }) => [id, account]));
    await accountsOf('T1').save(ownAccount, by('audit-1'));
    const own = { kind: 'own', since: now, address: ownAccount.address, isRefused: false };
    const operators = { kind: 'operators', isRefused: false };
    expect(await accounts()).toEqual({ T1: own, T2: { kind: 'none' }, T3: operators });
    expect(await accounts({ operators: { ...options.operators, isShared: true } })).toEqual({
      T1: own,
      T2: operators,
      T3: operators,
    });
    // The operator no longer allows accounts there.
    expect(await accounts({ addresses: ['https://other.example'] })).toMatchObject({ T1: { kind: 'none' } });

    await refuse(loginIdOf(ownAccount));
    expect(await accounts()).toMatchObject({ T1: { isRefused: true }, T3: { isRefused: false } });
    // An admin enters another password, which is tried before it is saved.
    await accountsOf('T1').save({ ...ownAccount, password: 'other' }, by('audit-2'));
    await createDatabaseTokenStore({ db, box, loginId: operatorsLogin }).acquireLease({
      holder: 'x',
      ttlMs: 1,
    });
    await refuse(operatorsLogin);
    expect(await accounts()).toMatchObject({ T1: { isRefused: false }, T3: { isRefused: true } });
    const text = JSON.stringify(await overview()) + overviewTable(await overview());
    for (const secret of [ownAccount.apiKey, ownAccount.userId, ownAccount.password, 'xoxb-'])
      expect(text).not.toContain(secret);
  });

  it('shows names, organisations, use and states', async () => {
    const { db } = store.database;
    await installOf('T1', 'Acme');
    await saveInstallation({ db, box, now }, orgWide());
    const ofGroup = { enterprise_id: 'E1', installation_id: 'E1', created_at: now };
    await db
      .insertInto('workspaces')
      .values({ id: 'T2', name: 'Harbour Ops', ...ofGroup })
      .execute();
    for (const [id, change] of [
      ['T3', { paused_at: now }],
      ['T4', { uninstalled_at: now, paused_at: now }],
      ['T5', { enterprise_id: 'E9' }],
    ] as const) {
      await db.insertInto('workspaces').values({ id, name: id, created_at: now }).execute();
      await setOf(id, change);
    }
    await db.updateTable('installations').set({ revoked_at: now }).where('id', '=', 'T1').execute();
    let realMs = now.getTime() - 24 * 3_600_000;
    const activity = createActivity({ db, now: () => new Date(realMs), realNow: () => realMs });
    activity.countCall('T2', undefined);
    realMs = now.getTime();
    activity.countCall('T2', undefined);
    activity.countCall('T2', undefined);
    activity.recordUse('T2');
    await activity.save();
    const workspaces = await overview();
    expect(workspaces.map(({ id, state }) => [id, state])).toEqual([
      ['T1', 'revoked'],
      ['T2', 'active'],
      ['T3', 'paused'],
      ['T4', 'being removed'],
      ['T5', 'active'],
    ]);
    expect(workspaces[1]).toMatchObject({
      name: 'Harbour Ops',
      organisation: { id: 'E1', name: 'Harbour Group' },
      lastUsedAt: now,
      callsToday: 2,
      watches: 0,
    });
    expect(workspaces[4]?.organisation).toEqual({ id: 'E9', name: null });
  });
});

it('is shown in columns; names cannot change the terminal', () => {
  const workspace: WorkspaceOverview = {
    id: 'T024BE7LH',
    name: 'Harbour & Co',
    organisation: null,
    installedAt: new Date('2026-10-01T08:00:00Z'),
    lastUsedAt: now,
    watches: 12,
    digests: 3,
    callsToday: 1_204,
    account: { kind: 'own', since: now, address: 'https://service.example', isRefused: true },
    state: 'active',
    pausedAt: null,
  };
  const other: WorkspaceOverview = {
    ...workspace,
    id: 'T9',
    name: `\u001b]0;title\u0007${'x'.repeat(50)}`,
    organisation: { id: 'E1', name: 'Harbour Group' },
    lastUsedAt: null,
    watches: 0,
    account: { kind: 'none' },
    state: 'paused',
    pausedAt: now,
  };
  expect(overviewTable([workspace, other])).toMatchInlineSnapshot(`
    "ID         NAME                              ORGANISATION   INSTALLED   LAST USED         WATCHES  DIGESTS  CALLS TODAY  ACCOUNT                        STATE
    T024BE7LH  Harbour & Co                      -              2026-10-01  2026-11-22 12:00       12        3         1204  own since 2026-11-22, refused  active
    T9         ]0;title xxxxxxxxxxxxxxxxxxxxxx…  Harbour Group  2026-10-01  never                   0        3         1204  none                           paused since 2026-11-22 12:00

    Days and times are in UTC."
  `);
});
