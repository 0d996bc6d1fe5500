import type { Kysely } from 'kysely';
import { createRecent } from '../database/recent.ts';
import type { Schema } from '../database/schema.ts';
import { type AuditedTransaction, createAuditedTransaction } from './audit.ts';

/**
 * Where a channel's alerts appear. `thread`: under the watch's card only; `broadcast-critical`: there, and critical
 * ones in the channel as well; `new-message`: each as a separate message.
 */
export const channelModes = ['thread', 'broadcast-critical', 'new-message'] as const;
export type ChannelMode = (typeof channelModes)[number];

/** Who sees the answer to a line that ends in neither `public` nor `private`. */
export const visibilities = ['private', 'public'] as const;
export type Visibility = (typeof visibilities)[number];

/** Who may add watches and digests to a channel and change those in it. `admins`: of the workspace. */
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

interface ChannelKey {
  workspaceId: string;
  channelId: string;
}

/** The settings of one workspace's channels. */
export interface ChannelSettingsStore {
  /** Always from the database. */
  read(channelId: string): Promise<ChannelSettings>;
  /** May be a second old: for what every command reads. */
  recent(channelId: string): Promise<ChannelSettings>;
  /** Changes only what is given; returns the settings after it. */
  save(channelId: string, change: SettingsChange): Promise<ChannelSettings>;
}

interface SettingsChange {
  change: Partial<ChannelSettings>;
  actorId: string;
  now: Date;
  id: string;
}

const maxAgeMs = 1_000;

export function createChannelSettingsStore(options: {
  db: Kysely<Schema>;
  workspaceId: string;
  audited?: AuditedTransaction;
  realNow: () => number;
}): ChannelSettingsStore {
  const { db, workspaceId, audited = createAuditedTransaction(db), realNow } = options;
  const read = (channelId: string) => readChannelSettings(db, { workspaceId, channelId });
  const recent = createRecent({ read, maxAgeMs, realNow });
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

/** Changes only what is given, and writes an audit row if anything changed; returns the settings after it. */
export async function saveChannelSettings(
  audited: AuditedTransaction,
  { workspaceId, channelId }: ChannelKey,
  { change, actorId, now, id }: SettingsChange,
): Promise<ChannelSettings> {
  return await audited(async (transaction, record) => {
    // Locks the workspace's row, so that each of two concurrent saves sees the other's result.
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

/** The default for an unknown mode. */
export function readChannelMode(text: string | null | undefined): ChannelMode {
  return channelModes.find((mode) => mode === text) ?? defaultChannelSettings.mode;
}
