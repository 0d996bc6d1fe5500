import type { Kysely } from 'kysely';
import type { Schema } from '../database/schema.ts';
import { createShortCache } from '../database/short-cache.ts';
import { type BotTokenOptions, createBotTokens } from './bot-token.ts';
import { createEndInstallation } from './end-installation.ts';
import { type Granted, type OnFirstInstall, type Saved, saveInstallation } from './save-installation.ts';

/** A workspace that installed the app, on its own or through its organisation. Holds no token. */
export interface InstalledWorkspace {
  workspaceId: string;
  name: string;
  enterpriseId: string | undefined;
  installationId: string;
  isOrgWide: boolean;
  botUserId: string;
  botId: string | undefined;
  /** After an uninstall, an install adds the workspace anew. */
  addedAt: Date;
  /** The operator paused it: it does nothing. */
  isPaused: boolean;
  /** Its token is no longer valid: it does nothing until somebody installs the app again. */
  isRevoked: boolean;
}

/** The sender of a delivery. */
export interface DeliverySource {
  teamId?: string | undefined;
  enterpriseId?: string | undefined;
  isEnterpriseInstall: boolean;
}

export type Installations = ReturnType<typeof createInstallations>;

/** The installations of all workspaces, with their sealed tokens. The other processes see a change within a second. */
export function createInstallations(options: BotTokenOptions & { onFirstInstall?: OnFirstInstall }) {
  const { db, box, realNow, onFirstInstall } = options;
  const tokens = createBotTokens(options);
  const cache = createShortCache({ read: (workspaceId) => readInstalled(db, workspaceId), realNow });
  const forgetCached = (installationId: string, workspaceIds: readonly string[]) => {
    tokens.invalidate(installationId);
    for (const id of workspaceIds) cache.invalidate(id);
  };
  const end = createEndInstallation({ ...options, tokens, onEnded: forgetCached });

  return {
    get: (workspaceId: string) => readInstalled(db, workspaceId),
    /**
     * The workspace of a delivery; at most a second old. Makes the row of a workspace of an org-wide installation at its
     * first delivery.
     */
    async find({
      teamId,
      enterpriseId,
      isEnterpriseInstall,
    }: DeliverySource): Promise<InstalledWorkspace | undefined> {
      if (!teamId) return undefined;
      const known = await cache.get(teamId);
      const installationId = isEnterpriseInstall ? enterpriseId : teamId;
      if (known && (!isEnterpriseInstall || known.installationId === installationId)) return known;
      if (!installationId) return undefined;
      if (await addWorkspace(db, { teamId, installationId, now: new Date(realNow()), onFirstInstall }))
        cache.invalidate(teamId);
      return (await cache.get(teamId)) ?? known;
    },
    /**
     * Installs, or installs again: the newest grant counts, with its token and scopes. An org-wide one takes over the
     * workspaces of its organisation. What is left of an earlier uninstall is deleted first.
     */
    async save(granted: Granted): Promise<Saved> {
      const { saved, workspaceIds } = await saveInstallation(
        { db, box, now: new Date(realNow()), onFirstInstall },
        granted,
      );
      forgetCached(saved.installationId, workspaceIds);
      return saved;
    },
    /**
     * A valid bot token; a rotated one is refreshed when less than 2 h are left. Throws NotInstalledError, or the reason
     * why an expired token was not refreshed.
     */
    botToken: tokens.get,
    expireToken: tokens.expire,
    /** Slack said that the app was uninstalled, or its token revoked. */
    endOlderThan: end.olderThan,
    /** Call after Slack refused the token: it counts as revoked, unless Slack accepts it after all. */
    checkToken: end.checkToken,
    /**
     * Deletes what was revoked 30 days ago, and not installed again. Asks Slack about the others, some at a time, as events
     * are lost while no process runs. Call it now and then.
     */
    async endRevoked(): Promise<void> {
      await end.revokedLongAgo();
      await end.checkTokens();
    },
    /** Resolves when no token is being refreshed. Await it before the database is closed. */
    settled: tokens.settled,
  };
}

/** Workspaces in one-workspace mode have no installation. */
const selectInstalled = (db: Kysely<Schema>) =>
  db
    .selectFrom('workspaces')
    .innerJoin('installations', 'installations.id', 'workspaces.installation_id')
    .where('workspaces.uninstalled_at', 'is', null)
    .select([
      'workspaces.id as workspace_id',
      'workspaces.name',
      'workspaces.enterprise_id',
      'workspaces.created_at',
      'workspaces.paused_at',
      'installations.id as installation_id',
      'installations.is_org_wide',
      'installations.bot_user_id',
      'installations.bot_id',
      'installations.revoked_at',
    ]);

type InstalledRow = Awaited<ReturnType<ReturnType<typeof selectInstalled>['execute']>>[number];

async function readInstalled(db: Kysely<Schema>, id: string): Promise<InstalledWorkspace | undefined> {
  const row = await selectInstalled(db).where('workspaces.id', '=', id).executeTakeFirst();
  return row && toInstalled(row);
}

function toInstalled(row: InstalledRow): InstalledWorkspace {
  return {
    workspaceId: row.workspace_id,
    name: row.name,
    enterpriseId: row.enterprise_id ?? undefined,
    installationId: row.installation_id,
    isOrgWide: row.is_org_wide,
    botUserId: row.bot_user_id,
    botId: row.bot_id ?? undefined,
    addedAt: row.created_at,
    isPaused: row.paused_at !== null,
    isRevoked: row.revoked_at !== null,
  };
}

/**
 * Adds the workspace to an installation, if there is one; the first of an organisation counts as its install. Leaves a
 * workspace alone whose rows are being deleted.
 */
async function addWorkspace(
  db: Kysely<Schema>,
  options: { teamId: string; installationId: string; now: Date; onFirstInstall: OnFirstInstall | undefined },
): Promise<boolean> {
  const { teamId, installationId, now, onFirstInstall } = options;
  return await db.transaction().execute(async (transaction) => {
    const installation = await transaction
      .selectFrom('installations')
      .select(['name', 'enterprise_id', 'installer_id', 'installed_at'])
      .where('id', '=', installationId)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!installation) return false;
    const { name, enterprise_id, installer_id: installerId, installed_at: installedAt } = installation;
    const served = transaction
      .selectFrom('workspaces')
      .select('id')
      .where('installation_id', '=', installationId);
    const isFirst = (await served.executeTakeFirst()) === undefined;
    const place = { enterprise_id, installation_id: installationId };
    const added = await transaction
      .insertInto('workspaces')
      .values({ id: teamId, name, ...place, created_at: now })
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet(place).where('workspaces.uninstalled_at', 'is', null),
      )
      .returning('id')
      .executeTakeFirst();
    if (!added) return false;
    if (isFirst) await onFirstInstall?.(transaction, { teamId, name, installerId, installedAt });
    return true;
  });
}
