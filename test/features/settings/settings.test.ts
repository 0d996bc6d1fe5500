import { afterAll, beforeAll, expect, it } from 'vitest';
import { storeOf } from '../../../src/database/workspace-store.ts';
import {
  type AuditEntry,
  createAuditLog,
  forgetChanges,
  recordChanges,
} from '../../../src/workspaces/audit.ts';
import {
  type ChannelSettings,
  createGuestSetting,
  readChannelSettings,
} from '../../../src/workspaces/settings.ts';
import { forgetWorkspace } from '../../../src/workspaces/workspaces.ts';
import { saveChannelSettings } from '../../support/channel-settings.ts';
import { direct } from '../../support/statements/direct.ts';
import { openSqlite, type TestStore } from '../../support/store-engines.ts';

const now = new Date('2026-11-21T09:00:00Z');

let store: TestStore;
beforeAll(async () => {
  store = await openSqlite();
  const values = { id: 'T1', name: 'One', created_at: now };
  await store.database.db.insertInto('workspaces').values(values).execute();
});
afterAll(() => store.close());

it('a channel has the defaults until somebody changes them; each change is audited once', async () => {
  const { db } = store.database;
  const channel = { workspaceId: 'T1', channelId: 'C1' };
  const by = (id: string) => ({ actorId: 'U1', now, id });
  const defaults = { mode: 'broadcast-critical', visibility: 'private', whoMayAdd: 'members' };
  expect(await readChannelSettings(storeOf(db, 'T1'), 'C1')).toEqual(defaults);
  await saveChannelSettings(db, channel, {
    change: { mode: 'thread' },
    ...by('s1'),
  });
  await saveChannelSettings(db, channel, {
    change: { visibility: 'public', whoMayAdd: 'admins' },
    ...by('s2'),
  });
  const chosen = { mode: 'thread', visibility: 'public', whoMayAdd: 'admins' };
  expect(
    await saveChannelSettings(db, channel, {
      change: chosen as ChannelSettings,
      ...by('s3'),
    }),
  ).toEqual(chosen);
  expect(await readChannelSettings(storeOf(db, 'T1'), 'C1')).toEqual(chosen);
  expect(await readChannelSettings(storeOf(db, 'T2'), 'C1')).toEqual(defaults);
  const { changes } = await createAuditLog(storeOf(db, 'T1')).list({ channelId: 'C1' }, { limit: 10 });
  expect(changes.map(({ id, before, after }) => ({ id, before, after }))).toEqual([
    { id: 's2', before: { ...defaults, mode: 'thread' }, after: chosen },
    { id: 's1', before: defaults, after: { ...defaults, mode: 'thread' } },
  ]);
});

it('guests may ask until an admin changes that; every instance knows within a second', async () => {
  const { db } = store.database;
  const ids = ['g1', 'g2', 'g3'].values();
  let realMs = 1_000;
  const open = () =>
    createGuestSetting({
      store: storeOf(db, 'T1'),
      now: () => now,
      newId: () => ids.next().value ?? '',
      realNow: () => realMs,
    });
  const [one, other] = [open(), open()];
  expect(await other.getCached()).toBe('ask');
  await expect(one.change('none', { userId: 'U2', isAdmin: false })).rejects.toMatchObject({
    code: 'not-allowed',
    message: 'Only workspace admins choose what guests may do. Nothing was saved.',
  });
  const admin = { userId: 'U1', isAdmin: true };
  expect(await one.change('none', admin)).toBe('ask');
  expect([await one.getCached(), await other.get(), await other.getCached()]).toEqual([
    'none',
    'none',
    'ask',
  ]);
  realMs += 1_001;
  expect(await other.getCached()).toBe('none');
  // The same again is no change.
  expect(await other.change('none', admin)).toBe('none');
  expect(
    await createGuestSetting({
      store: storeOf(db, 'T2'),
      now: () => now,
      newId: () => '',
      realNow: () => 0,
    }).get(),
  ).toBe('ask');
  const { changes } = await createAuditLog(storeOf(db, 'T1')).list({ actorId: 'U1' }, { limit: 10 });
  expect(changes.filter(({ action }) => action === 'workspace.settings')).toEqual([
    {
      id: 'g1',
      at: now,
      actorId: 'U1',
      action: 'workspace.settings',
      subject: 'the settings of the workspace',
      before: { guests: 'ask' },
      after: { guests: 'none' },
    },
  ]);
});

it('audited changes are listed newest first, page by page, for one channel or one person', async () => {
  const { db } = store.database;
  await direct(db).deleteFrom('audit').execute();
  const change = (id: string, minutes: number, rest: Partial<AuditEntry> = {}): AuditEntry => ({
    id,
    at: new Date(now.getTime() + minutes * 60_000),
    actorId: 'U1',
    action: 'watch.add',
    subject: 'DS CYPRESS',
    channelId: 'C1',
    ...rest,
  });
  const [a, b, c] = [
    change('a', 1),
    change('b', 2, { channelId: 'C2', before: { eta: 12 }, after: { eta: 6 } }),
    change('c', 3, { actorId: 'U2', after: [1] }),
  ] as const;
  for (const one of [b, a, c]) await recordChanges(storeOf(db, 'T1'), [one]);
  const log = createAuditLog(storeOf(db, 'T1'));
  expect(await log.list({}, { limit: 2 })).toEqual({
    changes: [c, b],
    total: 3,
  });
  expect(await log.list({}, { limit: 2, offset: 2 })).toEqual({
    changes: [a],
    total: 3,
  });
  const ids = async (filter: object) => (await log.list(filter, { limit: 9 })).changes.map(({ id }) => id);
  expect(await ids({ channelId: 'C1' })).toEqual(['c', 'a']);
  expect(await ids({ actorId: 'U1' })).toEqual(['b', 'a']);
  expect(await ids({ channelId: 'C1', actorId: 'U2' })).toEqual(['c']);
  await forgetChanges(db, b.at);
  expect(await ids({})).toEqual(['c', 'b']);
});

it('removing a workspace deletes all of its data', async () => {
  const { db } = store.database;
  await forgetWorkspace(db, 'T1', now);
  for (const table of ['channels', 'audit'] as const) {
    expect(await direct(db).selectFrom(table).select('workspace_id').execute()).toEqual([]);
  }
});
