import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { finishUninstalls, forgetWorkspace } from '../../src/workspaces/workspaces.ts';
import { contentOf, countRows, fillEveryTable, tablesOfWorkspaces } from '../support/every-table.ts';
import { aroundStatements, failAfter } from '../support/fail-after.ts';
import { engines } from '../support/store-engines.ts';
import { useEmptyStore } from '../support/use-store.ts';

const now = new Date('2026-11-21T09:00:00Z');

describe.each(engines)('an uninstall, $engine', ({ open }) => {
  const store = useEmptyStore(open);
  beforeEach(async () => {
    for (const workspaceId of ['T1', 'T2']) await fillEveryTable(store.database, { workspaceId, rows: 3 });
  });

  const nothing = Object.fromEntries(tablesOfWorkspaces.map((table) => [table, 0]));

  it('that has no more time goes on in the next round', async () => {
    const { db } = store.database;
    // More than one batch.
    await fillEveryTable(store.database, { workspaceId: 'T3', rows: 250 });
    await db.updateTable('workspaces').set({ uninstalled_at: now }).where('id', '=', 'T3').execute();
    const total = async () => Object.values(await countRows(db, 'T3')).reduce((sum, rows) => sum + rows, 0);
    const before = await total();
    await finishUninstalls(db, () => false);
    expect(before - (await total())).toBe(200);
    await finishUninstalls(db);
    expect(await countRows(db, 'T3')).toEqual(nothing);
  });

  it('removes due work first, and the workspace last', async () => {
    const { db } = store.database;
    await forgetWorkspace(db.withPlugin(failAfter(4)), 'T1', now).catch(() => {});
    const counts = await countRows(db, 'T1');
    expect(counts).toMatchObject({ workspaces: 1, outbox: 0, digests: 0, history: 3 });
  });

  it('also deletes what a job writes in the meantime', async () => {
    const { db } = store.database;
    await db.updateTable('workspaces').set({ uninstalled_at: now }).where('id', '=', 'T1').execute();
    let writes = 0;
    const after = async () => {
      writes += 1;
      await sql`insert into digest_numbers (workspace_id, channel_id, last)
        select id, ${`late ${writes}`}, 1 from workspaces where id = 'T1'`.execute(db);
    };
    await finishUninstalls(db.withPlugin(aroundStatements({ after })));
    expect(writes).toBeGreaterThan(15);
    expect(await countRows(db, 'T1')).toEqual(nothing);
  });

  it('ends when the workspace is installed again, as another process had finished', async () => {
    const { db } = store.database;
    const before = await contentOf(db);
    const after = () => db.updateTable('workspaces').set({ uninstalled_at: null }).execute();
    await forgetWorkspace(db.withPlugin(aroundStatements({ after })), 'T1', now);
    expect(await contentOf(db)).toEqual(before);
  });
});
