import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { storeOf } from '../../src/database/workspace-store.ts';
import { createAuditLog } from '../../src/workspaces/audit.ts';
import {
  type CallLimit,
  type ChannelSettings,
  createCallLimit,
  createChannelSettingsStore,
  createGuestSetting,
  createLinkSetting,
} from '../../src/workspaces/settings.ts';
import { direct } from '../support/statements/direct.ts';
import { engines, openPostgres, type TestStore, workspaceId } from '../support/store-engines.ts';
import { useWorkspace } from '../support/use-store.ts';

const now = new Date('2026-11-21T09:00:00Z');
const admin = { userId: 'U1', isAdmin: true };
let realMs = 1_000_000;
let ids = 0;
const newId = () => {
  ids += 1;
  return `change ${ids}`;
};

const guestsOf = ({ database: { db } }: TestStore, id = workspaceId) =>
  createGuestSetting({ store: storeOf(db, id), now: () => now, newId, realNow: () => realMs });
const linksOf = ({ database: { db } }: TestStore, id = workspaceId) =>
  createLinkSetting({ store: storeOf(db, id), now: () => now, newId, realNow: () => realMs });
const limitOf = ({ database: { db } }: TestStore, operators?: number, id = workspaceId) =>
  createCallLimit({ ...{ store: storeOf(db, id), now: () => now, newId, realNow: () => realMs }, operators });
const settingsIn = ({ database: { db } }: TestStore, id = workspaceId) =>
  createChannelSettingsStore({ store: storeOf(db, id), realNow: () => realMs });
const by = (change: Partial<ChannelSettings>, id = newId()) => ({ change, actorId: 'U1', now, id });

describe.each(engines)('settings, $engine', ({ open }) => {
  const store = useWorkspace(open);
  beforeEach(async () => {
    const other = { id: 'T2', name: 'Other', created_at: now };
    await store.database.db.insertInto('workspaces').values(other).execute();
  });

  const audited = async () => {
    const { changes } = await createAuditLog(storeOf(store.database.db, workspaceId)).list({}, { limit: 10 });
    return changes.map(({ before, after }) => ({ before, after }));
  };

  it('what guests may do changes at once in the same process, and in others after a second', async () => {
    const [one, other] = [guestsOf(store), guestsOf(store)];
    expect([await one.getCached(), await other.getCached()]).toEqual(['ask', 'ask']);
    await one.change('none', admin);
    realMs += 1_000;
    expect([await one.getCached(), await other.getCached()]).toEqual(['none', 'ask']);
    realMs += 1;
    expect(await other.getCached()).toBe('none');
  });

  const defaults = { mode: 'broadcast-critical', visibility: 'private', whoMayAdd: 'members' };

  it('each is the default if the table holds an unknown value', async () => {
    const { db } = store.database;
    await db.updateTable('workspaces').set({ guests: 'later', links: 'later' }).execute();
    expect([await guestsOf(store).get(), await linksOf(store).get()]).toEqual(['ask', 'off']);
    await settingsIn(store).save('C1', by({ visibility: 'public' }));
    const unknown = { mode: 'loud', visibility: 'some', who_may_add: 'nobody' };
    await direct(db).updateTable('channels').set(unknown).execute();
    expect(await settingsIn(store).get('C1')).toEqual(defaults);
  });

  it('what links to vessels show is off until an admin of that workspace changes it; each change is audited once', async () => {
    expect([await linksOf(store).get(), await linksOf(store).getCached()]).toEqual(['off', 'off']);
    await expect(linksOf(store).change('on', { userId: 'U2', isAdmin: false })).rejects.toMatchObject({
      code: 'not-allowed',
      message:
        'Only workspace admins choose whether links to vessels show the next ports. Nothing was saved.',
    });
    expect(await linksOf(store).change('on', admin)).toBe('off');
    expect(await linksOf(store).change('on', admin)).toBe('on');
    expect(await linksOf(store).change('composer', admin)).toBe('on');
    expect([await linksOf(store).get(), await linksOf(store, 'T2').get()]).toEqual(['composer', 'off']);
    // The other setting of the workspace stays as it was.
    expect(await guestsOf(store).get()).toBe('ask');
    expect(await audited()).toEqual([
      { before: { links: 'on' }, after: { links: 'composer' } },
      { before: { links: 'off' }, after: { links: 'on' } },
    ]);
  });

  it('the limit of calls: the lower of two counts, for one workspace, in each process within a second', async () => {
    const [one, other] = [limitOf(store), limitOf(store, 3_000)];
    expect([await one.today(), await other.today()]).toEqual([
      undefined,
      { dailyCalls: 3_000, isOperators: true },
    ]);
    const monthly: CallLimit = { calls: 60_000, per: 'month', by: 'U1', at: now };
    expect(await one.change(monthly, admin)).toBeNull();
    expect(await one.change({ ...monthly, by: 'U2' }, admin)).toEqual(monthly);
    realMs += 1_001;
    // November has 30 days.
    for (const limit of [one, other])
      expect(await limit.today()).toEqual({ dailyCalls: 2_000, isOperators: false });
    expect([await other.get(), await limitOf(store, 500).today()]).toEqual([
      monthly,
      { dailyCalls: 500, isOperators: true },
    ]);
    expect(await limitOf(store, undefined, 'T2').today()).toBeUndefined();
    await expect(one.change(null, { userId: 'U2', isAdmin: false })).rejects.toMatchObject({
      code: 'not-allowed',
    });
    await one.change(null, admin);
    expect(await one.today()).toBeUndefined();
    expect(await audited()).toEqual([
      { before: { limit: '60,000 a month' }, after: { limit: null } },
      { before: { limit: null }, after: { limit: '60,000 a month' } },
    ]);
    await store.database.db.updateTable('workspaces').set({ call_limit: '{"calls":"many"}' }).execute();
    expect(await one.get()).toBeNull();
  });

  describe('the settings of a channel', () => {
    it.each<Partial<ChannelSettings>>([
      { mode: 'new-message' },
      { visibility: 'public' },
      { whoMayAdd: 'admins' },
    ])('%o is saved separately, for that channel alone, and audited once', async (change) => {
      const channels = settingsIn(store);
      const changed = { ...defaults, ...change };
      expect(await channels.save('C1', by(change))).toEqual(changed);
      expect(await channels.save('C1', by(change))).toEqual(changed);
      expect(await channels.get('C1')).toEqual(changed);
      expect(await channels.get('C2')).toEqual(defaults);
      expect(await settingsIn(store, 'T2').get('C1')).toEqual(defaults);
      expect(await audited()).toEqual([{ before: defaults, after: changed }]);
    });

    it('change at once in the same process, and in others after a second', async () => {
      const [one, other] = [settingsIn(store), settingsIn(store)];
      const seen = async () => [
        (await one.getCached('C1')).visibility,
        (await other.getCached('C1')).visibility,
        (await other.get('C1')).visibility,
      ];
      expect(await seen()).toEqual(['private', 'private', 'private']);
      await one.save('C1', by({ visibility: 'public' }));
      realMs += 1_000;
      expect(await seen()).toEqual(['public', 'private', 'public']);
      realMs += 1;
      expect(await seen()).toEqual(['public', 'public', 'public']);
    });

    it("stay the same if the audit row can't be written", async () => {
      const channels = settingsIn(store);
      const first = await channels.save('C1', by({ visibility: 'public' }, 'the same'));
      await expect(channels.save('C1', by({ mode: 'thread' }, 'the same'))).rejects.toThrow();
      expect(await channels.get('C1')).toEqual(first);
    });
  });
});

/** SQLite runs one transaction at a time. */
describe('two concurrent saves', () => {
  const store = useWorkspace(openPostgres);

  const oneWaits = async () => {
    const waiting = sql`select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    while ((await waiting.execute(store.database.db)).rows.length === 0);
  };

  it("write the settings of a channel one after the other, and each keeps the other's choice", async () => {
    const channels = settingsIn(store);
    const saved = await store.database.db.transaction().execute(async (transaction) => {
      await transaction.selectFrom('workspaces').select('id').forUpdate().execute();
      const values = { workspace_id: workspaceId, channel_id: 'C1', updated_at: now, updated_by: 'U2' };
      await transaction
        .insertInto('channels')
        .values({ ...values, mode: 'thread', visibility: 'private', who_may_add: 'members' })
        .execute();
      const second = channels.save('C1', by({ visibility: 'public' }));
      await oneWaits();
      return { second };
    });
    const both = { mode: 'thread', visibility: 'public', whoMayAdd: 'members' };
    expect(await saved.second).toEqual(both);
    expect(await channels.get('C1')).toEqual(both);
  });
});
