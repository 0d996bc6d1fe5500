import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { deleteInBatches } from '../database/delete-in-batches.ts';
import { type TableName, tableNames } from '../database/schema.ts';
import type { AllWorkspaces } from '../database/workspace-store.ts';
import { forgetUnusedLogins } from './logins.ts';

/** Adds the workspace, or gives it its current name. */
export async function saveWorkspace(
  db: AllWorkspaces,
  { id, name, now }: { id: string; name: string; now: Date },
): Promise<void> {
  await db
    .insertInto('workspaces')
    .values({ id, name, created_at: now })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ name }))
    .execute();
}

export type WorkspaceState = 'active' | 'paused' | 'being removed';

/** Undefined for an unknown workspace. */
export async function readWorkspaceState(
  db: AllWorkspaces,
  id: string,
): Promise<{ state: WorkspaceState; addedAt: Date } | undefined> {
  const row = await db
    .selectFrom('workspaces')
    .select(['created_at', 'paused_at', 'uninstalled_at'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) return undefined;
  const installed = row.paused_at ? 'paused' : 'active';
  return { state: row.uninstalled_at ? 'being removed' : installed, addedAt: row.created_at };
}

/** Does nothing to a workspace that is paused already, or being removed. */
export async function pauseWorkspace(db: AllWorkspaces, id: string, now: Date): Promise<void> {
  await db
    .updateTable('workspaces')
    .set({ paused_at: now })
    .where('id', '=', id)
    .where('paused_at', 'is', null)
    .where('uninstalled_at', 'is', null)
    .execute();
}

export async function resumeWorkspace(db: AllWorkspaces, id: string): Promise<void> {
  await db.updateTable('workspaces').set({ paused_at: null }).where('id', '=', id).execute();
}

/**
 * Deletes the workspace and everything that is stored about it, its own installation included. If it fails midway,
 * `finishUninstalls` goes on.
 */
export async function forgetWorkspace(db: AllWorkspaces, id: string, now: Date): Promise<void> {
  await db.updateTable('workspaces').set({ uninstalled_at: now }).where('id', '=', id).execute();
  await deleteWorkspace(db, id);
}

/** Deletes what is left of workspaces that were uninstalled: call it before a workspace is saved, and now and then. */
export async function finishUninstalls(db: AllWorkspaces, mayGoOn = () => true): Promise<void> {
  const rows = await db
    .selectFrom('workspaces')
    .select('id')
    .where('uninstalled_at', 'is not', null)
    .execute();
  for (const { id } of rows) await deleteWorkspace(db, id, mayGoOn);
}

/** Due work goes first, so that no job writes more. What was written all the same goes with the last row. */
export async function deleteWorkspace(db: AllWorkspaces, id: string, mayGoOn = () => true): Promise<void> {
  for (const table of tableNames.toReversed()) {
    if (table === 'accounts') await forgetAccount(db, id, mayGoOn);
    else if (table !== 'workspaces' && table !== 'logins' && table !== 'used_install_states')
      await deleteInBatches(db, { work: 'uninstall', table, where: belongsTo(table, id), mayGoOn });
    // What is left would go with the rows of a later table, all at once.
    if (!mayGoOn()) return;
  }
  await db.deleteFrom('workspaces').where('id', '=', id).where('uninstalled_at', 'is not', null).execute();
}

/** With its login, unless another workspace uses that. */
async function forgetAccount(db: AllWorkspaces, id: string, mayGoOn: () => boolean): Promise<void> {
  const account = db.selectFrom('accounts').select('login_id').where('workspace_id', '=', id);
  const loginIds = (await account.execute()).map(({ login_id }) => login_id);
  await deleteInBatches(db, {
    work: 'uninstall',
    table: 'accounts',
    where: belongsTo('accounts', id),
    mayGoOn,
  });
  for (const loginId of loginIds) await forgetUnusedLogins(db, sql`id = ${loginId}`);
}

/** Never true for a workspace that was installed again after another process had finished. */
function belongsTo(table: TableName, id: string): RawBuilder<SqlBool> {
  const isUninstalled = sql`exists (select 1 from workspaces where id = ${id} and uninstalled_at is not null)`;
  return sql<SqlBool>`${indexedCondition(table, id)} and ${isUninstalled}`;
}

/** Not every table has an index by workspace, see 0001-schema.ts. */
function indexedCondition(table: TableName, id: string): RawBuilder<SqlBool> {
  switch (table) {
    case 'installations':
      return sql`id = ${id}`;
    case 'followings':
    case 'alerts':
      return sql`watch_id in (select id from watches where workspace_id = ${id})`;
    default:
      return sql`workspace_id = ${id}`;
  }
}
