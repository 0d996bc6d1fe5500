import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createActivity, forgetCallCounts } from '../../src/workspaces/activity.ts';
import { failAfter } from '../support/fail-after.ts';
import { direct } from '../support/statements/direct.ts';
import { engines, seedWorkspace, type TestStore, workspaceId } from '../support/store-engines.ts';

const midnight = Date.parse('2026-11-22T00:00:00Z');

describe.each(engines)('the activity of workspaces, $engine', ({ open }) => {
  let store: TestStore;
  let realMs: number;
  beforeEach(async () => {
    store = await open();
    await seedWorkspace(store.database);
    realMs = midnight - 1;
  });
  afterEach(() => store.close());

  const activityOf = (db = store.database.db) => createActivity({ db, realNow: () => realMs });
  const counts = () =>
    direct(store.database.db).selectFrom('call_counts').select(['day', 'calls']).orderBy('day').execute();
  const lastUsed = async () => {
    const query = store.database.db.selectFrom('workspaces').select('last_used_at');
    return (await query.where('id', '=', workspaceId).executeTakeFirstOrThrow()).last_used_at;
  };

  it('counts calls by day in UTC, over all processes, and remembers the latest use', async () => {
    const [one, two] = [activityOf(), activityOf((await store.another()).db)];
    one.countCall(workspaceId);
    two.recordUse(workspaceId);
    realMs = midnight;
    for (const activity of [one, two, one]) activity.countCall(workspaceId);
    one.recordUse(workspaceId);
    await Promise.all([one.save(), two.save()]);
    two.countCall(workspaceId);
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
    const activity = activityOf(
      db.withPlugin({
        transformQuery({ node }) {
          activity.countCall(workspaceId);
          activity.recordUse(workspaceId);
          if (failing) throw new Error('gone');
          return node;
        },
        transformResult: async ({ result }) => result,
      }),
    );
    activity.countCall(workspaceId);
    await expect(activity.save()).rejects.toThrow('gone');
    failing = false;
    await activity.save();
    // One that was counted first, one when the first save failed.
    expect(await counts()).toEqual([{ day: '2026-11-21', calls: 2 }]);
    await activity.save();
    const [row] = await counts();
    // And one for each of the three statements of the save before.
    expect(row?.calls).toBe(5);
  });

  it('that can be saved only in part is saved later, and nothing twice', async () => {
    const { db } = store.database;
    for (let statements = 0; statements < 3; statements += 1) {
      const activity = activityOf(db.withPlugin(failAfter(statements)));
      activity.countCall(workspaceId);
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
      activity.countCall(id);
      activity.recordUse(id);
    }
    await activity.save();
    const rows = await direct(db).selectFrom('call_counts').select('workspace_id').execute();
    expect(rows).toEqual([{ workspace_id: workspaceId }]);
    expect(await lastUsed()).toEqual(new Date(realMs));
  });

  it('goes with the days before a time', async () => {
    const activity = activityOf();
    for (const days of [0, 1, 2]) {
      realMs = midnight + days * 24 * 3_600_000;
      activity.countCall(workspaceId);
    }
    await activity.save();
    await forgetCallCounts(store.database.db, new Date(midnight + 25 * 3_600_000));
    expect((await counts()).map(({ day }) => day)).toEqual(['2026-11-23', '2026-11-24']);
  });
});
