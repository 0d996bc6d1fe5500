import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { SecretBox } from '../database/secrets.ts';
import type { AllWorkspaces } from '../database/workspace-store.ts';
import { sealToken } from './bot-token.ts';
import { deleteWorkspace } from './workspaces.ts';

/** What an “Add to Slack” gave. */
export interface Granted {
  isOrgWide: boolean;
  enterpriseId: string | undefined;
  /** Undefined if it is org-wide. */
  teamId: string | undefined;
  /** Of the workspace, or of the organisation. */
  name: string;
  botUserId: string;
  botId: string | undefined;
  appId: string | undefined;
  installerId: string;
  scopes: readonly string[];
  token: string;
  /** Only for a token that is rotated. */
  refreshToken: string | undefined;
  expiresAt: Date | undefined;
  /** On Slack's clock. */
  installedAt: Date;
}

export interface Saved {
  installationId: string;
  /** The scopes of the installation that this one replaces; undefined for the first. */
  scopesBefore: readonly string[] | undefined;
}

interface SaveOptions {
  db: AllWorkspaces;
  box: SecretBox;
  now: Date;
  onFirstInstall?: OnFirstInstall | undefined;
  /** The workspaces that Slack lists for the token of an organisation. */
  listed?: ReadonlySet<string>;
}

/**
 * Called in the transaction that adds a workspace: of its own installation, or the first one of an organisation. Not
 * called when the app is installed again.
 */
export type OnFirstInstall = (
  transaction: AllWorkspaces,
  install: Pick<Granted, 'name' | 'installerId' | 'installedAt'> & { teamId: string },
) => Promise<void>;

interface Result {
  saved: Saved;
  /** Of the workspaces whose installation has changed. */
  workspaceIds: string[];
}

const scopeList = z.array(z.string()).catch([]);

/** See `save` in installations.ts. */
export async function saveInstallation(options: SaveOptions, granted: Granted): Promise<Result> {
  while (true) {
    await finishEarlierUninstalls(options.db, granted);
    const result = await trySave(options, granted);
    if (result !== 'uninstalled') return result;
  }
}

async function finishEarlierUninstalls(
  db: AllWorkspaces,
  { teamId, enterpriseId, isOrgWide }: Granted,
): Promise<void> {
  const ended = await db
    .selectFrom('workspaces')
    .select('id')
    .where('uninstalled_at', 'is not', null)
    .where((where) =>
      isOrgWide ? where('enterprise_id', '=', enterpriseId ?? '') : where('id', '=', teamId ?? ''),
    )
    .execute();
  for (const { id } of ended) await deleteWorkspace(db, id);
}

/** `uninstalled`: another process has just begun to delete the workspace. */
async function trySave(
  { db, box, now, onFirstInstall, listed = new Set() }: SaveOptions,
  granted: Granted,
): Promise<Result | 'uninstalled'> {
  const { isOrgWide, enterpriseId = null, teamId = null, name } = granted;
  const id = (isOrgWide ? enterpriseId : teamId) ?? '';
  if (id === '') throw new Error('Slack named neither a workspace nor an organisation');
  return await db.transaction().execute(async (transaction) => {
    const before = await transaction
      .selectFrom('installations')
      .select(['scopes', 'installed_at'])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    const saved = { installationId: id, scopesBefore: before && scopeList.parse(before.scopes) };
    // Two people installed at the same time, and the other one was last.
    if (before && before.installed_at > granted.installedAt) return { saved, workspaceIds: [] };
    if (await isUninstalled(transaction, teamId)) return 'uninstalled';
    const values = rowOf(granted, { id, box });
    await transaction
      .insertInto('installations')
      .values({ id, ...values })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
      .execute();
    if (isOrgWide) return { saved, workspaceIds: await takeOver(transaction, { id, listed }) };
    const workspace = { name, enterprise_id: enterpriseId, installation_id: id };
    await transaction
      .insertInto('workspaces')
      .values({ id, ...workspace, created_at: now })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(workspace))
      .execute();
    if (!before) await onFirstInstall?.(transaction, { ...granted, teamId: id });
    return { saved, workspaceIds: [id] };
  });
}

async function isUninstalled(transaction: AllWorkspaces, teamId: string | null): Promise<boolean> {
  const query = transaction
    .selectFrom('workspaces')
    .select('uninstalled_at')
    .where('id', '=', teamId ?? '');
  return Boolean((await query.forNoKeyUpdate().executeTakeFirst())?.uninstalled_at);
}

function rowOf(granted: Granted, { id, box }: { id: string; box: SecretBox }) {
  const { token, refreshToken, expiresAt } = granted;
  return {
    enterprise_id: granted.enterpriseId ?? null,
    team_id: granted.teamId ?? null,
    name: granted.name,
    is_org_wide: granted.isOrgWide,
    bot_user_id: granted.botUserId,
    bot_id: granted.botId ?? null,
    app_id: granted.appId ?? null,
    installer_id: granted.installerId,
    scopes: JSON.stringify(granted.scopes),
    sealed_token: sealToken(box, id, { token, ...(refreshToken !== undefined && { refreshToken }) }),
    token_expires_at: expiresAt ?? null,
    installed_at: granted.installedAt,
    revoked_at: null,
    lease_until: null,
    lease_token: null,
  };
}

/**
 * The organisation's workspaces no longer have installations of their own, if Slack lists them for its token. Returns
 * the ids of all that it serves.
 */
export async function takeOver(
  transaction: AllWorkspaces,
  { id, listed }: { id: string; listed: ReadonlySet<string> },
): Promise<string[]> {
  const rows = await transaction
    .selectFrom('workspaces')
    .select(['id', 'installation_id'])
    .where('enterprise_id', '=', id)
    .where('uninstalled_at', 'is', null)
    .execute();
  const served = rows.filter((row) => row.installation_id === id || listed.has(row.id)).map((row) => row.id);
  const moved = rows.filter((row) => row.installation_id !== id && listed.has(row.id)).map((row) => row.id);
  if (moved.length > 0) {
    await transaction
      .updateTable('workspaces')
      .set({ installation_id: id })
      .where('id', 'in', moved)
      .execute();
    await transaction.deleteFrom('installations').where('id', 'in', moved).execute();
  }
  return served;
}

/** A state is valid for ten minutes. Longer, since the clocks of two processes may differ. */
const rememberedMs = 60 * 60_000;

/**
 * Marks the state of an install as used, for all processes and after a restart. False if it was used before. `state` must
 * have been verified, so that nobody can fill the table with invented ones.
 */
export async function takeInstallState(db: AllWorkspaces, state: string, realNow: Date): Promise<boolean> {
  await db.deleteFrom('used_install_states').where('expires_at', '<', realNow).execute();
  const id = createHash('sha256').update(state).digest('hex');
  const expiresAt = new Date(realNow.getTime() + rememberedMs);
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('used_install_states')
    .values({ id, expires_at: expiresAt })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}
