import { beforeEach, describe, expect, it } from 'vitest';
import { storeOf } from '../../src/database/workspace-store.ts';
import { createActivity, createCallCounts, forgetCallCounts } from '../../src/workspaces/call-counts.ts';
import { aroundStatements, failAfter } from '../support/fail-after.ts';
import { direct } from '../support/statements/direct.ts';
import { engines, workspaceId } from '../support/store-engines.ts';
import { useWorkspace } from '../support/use-store.ts';

const midnight = Date.parse('2026-11-22T00:00:00Z');

describe.each(engines)('the activity of workspaces, $engine', ({ open }) => {
  const store = useWorkspace(open);
  let realMs: number;
  beforeEach(async () => {
    realMs = midnight - 1;
  });

  const activityOf = (db = store.database.db) =>
    createActivity({ db, now: () => new Date(realMs), realNow: () => realMs });
  const counts = () =>
    direct(store.database.db).selectFrom('call_counts').select(['day', 'calls']).orderBy('day').execute();
  const lastUsed = async () => {
    const query = store.database.db.selectFrom('workspaces').select('last_used_at');
    return (await query.where('id', '=', workspaceId).executeTakeFirstOrThrow()).last_used_at;
  };

  it('counts calls by day in UTC, over all processes, and remembers the latest use', async () => {
    const [one, two] = [activityOf(), activityOf((await store.another()).db)];
    one.countCall(workspaceId, undefined);
    two.recordUse(workspaceId);
    realMs = midnight;
    for (const activity of [one, two, one]) activity.countCall(workspaceId, undefined);
    one.recordUse(workspaceId);
    await Promise.all([one.save(), two.save()]);
    two.countCall(workspaceId, undefined);
    for (const activity of [one, two, one]) await activity.save();
    expect(await counts()).toEqual([
      { day: '2026-11-21', calls: 1 },
      { day: '2026-11-22', calls: 4 },
    ]);
    expect(await lastUsed()).toEqual(new Date(midnight));
  });

  it('keeps what could not be saved, and what is counted while it is saved', async () => {
    const { db } = store.database;
    let failing = true;
    const before = () => {
      activity.countCall(workspaceId, undefined);
      activity.recordUse(workspaceId);
      if (failing) throw new Error('gone');
    };
    const activity = activityOf(db.withPlugin(aroundStatements({ before })));
    activity.countCall(workspaceId, undefined);
    await expect(activity.save()).rejects.toThrow('gone');
    failing = false;
    await activity.save();
    // One that was counted first, one when the first save failed.
    expect(await counts()).toEqual([{ day: '2026-11-21', calls: 2 }]);
    await activity.save();
    const [row] = await counts();
    // And one for each of the four statements of the save before.
    expect(row?.calls).toBe(6);
  });

  it('that can be saved only in part is saved later, and nothing twice', async () => {
    const { db } = store.database;
    for (let statements = 0; statements < 4; statements += 1) {
      const activity = activityOf(db.withPlugin(failAfter(statements)));
      activity.countCall(workspaceId, undefined);
      activity.recordUse(workspaceId);
      await expect(activity.save()).rejects.toThrow('the process has ended');
    }
    expect(await counts()).toEqual([]);
    expect(await lastUsed()).toBeNull();
  });

  it('of workspaces that are gone, or being removed, is dropped', async () => {
    const { db } = store.database;
    const at = new Date(midnight);
    await db
      .insertInto('workspaces')
      .values({ id: 'T2', name: '', created_at: at, uninstalled_at: at })
      .execute();
    const activity = activityOf();
    for (const id of [workspaceId, 'T2', 'T3']) {
      activity.countCall(id, undefined);
      activity.recordUse(id);
    }
    await activity.save();
    for (const table of ['call_counts', 'call_details'] as const) {
      const rows = await direct(db).selectFrom(table).select('workspace_id').execute();
      expect(rows).toEqual([{ workspace_id: workspaceId }]);
    }
    expect(await lastUsed()).toEqual(new Date(realMs));
  });

  it('goes with the days before a time, and the months that ended before it', async () => {
    const activity = activityOf();
    for (const day of ['2026-09-30', '2026-10-01', '2026-10-20', '2026-11-22']) {
      realMs = Date.parse(day);
      activity.countCall(workspaceId, undefined);
    }
    await activity.save();
    await forgetCallCounts(store.database.db, new Date('2026-10-20T01:00:00Z'));
    expect((await counts()).map(({ day }) => day)).toEqual(['2026-10-20', '2026-11-22']);
    const months = await direct(store.database.db).selectFrom('call_details').select('month').execute();
    expect(months.map(({ month }) => month).sort()).toEqual(['2026-10', '2026-11']);
  });

  it('says what the calls of a month were for: the same sum by day and by cause', async () => {
    const [one, two] = [activityOf(), activityOf((await store.another()).db)];
    const nextport = (channelId: string | null) =>
      ({ kind: 'command', name: 'nextport', channelId }) as const;
    const poll = { kind: 'watch', subject: 'vessel 9811000', channelIds: ['C1', 'C2'] } as const;
    one.countCall(workspaceId, poll);
    realMs = midnight;
    for (const cause of [nextport('C1'), nextport('C1'), nextport(null), poll])
      one.countCall(workspaceId, cause);
    two.countCall(workspaceId, { kind: 'digest', id: 'D1', channelId: 'C1' });
    two.countCall(workspaceId, poll);
    two.countCall(workspaceId, undefined);
    realMs = Date.parse('2026-12-01');
    one.countCall(workspaceId, nextport('C1'));
    await two.save();
    const { ofMonth, ofDays, since } = createCallCounts({
      store: storeOf(store.database.db, workspaceId),
      save: one.save,
    });
    // It saves first what its own process has not saved yet.
    expect(await ofMonth('2026-11')).toEqual({
      days: [
        { day: '2026-11-21', kind: 'watch', calls: 1 },
        { day: '2026-11-22', kind: 'command', calls: 3 },
        { day: '2026-11-22', kind: 'digest', calls: 1 },
        { day: '2026-11-22', kind: 'other', calls: 1 },
        { day: '2026-11-22', kind: 'watch', calls: 2 },
      ],
      causes: [
        { kind: 'watch', key: 'vessel 9811000', channelId: 'C1,C2', calls: 3 },
        { kind: 'command', key: 'nextport', channelId: 'C1', calls: 2 },
        { kind: 'command', key: 'nextport', channelId: null, calls: 1 },
        { kind: 'digest', key: 'D1', channelId: 'C1', calls: 1 },
        { kind: 'other', key: '', channelId: null, calls: 1 },
      ],
    });
    expect(await ofDays('2026-11-22', '2026-12-02')).toHaveLength(5);
    expect(await since()).toBe('2026-11-21');
    expect(await ofMonth('2025-11')).toEqual({ days: [], causes: [] });
  });

  it('counts nothing twice if several ask for it to be saved at the same time', async () => {
    const activity = activityOf();
    activity.countCall(workspaceId, undefined);
    const [first] = [activity.save(), activity.save()];
    await first;
    activity.countCall(workspaceId, undefined);
    await Promise.all([activity.save(), activity.save()]);
    expect(await counts()).toEqual([{ day: '2026-11-21', calls: 2 }]);
  });
});
