import { beforeAll, describe, expect, it } from 'vitest';
import { storeOf, type WorkspaceStore } from '../../src/database/workspace-store.ts';
import { direct } from '../support/statements/direct.ts';
import { engines, seedWorkspace, workspaceId } from '../support/store-engines.ts';
import { useStore } from '../support/use-store.ts';

const now = new Date('2026-11-21T09:00:00Z');
const change = { updated_at: now, updated_by: 'U1' };

describe.each(engines)('the store of a workspace, $engine', ({ open }) => {
  const test = useStore(open);
  let ours: WorkspaceStore;
  let theirs: WorkspaceStore;
  beforeAll(async () => {
    const { db } = test.database;
    await seedWorkspace(test.database);
    await db.insertInto('workspaces').values({ id: 'T2', name: 'Other', created_at: now }).execute();
    [ours, theirs] = [storeOf(db, workspaceId), storeOf(db, 'T2')];
    for (const [store, name] of [
      [ours, 'OURS'],
      [theirs, 'THEIRS'],
    ] as const) {
      await store.insertInto('fleets', { key: 'NORTH', name, ...change }).execute();
      await store.insertInto('fleet_vessels', [{ fleet_key: 'NORTH', imo: name.length }]).execute();
    }
  });

  const namesIn = async (store: WorkspaceStore) =>
    (await store.selectFrom('fleets as mine').select('mine.name').execute()).map(({ name }) => name);

  it('reads its own rows, those of joined tables, and its own workspace', async () => {
    expect(await namesIn(ours)).toEqual(['OURS']);
    const joined = ours
      .selectFrom('fleets')
      .innerJoin(...ours.join('fleet_vessels', 'fleet_vessels.fleet_key', 'fleets.key'))
      .leftJoin(...ours.join('watches', 'watches.fleet', 'fleets.key'))
      .select(['fleets.name', 'fleet_vessels.imo', 'watches.title']);
    expect(await joined.execute()).toEqual([{ name: 'OURS', imo: 4, title: null }]);
    expect(await theirs.selectFrom('workspaces').select('name').execute()).toEqual([{ name: 'Other' }]);
  });

  it('changes and deletes nothing of another, and a transaction keeps its workspace', async () => {
    await ours.transaction(async (transaction) => {
      await transaction.updateTable('fleets').set({ name: 'NEW' }).execute();
      await transaction.deleteFrom('fleet_vessels').execute();
    });
    expect(await namesIn(theirs)).toEqual(['THEIRS']);
    expect(await namesIn(ours)).toEqual(['NEW']);
    const left = await direct(test.database.db).selectFrom('fleet_vessels').select('workspace_id').execute();
    expect(left).toEqual([{ workspace_id: 'T2' }]);
  });

  it("writes no other workspace's id, even in a row that has one", async () => {
    const row = { workspace_id: 'T2', key: 'SOUTH', name: 'OURS TOO', ...change };
    await ours.insertInto('fleets', row).execute();
    expect(await namesIn(ours)).toEqual(['NEW', 'OURS TOO']);
  });

  it('the types refuse what would need no workspace', () => {
    const on = ['watches.id', 'followings.watch_id'] as const;
    // @ts-expect-error: a table that is joined without its condition
    ours.selectFrom('followings').innerJoin('watches', ...on);
    const watches = ours.selectFrom('watches');
    // @ts-expect-error: a table that is read within a statement, without its condition
    watches.where((within) => within.exists(within.selectFrom('outbox').select('id')));
    // @ts-expect-error: rows that belong to no workspace
    ours.selectFrom('logins');
    // @ts-expect-error: a row that moves to another workspace
    ours.updateTable('fleets').set({ workspace_id: 'T2' });
  });
});
