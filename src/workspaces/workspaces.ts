import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { deleteInBatches } from '../database/batches.ts';
import { type TableName, tableNames } from '../database/schema.ts';
import { type AllWorkspaces, acrossWorkspaces } from '../database/workspace-store.ts';
import { forgetUnusedLogins } from './accounts.ts';

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

type WorkspaceState = 'active' | 'paused' | 'being removed';

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

/** A workspace as its operator sees it. Holds no secrets. */
export interface WorkspaceOverview {
  id: string;
  name: string;
  /** `name` is known only of an organisation that installed the app for all its workspaces. */
  organisation: { id: string; name: string | null } | null;
  installedAt: Date;
  /** When a person last asked anything, to the minute. */
  lastUsedAt: Date | null;
  watches: number;
  digests: number;
  /** Requests to the analytics service, up to a minute ago. */
  callsToday: number;
  account: AccountOverview;
  /** `revoked`: Slack no longer accepts its token. */
  state: WorkspaceState | 'revoked';
  pausedAt: Date | null;
}

/** Whose account of the analytics service answers. `isRefused`: the service refused its last login. */
type AccountOverview =
  | { kind: 'own'; since: Date; address: string; isRefused: boolean }
  | { kind: 'operators'; isRefused: boolean }
  | { kind: 'none' };

interface OverviewOptions {
  /** A date in UTC, such as 2026-11-22. */
  today: string;
  /** The addresses at which a workspace's own account may be. */
  addresses: readonly string[];
  /** The account of the settings; undefined if there is none. */
  operators: { loginId: string | undefined; isShared: boolean } | undefined;
}

/** All workspaces, the oldest first. Needs no encryption key. */
export async function readOverview(
  db: AllWorkspaces,
  { today, ...accounts }: OverviewOptions,
): Promise<WorkspaceOverview[]> {
  const rows = await db
    .selectFrom('workspaces')
    .modifyFront(acrossWorkspaces('overview'))
    .leftJoin('installations', 'installations.id', 'workspaces.installation_id')
    .leftJoin('installations as organisation', 'organisation.id', 'workspaces.enterprise_id')
    .leftJoin('accounts', 'accounts.workspace_id', 'workspaces.id')
    .select((select) => [
      'workspaces.id',
      'workspaces.name',
      'workspaces.enterprise_id',
      'workspaces.created_at',
      'workspaces.last_used_at',
      'workspaces.paused_at',
      'workspaces.uninstalled_at',
      'workspaces.installation_id',
      'accounts.address',
      'accounts.login_id',
      'accounts.updated_at',
      'installations.installed_at',
      'installations.revoked_at',
      'organisation.name as organisation_name',
      select
        .selectFrom('call_counts')
        .select((sum) => sum.fn.sum<number>('calls').as('sum'))
        .whereRef('call_counts.workspace_id', '=', 'workspaces.id')
        .where('call_counts.day', '=', today)
        .as('calls'),
      select
        .selectFrom('watches')
        .select((count) => count.fn.countAll<number>().as('count'))
        .whereRef('watches.workspace_id', '=', 'workspaces.id')
        .where('watches.status', '<>', 'ended')
        .as('watches'),
      select
        .selectFrom('digests')
        .select((count) => count.fn.countAll<number>().as('count'))
        .whereRef('digests.workspace_id', '=', 'workspaces.id')
        .where('digests.removed_at', 'is', null)
        .as('digests'),
    ])
    .orderBy('workspaces.created_at')
    .orderBy('workspaces.id')
    .execute();
  const refused = await db.selectFrom('logins').select('id').where('refused_until', 'is not', null).execute();
  const refusedLogins = new Set(refused.map(({ id }) => id));
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    organisation: row.enterprise_id === null ? null : { id: row.enterprise_id, name: row.organisation_name },
    installedAt: row.installed_at ?? row.created_at,
    lastUsedAt: row.last_used_at,
    watches: row.watches ?? 0,
    digests: row.digests ?? 0,
    callsToday: row.calls ?? 0,
    account: accountOf(row, { ...accounts, refusedLogins }),
    state: stateOf(row),
    pausedAt: row.paused_at,
  }));
}

/** As in workspace-account.ts. Without an installation, it is the only workspace, so the operator's account serves it. */
function accountOf(
  row: {
    installation_id: string | null;
    address: string | null;
    login_id: string | null;
    updated_at: Date | null;
  },
  {
    addresses,
    operators,
    refusedLogins,
  }: Omit<OverviewOptions, 'today'> & { refusedLogins: ReadonlySet<string> },
): AccountOverview {
  const { address, login_id: loginId, updated_at: since } = row;
  if (address !== null && loginId !== null && since && addresses.includes(address))
    return { kind: 'own', since, address, isRefused: refusedLogins.has(loginId) };
  const isServed = operators && (operators.isShared || row.installation_id === null);
  if (!isServed) return { kind: 'none' };
  return { kind: 'operators', isRefused: refusedLogins.has(operators.loginId ?? '') };
}

function stateOf(row: {
  uninstalled_at: Date | null;
  revoked_at: Date | null;
  paused_at: Date | null;
}): WorkspaceOverview['state'] {
  if (row.uninstalled_at) return 'being removed';
  if (row.revoked_at) return 'revoked';
  return row.paused_at ? 'paused' : 'active';
}
