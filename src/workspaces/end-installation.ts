import type { Kysely } from 'kysely';
import type { Schema } from '../database/schema.ts';
import { type BotTokenOptions, NotInstalledError } from './bot-token.ts';
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

interface EndOptions extends Pick<BotTokenOptions, 'db' | 'oauth' | 'realNow'> {
  readToken(installationId: string): Promise<{ token: string }>;
  /** Called as soon as the workspaces are no longer installed, before their rows are deleted. */
  onEnded(installationId: string, workspaceIds: readonly string[]): void;
}

/** Slack may date an event by when it was sent, so one that seems newer than a quick re-install may be older. */
const doubtMs = 10 * 60_000;
const revokedForMs = 30 * 24 * 3_600_000;

/**
 * An event counts if it is newer than the installation, by Slack's clock on both sides. Where that is not certain, Slack
 * is asked: an installation whose token it accepts has not ended.
 */
export function createEndInstallation({ db, oauth, realNow, readToken, onEnded }: EndOptions) {
  /** True if Slack accepts the token; undefined if it doesn't say. */
  async function isAlive(id: string): Promise<boolean | undefined> {
    try {
      return await oauth.accepts((await readToken(id)).token);
    } catch (error) {
      if (error instanceof NotInstalledError) return false;
      throw error;
    }
  }

  async function olderThan(event: LifecycleEvent): Promise<Ended> {
    const found = await findInstallation(db, event);
    if (!found || found.installedAt >= event.at) return { outcome: 'ignored' };
    const { id, installedAt, isOfOrganisation } = found;
    // The organisation may have taken over the workspace, whose own installation then ended.
    if (isOfOrganisation) {
      if ((await isAlive(id)) !== false) return { outcome: 'ignored' };
    } else if (event.kind === 'revoked' || event.at.getTime() - installedAt.getTime() < doubtMs) {
      if (await isAlive(id)) return { outcome: 'ignored' };
    }
    return event.kind === 'revoked' ? await revoke(id, event.at) : await end(id, event.at);
  }

  /** The data stays for a while, for an install that may follow. */
  async function revoke(id: string, at: Date): Promise<Ended> {
    const { numUpdatedRows } = await db
      .updateTable('installations')
      .set({ revoked_at: at })
      .where('id', '=', id)
      .where('installed_at', '<', at)
      .where('revoked_at', 'is', null)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return { outcome: 'ignored' };
    const rows = await db.selectFrom('workspaces').select('id').where('installation_id', '=', id).execute();
    const workspaceIds = rows.map((row) => row.id);
    onEnded(id, workspaceIds);
    return { outcome: 'revoked', workspaceIds };
  }

  /** Its secrets go at once, then the rows of its workspaces. If the process dies, `finishUninstalls` goes on. */
  async function end(id: string, olderThanDate: Date): Promise<Ended> {
    const workspaceIds = await db.transaction().execute(async (transaction) => {
      const locked = await transaction
        .selectFrom('installations')
        .select('id')
        .where('id', '=', id)
        .where('installed_at', '<', olderThanDate)
        .forUpdate()
        .executeTakeFirst();
      if (!locked) return undefined;
      const ended = await transaction
        .updateTable('workspaces')
        .set({ uninstalled_at: new Date(realNow()) })
        .where('installation_id', '=', id)
        .returning('id')
        .execute();
      await transaction.deleteFrom('installations').where('id', '=', id).execute();
      return ended.map((row) => row.id);
    });
    if (!workspaceIds) return { outcome: 'ignored' };
    onEnded(id, workspaceIds);
    for (const workspaceId of workspaceIds) await deleteWorkspace(db, workspaceId);
    return { outcome: 'ended', workspaceIds };
  }

  return {
    olderThan,
    /** After Slack refused the token in a request: the event may have been lost. */
    async checkToken(id: string): Promise<void> {
      const row = await db.selectFrom('installations').select('id').where('id', '=', id).executeTakeFirst();
      if (row && (await isAlive(id)) === false) await revoke(id, new Date(realNow()));
    },
    /** Deletes what was revoked 30 days ago. */
    async revokedLongAgo(): Promise<void> {
      const before = new Date(realNow() - revokedForMs);
      const rows = await db
        .selectFrom('installations')
        .select(['id', 'revoked_at'])
        .where('revoked_at', '<', before)
        .execute();
      // An install that came meanwhile is newer.
      for (const { id, revoked_at } of rows) if (revoked_at) await end(id, revoked_at);
    },
  };
}

async function findInstallation(
  db: Kysely<Schema>,
  { teamId, enterpriseId, isOrgWide }: LifecycleEvent,
): Promise<{ id: string; installedAt: Date; isOfOrganisation: boolean } | undefined> {
  const read = async (id: string | undefined, isOfOrganisation: boolean) => {
    if (!id) return undefined;
    const query = db.selectFrom('installations').select('installed_at').where('id', '=', id);
    const row = await query.executeTakeFirst();
    return row && { id, installedAt: row.installed_at, isOfOrganisation };
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
