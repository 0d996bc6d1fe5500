import type { AllWorkspaces } from '../database/workspace-store.ts';
import { messageOf, StoreUnavailable } from '../errors.ts';
import { type BotTokenOptions, NotInstalledError } from './bot-token.ts';
import { takeOver } from './save-installation.ts';
import { deleteWorkspace } from './workspaces.ts';

/** Slack says that an installation has ended. It may say so late, twice, and in any order. */
export interface LifecycleEvent {
  /** `revoked`: the bot's token is no longer valid; the app may still be installed. */
  kind: 'uninstalled' | 'revoked';
  teamId: string | undefined;
  enterpriseId: string | undefined;
  isOrgWide: boolean;
  /** When it happened, on Slack's clock. */
  at: Date;
}

/** `ignored`: it is about an earlier installation, or about none. */
export type Ended = { outcome: 'ignored' } | { outcome: 'revoked' | 'ended'; workspaceIds: string[] };

interface EndOptions extends Pick<BotTokenOptions, 'db' | 'oauth' | 'realNow' | 'logger'> {
  tokens: { get(installationId: string): Promise<string>; invalidate(installationId: string): void };
  /** As Slack lists them, by installation. */
  teams: { get(installationId: string, options: { fresh: boolean }): Promise<ReadonlySet<string>> };
  /** Called as soon as the workspaces are no longer installed, or moved, before any rows are deleted. */
  onChanged(installationId: string, workspaceIds: readonly string[]): void;
}

/** Slack may date an event by when it was sent, so one that seems newer than a quick re-install may be older. */
const doubtMs = 10 * 60_000;
/** Takes about half a minute. */
const checksAtOnce = 300;
const revokedForMs = 30 * 24 * 3_600_000;

/**
 * An event counts if it is newer than the installation, by Slack's clock on both sides. Where that is not certain, Slack
 * is asked: an installation has ended only if Slack no longer accepts its token.
 */
export function createEndInstallation({ db, oauth, realNow, logger, tokens, teams, onChanged }: EndOptions) {
  /** The last installation that `checkTokens` asked about. */
  let checkedUpTo = '';

  /** True if Slack accepts the token; undefined if it doesn't say. */
  async function isAlive(id: string): Promise<boolean | undefined> {
    // Another process may have refreshed it.
    tokens.invalidate(id);
    try {
      return await oauth.accepts(await tokens.get(id));
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error;
      return error instanceof NotInstalledError ? false : undefined;
    }
  }

  async function endOlderThan(event: LifecycleEvent): Promise<Ended> {
    const found = await findInstallation(db, event);
    if (!found) return { outcome: 'ignored' };
    const { id, installedAt, isOfOrganisation } = found;
    const newerByMs = event.at.getTime() - installedAt.getTime();
    if (newerByMs < 0) return { outcome: 'ignored' };
    // The organisation may have taken over the workspace, whose own installation then ended.
    // The event of an organisation may be about one of its workspaces only.
    // Both times are in whole seconds, so an install may be followed by its end within the same one.
    const mustBeDead = isOfOrganisation || found.isOrgWide || newerByMs === 0;
    const mayBeAlive = event.kind === 'revoked' || newerByMs < doubtMs;
    if (mustBeDead || mayBeAlive) {
      const isAccepted = await isAlive(id);
      if (isAccepted && found.isOrgWide) return await endUnlisted(id);
      if (isAccepted || (isAccepted === undefined && mustBeDead)) return { outcome: 'ignored' };
    }
    return event.kind === 'revoked' ? await revoke(found, event.at) : await end(found);
  }

  /** The data stays for a while, for an install that may follow. */
  async function revoke({ id, installedAt }: Found, at: Date): Promise<Ended> {
    const { numUpdatedRows } = await db
      .updateTable('installations')
      .set({ revoked_at: at })
      .where('id', '=', id)
      .where('installed_at', '=', installedAt)
      .where('revoked_at', 'is', null)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return { outcome: 'ignored' };
    const rows = await db.selectFrom('workspaces').select('id').where('installation_id', '=', id).execute();
    const workspaceIds = rows.map((row) => row.id);
    onChanged(id, workspaceIds);
    return { outcome: 'revoked', workspaceIds };
  }

  /** Its secrets go at once, then the rows of its workspaces. If the process dies, `finishUninstalls` goes on. */
  async function end({ id, installedAt }: Found): Promise<Ended> {
    const workspaceIds = await db.transaction().execute(async (transaction) => {
      const locked = await transaction
        .selectFrom('installations')
        .select('id')
        .where('id', '=', id)
        // It may have been installed again meanwhile.
        .where('installed_at', '=', installedAt)
        .forUpdate()
        .executeTakeFirst();
      if (!locked) return undefined;
      const ended = await markEnded(transaction, id);
      await transaction.deleteFrom('installations').where('id', '=', id).execute();
      return ended;
    });
    return workspaceIds ? await deleteEnded(id, workspaceIds) : { outcome: 'ignored' };
  }

  /** Of an installation; only those of `workspaceIds`, if it is set. */
  async function markEnded(transaction: AllWorkspaces, id: string, workspaceIds?: readonly string[]) {
    await giveBack(transaction, id);
    const ended = await transaction
      .updateTable('workspaces')
      .set({ uninstalled_at: new Date(realNow()) })
      .where('installation_id', '=', id)
      .$if(workspaceIds !== undefined, (query) => query.where('id', 'in', workspaceIds ?? []))
      .returning('id')
      .execute();
    return ended.map((row) => row.id);
  }

  async function deleteEnded(id: string, workspaceIds: string[]): Promise<Ended> {
    onChanged(id, workspaceIds);
    for (const workspaceId of workspaceIds) await deleteWorkspace(db, workspaceId);
    return { outcome: 'ended', workspaceIds };
  }

  /**
   * Ends the workspaces of an organisation's installation that Slack lists no more, and takes over those of that
   * organisation that it lists now. Does nothing if Slack gives no list; nor, unless an event announced the change, if
   * that list is empty.
   */
  async function endUnlisted(id: string, { isAnnounced = true } = {}): Promise<Ended> {
    // Before the list: one that is added meanwhile may be missing in it.
    const served = await db.selectFrom('workspaces').select('id').where('installation_id', '=', id).execute();
    const listed = await listTeams(id);
    if (!listed || (listed.size === 0 && !isAnnounced)) return { outcome: 'ignored' };
    const taken = await db.transaction().execute(async (transaction) => {
      const locked = transaction.selectFrom('installations').select('id').where('id', '=', id);
      if (!(await locked.forNoKeyUpdate().executeTakeFirst())) return [];
      return await takeOver(transaction, { id, listed });
    });
    onChanged(id, taken);
    const unlisted = served.flatMap((row) => (listed.has(row.id) ? [] : [row.id]));
    if (unlisted.length === 0) return { outcome: 'ignored' };
    return await deleteEnded(id, await markEnded(db, id, unlisted));
  }

  async function listTeams(id: string): Promise<ReadonlySet<string> | undefined> {
    try {
      return await teams.get(id, { fresh: true });
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error;
      logger.warn({ installation: id, reason: messageOf(error) }, 'Slack gave no list of its workspaces');
      return undefined;
    }
  }

  /** After Slack refused the token in a request: the event may have been lost. */
  async function checkToken(id: string): Promise<void> {
    const found = await readInstallation(db, id);
    if (!found || (await isAlive(id)) !== false) return;
    const { outcome } = await revoke(found, new Date(realNow()));
    if (outcome === 'revoked') logger.warn({ installation: id }, 'Slack accepts the token no more');
  }

  /** Asks Slack about some installations and their workspaces, the next ones each time. */
  async function checkTokens(): Promise<void> {
    const next = db
      .selectFrom('installations')
      .select(['id', 'is_org_wide'])
      .where('revoked_at', 'is', null)
      .orderBy('id');
    const rows = await next.where('id', '>', checkedUpTo).limit(checksAtOnce).execute();
    for (const { id, is_org_wide: isOrgWide } of rows) {
      await checkToken(id);
      if (isOrgWide) await endUnlisted(id, { isAnnounced: false });
    }
    checkedUpTo = rows.length < checksAtOnce ? '' : (rows.at(-1)?.id ?? '');
  }

  return {
    /** Slack said that the app was uninstalled, or its token revoked. */
    endOlderThan,
    /** Slack said that an organisation's installation gained or lost workspaces: ends those that it doesn't list. */
    endUnlisted,
    /** Call after Slack refused the token: it counts as revoked, unless Slack accepts it after all. */
    checkToken,
    /**
     * Deletes what was revoked 30 days ago, and not installed again. Asks Slack about the others, some at a time, as events
     * are lost while no process runs. Call it now and then.
     */
    async endRevoked(): Promise<void> {
      const before = new Date(realNow() - revokedForMs);
      const rows = await db
        .selectFrom('installations')
        .select(['id', 'installed_at', 'is_org_wide'])
        .where('revoked_at', '<', before)
        .execute();
      for (const row of rows) await end(toFound(row));
      await checkTokens();
    },
  };
}

/** Earlier versions moved workspaces that have an installation of their own into that of an organisation. */
async function giveBack(transaction: AllWorkspaces, id: string): Promise<void> {
  await transaction
    .updateTable('workspaces')
    .from('installations')
    .set((where) => ({
      installation_id: where.ref('installations.id'),
      enterprise_id: where.ref('installations.enterprise_id'),
    }))
    .whereRef('installations.id', '=', 'workspaces.id')
    .where('workspaces.installation_id', '=', id)
    .where('workspaces.id', '<>', id)
    .execute();
}

interface Found {
  id: string;
  installedAt: Date;
  isOrgWide: boolean;
}

const toFound = (row: { id: string; installed_at: Date; is_org_wide: boolean }): Found => ({
  id: row.id,
  installedAt: row.installed_at,
  isOrgWide: row.is_org_wide,
});

async function readInstallation(db: AllWorkspaces, id: string): Promise<Found | undefined> {
  const query = db.selectFrom('installations').select(['id', 'installed_at', 'is_org_wide']);
  const row = await query.where('id', '=', id).executeTakeFirst();
  return row && toFound(row);
}

async function findInstallation(
  db: AllWorkspaces,
  { teamId, enterpriseId, isOrgWide }: LifecycleEvent,
): Promise<(Found & { isOfOrganisation: boolean }) | undefined> {
  const read = async (id: string | undefined, isOfOrganisation: boolean) => {
    const found = id ? await readInstallation(db, id) : undefined;
    return found && { ...found, isOfOrganisation };
  };
  if (isOrgWide) return await read(enterpriseId, false);
  const own = await read(teamId, false);
  if (own || !teamId) return own;
  const workspace = await db
    .selectFrom('workspaces')
    .select('installation_id')
    .where('id', '=', teamId)
    .executeTakeFirst();
  return await read(workspace?.installation_id ?? undefined, true);
}
