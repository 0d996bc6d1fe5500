import type { Kysely } from 'kysely';
import { createRecent } from '../database/recent.ts';
import type { Schema } from '../database/schema.ts';
import { type AuditedTransaction, createAuditedTransaction } from './audit.ts';

/**
 * How alerts come to a channel: `thread`: under the watch's card only; `broadcast-critical`: there, and
 * critical ones shown in the channel as well; `new-message`: each as a message of its own.
 */
export const channelModes = ['thread', 'broadcast-critical', 'new-message'] as const;
export type ChannelMode = (typeof channelModes)[number];

/** Who sees an answer to what was typed in a channel, where the words end in neither. */
export const visibilities = ['private', 'public'] as const;
export type Visibility = (typeof visibilities)[number];

/** `members`: each may add watches and digests, and change those that stand there; `admins`: of the workspace. */
export const adders = ['members', 'admins'] as const;
export type Adders = (typeof adders)[number];

export interface ChannelSettings {
  mode: ChannelMode;
  visibility: Visibility;
  whoMayAdd: Adders;
}

export const defaultChannelSettings: ChannelSettings = {
  mode: 'broadcast-critical',
  visibility: 'private',
  whoMayAdd: 'members',
};

export interface ChannelKey {
  workspaceId: string;
  channelId: string;
}

/** The settings of one workspace's channels. */
export interface ChannelSettingsStore {
  /** Read anew each time, so that every instance has what was saved last. */
  read(channelId: string): Promise<ChannelSettings>;
  /** The same, but that what another instance has saved may show a second later: for what every command asks. */
  recent(channelId: string): Promise<ChannelSettings>;
  /** What is left out stays as it is. Gives back what holds now. */
  save(channelId: string, change: SettingsChange): Promise<ChannelSettings>;
}

export interface SettingsChange {
  change: Partial<ChannelSettings>;
  actorId: string;
  now: Date;
  id: string;
}

const keepMs = 1_000;

export function createChannelSettingsStore(options: {
  db: Kysely<Schema>;
  workspaceId: string;
  audited?: AuditedTransaction;
  /** Milliseconds of the real clock. */
  realNow: () => number;
}): ChannelSettingsStore {
  const { db, workspaceId, audited = createAuditedTransaction(db), realNow } = options;
  const read = (channelId: string) => readChannelSettings(db, { workspaceId, channelId });
  const recent = createRecent({ read, keepMs, realNow });
  return {
    read,
    recent: recent.get,
    async save(channelId, change) {
      const saved = await saveChannelSettings(audited, { workspaceId, channelId }, change);
      recent.changed(channelId);
      return saved;
    },
  };
}

/** The defaults where nobody chose otherwise. */
export async function readChannelSettings(
  db: Kysely<Schema>,
  { workspaceId, channelId }: ChannelKey,
): Promise<ChannelSettings> {
  const row = await db
    .selectFrom('channels')
    .select(['mode', 'visibility', 'who_may_add'])
    .where('workspace_id', '=', workspaceId)
    .where('channel_id', '=', channelId)
    .executeTakeFirst();
  const { visibility, whoMayAdd } = defaultChannelSettings;
  return {
    mode: readChannelMode(row?.mode),
    visibility: visibilities.find((known) => known === row?.visibility) ?? visibility,
    whoMayAdd: adders.find((known) => known === row?.who_may_add) ?? whoMayAdd,
  };
}

/** What is left out stays as it is. With its audit row, unless nothing changes. Gives back what holds now. */
export async function saveChannelSettings(
  audited: AuditedTransaction,
  { workspaceId, channelId }: ChannelKey,
  { change, actorId, now, id }: SettingsChange,
): Promise<ChannelSettings> {
  return await audited(async (transaction, record) => {
    // Two who save at once write one after the other, each against what the other left.
    await transaction
      .selectFrom('workspaces')
      .select('id')
      .where('id', '=', workspaceId)
      .forUpdate()
      .execute();
    const before = await readChannelSettings(transaction, { workspaceId, channelId });
    const after = { ...before, ...change };
    const { mode, visibility, whoMayAdd } = after;
    if (mode === before.mode && visibility === before.visibility && whoMayAdd === before.whoMayAdd)
      return after;
    const values = { mode, visibility, who_may_add: whoMayAdd, updated_at: now, updated_by: actorId };
    await transaction
      .insertInto('channels')
      .values({ workspace_id: workspaceId, channel_id: channelId, ...values })
      .onConflict((conflict) => conflict.columns(['workspace_id', 'channel_id']).doUpdateSet(values))
      .execute();
    await record({
      id,
      workspaceId,
      at: now,
      actorId,
      action: 'channel.settings',
      subject: 'the settings',
      channelId,
      before,
      after,
    });
    return after;
  });
}

/** What the table holds, or the default where it holds nothing. */
export function readChannelMode(text: string | null | undefined): ChannelMode {
  return channelModes.find((mode) => mode === text) ?? defaultChannelSettings.mode;
}
