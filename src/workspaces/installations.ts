import { createReadCache } from '../cache.ts';
import type { AllWorkspaces } from '../database/workspace-store.ts';
import { type BotTokenOptions, createBotTokens, NotInstalledError } from './bot-token.ts';
import { createEndInstallation } from './end-installation.ts';
import { type Granted, type OnFirstInstall, type Saved, saveInstallation } from './save-installation.ts';

/** The workspace and the bot's own user there. */
export interface Installation {
  teamId: string;
  teamName: string;
  enterpriseId: string | undefined;
  botUserId: string;
  botId: string | undefined;
  /** The token is that of the organisation, and works in several of its workspaces. */
  isOrgWide?: boolean;
  /** Where an admin allows more scopes. Undefined with the token in the settings. */
  grantUrl?: string | undefined;
}

/** A workspace that installed the app, on its own or through its organisation. Holds no token. */
interface InstalledWorkspace extends Installation {
  installationId: string;
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
  const { db, box, oauth, realNow, onFirstInstall } = options;
  const tokens = createBotTokens(options);
  const cache = createReadCache({ read: (workspaceId) => readInstalled(db, workspaceId), realNow });
  const forgetCached = (installationId: string, workspaceIds: readonly string[]) => {
    tokens.invalidate(installationId);
    for (const id of workspaceIds) cache.invalidate(id);
  };
  // A list counts for those that are not in it too: so people of other workspaces can't cause requests, however many they are.
  const teams = createReadCache({
    read: async (installationId) => oauth.listTeams(await tokens.get(installationId)),
    ttlMs: 60_000,
    // Slack is asked again soon, but not for each delivery that comes meanwhile.
    failureTtlMs: 5_000,
    realNow,
    max: 1_000,
  });
  const end = createEndInstallation({ ...options, tokens, teams, onChanged: forgetCached });

  /** Adds a workspace of an organisation, if Slack lists it there. */
  async function add(teamId: string, installationId: string): Promise<void> {
    if (!(await isListed(teamId, installationId))) return;
    const isAdded = await addWorkspace(db, {
      teamId,
      installationId,
      now: new Date(realNow()),
      onFirstInstall,
    });
    cache.invalidate(teamId);
    if (!isAdded) return;
    // The organisation may have lost it meanwhile, in any process, when there was nothing to delete yet.
    teams.invalidate(installationId);
    if (!(await isListed(teamId, installationId))) await end.endUnlisted(installationId);
  }

  /** Throws if Slack doesn't say. */
  async function isListed(teamId: string, installationId: string): Promise<boolean> {
    try {
      return (await teams.get(installationId)).has(teamId);
    } catch (error) {
      if (error instanceof NotInstalledError) return false;
      throw error;
    }
  }

  return {
    get: (workspaceId: string) => readInstalled(db, workspaceId),
    /**
     * The workspace of a delivery; at most a second old. Makes the row of a workspace of an org-wide installation at its
     * first delivery. Throws if Slack doesn't say just now whether the workspace belongs to that organisation.
     */
    async find({
      teamId,
      enterpriseId,
      isEnterpriseInstall,
    }: DeliverySource): Promise<InstalledWorkspace | undefined> {
      if (!teamId) return undefined;
      const known = await cache.get(teamId);
      if (!isEnterpriseInstall) return known;
      if (!known && enterpriseId) await add(teamId, enterpriseId);
      const found = known ?? (await cache.get(teamId));
      return found?.installationId === enterpriseId ? found : undefined;
    },
    /**
     * Installs, or installs again: the newest grant counts, with its token and scopes. An org-wide one takes over the
     * workspaces of its organisation that Slack lists. What is left of an earlier uninstall is deleted first.
     */
    async save(granted: Granted): Promise<Saved> {
      const listed = granted.isOrgWide ? await oauth.listTeams(granted.token) : undefined;
      const { saved, workspaceIds } = await saveInstallation(
        { db, box, now: new Date(realNow()), onFirstInstall, ...(listed && { listed }) },
        granted,
      );
      teams.invalidate(saved.installationId);
      forgetCached(saved.installationId, workspaceIds);
      return saved;
    },
    /**
     * A valid bot token; a rotated one is refreshed when less than 2 h are left. Throws NotInstalledError, or the reason
     * why an expired token was not refreshed.
     */
    botToken: tokens.get,
    expireToken: tokens.expire,
    ...end,
    /** Resolves when no token is being refreshed. Await it before the database is closed. */
    settled: tokens.settled,
  };
}

/** Workspaces in one-workspace mode have no installation. */
async function readInstalled(db: AllWorkspaces, id: string): Promise<InstalledWorkspace | undefined> {
  const row = await db
    .selectFrom('workspaces')
    .innerJoin('installations', 'installations.id', 'workspaces.installation_id')
    .where('workspaces.uninstalled_at', 'is', null)
    .where('workspaces.id', '=', id)
    .select([
      'workspaces.name',
      'workspaces.enterprise_id',
      'workspaces.created_at',
      'workspaces.paused_at',
      'installations.id as installation_id',
      'installations.is_org_wide',
      'installations.bot_user_id',
      'installations.bot_id',
      'installations.revoked_at',
    ])
    .executeTakeFirst();
  return (
    row && {
      teamId: id,
      teamName: row.name,
      enterpriseId: row.enterprise_id ?? undefined,
      installationId: row.installation_id,
      isOrgWide: row.is_org_wide,
      botUserId: row.bot_user_id,
      botId: row.bot_id ?? undefined,
      addedAt: row.created_at,
      isPaused: row.paused_at !== null,
      isRevoked: row.revoked_at !== null,
    }
  );
}

/**
 * Adds the workspace to an organisation's installation, if there is one; the first of an organisation counts as its
 * install. Never moves a workspace that has an installation, or another organisation, or whose rows are being deleted.
 * Returns whether it was added.
 */
async function addWorkspace(
  db: AllWorkspaces,
  options: { teamId: string; installationId: string; now: Date; onFirstInstall: OnFirstInstall | undefined },
): Promise<boolean> {
  const { teamId, installationId, now, onFirstInstall } = options;
  return await db.transaction().execute(async (transaction) => {
    const installation = await transaction
      .selectFrom('installations')
      .select(['name', 'enterprise_id', 'installer_id', 'installed_at'])
      .where('id', '=', installationId)
      .where('is_org_wide', '=', true)
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
        conflict
          .column('id')
          .doUpdateSet(place)
          .where('workspaces.uninstalled_at', 'is', null)
          .where('workspaces.installation_id', 'is', null)
          .where((where) =>
            where.or([
              where('workspaces.enterprise_id', 'is', null),
              where('workspaces.enterprise_id', '=', enterprise_id),
            ]),
          ),
      )
      .returning('id')
      .executeTakeFirst();
    if (added && isFirst) await onFirstInstall?.(transaction, { teamId, name, installerId, installedAt });
    return added !== undefined;
  });
}
