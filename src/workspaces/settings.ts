import { isDeepStrictEqual } from 'node:util';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Schema } from '../database/schema.ts';
import { createShortCache } from '../database/short-cache.ts';
import { UserError } from '../errors.ts';
import { type AuditedTransaction, createAuditedTransaction } from './audit.ts';
import { lockWorkspace } from './lock-workspace.ts';

/**
 * Where a channel's alerts appear. `thread`: only under the watch's card; `broadcast-critical`: there, and critical
 * ones in the channel as well; `new-message`: each as a separate message.
 */
export const channelModes = ['thread', 'broadcast-critical', 'new-message'] as const;

/** Decides who sees the answer to a line that ends in neither `public` nor `private`. */
export const visibilities = ['private', 'public'] as const;

/** The people who may add and change watches and digests in a channel. `admins`: of the workspace. */
export const whoMayAddChoices = ['members', 'admins'] as const;

/** What guests may do: only ask questions, the same as members, or nothing. */
export const guestRights = ['ask', 'full', 'none'] as const;

// An unknown value in the database counts as the default: a later version may have written it.
const guestSetting = z.enum(guestRights).catch('ask');
const channelSettings = z.object({
  mode: z.enum(channelModes).catch('broadcast-critical'),
  visibility: z.enum(visibilities).catch('private'),
  whoMayAdd: z.enum(whoMayAddChoices).catch('members'),
});

export type GuestRights = z.infer<typeof guestSetting>;
export type ChannelSettings = z.infer<typeof channelSettings>;
export type ChannelMode = ChannelSettings['mode'];
export type Visibility = ChannelSettings['visibility'];
export type WhoMayAdd = ChannelSettings['whoMayAdd'];

export const defaultChannelSettings: ChannelSettings = channelSettings.parse({});

/** Returns the default for an unknown mode. */
export const readChannelMode = (text: unknown): ChannelMode => channelSettings.shape.mode.parse(text);

interface SettingsOptions {
  db: Kysely<Schema>;
  workspaceId: string;
  audited?: AuditedTransaction;
  realNow: () => number;
}

export type ChannelSettingsStore = ReturnType<typeof createChannelSettingsStore>;

/** The settings of one workspace's channels. */
export function createChannelSettingsStore(options: SettingsOptions) {
  const { db, workspaceId, audited = createAuditedTransaction(db), realNow } = options;
  const read = (channelId: string) => readChannelSettings(db, { workspaceId, channelId });
  const cache = createShortCache({ read, realNow });
  return {
    get: read,
    /** At most a second old. */
    getCached: cache.get,
    /** Changes only the given settings; returns all of them. A change is audited under `id`. */
    async save(
      channelId: string,
      options: { change: Partial<ChannelSettings>; actorId: string; now: Date; id: string },
    ): Promise<ChannelSettings> {
      const { change, actorId, now, id } = options;
      const saved = await audited(async (transaction, record) => {
        await lockWorkspace(transaction, workspaceId);
        const before = await readChannelSettings(transaction, { workspaceId, channelId });
        const after = { ...before, ...change };
        if (isDeepStrictEqual(before, after)) return after;
        const { mode, visibility, whoMayAdd } = after;
        const values = { mode, visibility, who_may_add: whoMayAdd, updated_at: now, updated_by: actorId };
        await transaction
          .insertInto('channels')
          .values({ workspace_id: workspaceId, channel_id: channelId, ...values })
          .onConflict((conflict) => conflict.columns(['workspace_id', 'channel_id']).doUpdateSet(values))
          .execute();
        const entry = { id, workspaceId, at: now, actorId, channelId, before, after };
        await record({ ...entry, action: 'channel.settings', subject: 'the settings' });
        return after;
      });
      cache.invalidate(channelId);
      return saved;
    },
  };
}

export type GuestSetting = ReturnType<typeof createGuestSetting>;

/** What guests may do: one setting for the whole workspace. */
export function createGuestSetting(options: SettingsOptions & { now: () => Date; newId: () => string }) {
  const { db, workspaceId, audited = createAuditedTransaction(db), now, newId, realNow } = options;
  const cache = createShortCache({ read: (id) => readGuests(db, id), realNow });
  return {
    get: () => readGuests(db, workspaceId),
    /** At most a second old. */
    getCached: () => cache.get(workspaceId),
    /** Writes an audit row if anything changed; returns the former setting. Throws UserError unless the actor is an admin. */
    async change(
      guests: GuestRights,
      { userId: actorId, isAdmin }: { userId: string; isAdmin: boolean },
    ): Promise<GuestRights> {
      if (!isAdmin) {
        throw new UserError({
          code: 'not-allowed',
          message: 'Only workspace admins choose what guests may do. Nothing was saved.',
          example: 'landfall settings',
        });
      }
      const entry = { workspaceId, actorId, at: now(), id: newId() };
      const former = await audited(async (transaction, record) => {
        await lockWorkspace(transaction, workspaceId);
        const before = await readGuests(transaction, workspaceId);
        if (before === guests) return before;
        await transaction.updateTable('workspaces').set({ guests }).where('id', '=', workspaceId).execute();
        const subject = 'the settings of the workspace';
        const change = { before: { guests: before }, after: { guests } };
        await record({ ...entry, action: 'workspace.settings', subject, ...change });
        return before;
      });
      cache.invalidate(workspaceId);
      return former;
    },
  };
}

async function readGuests(db: Kysely<Schema>, workspaceId: string): Promise<GuestRights> {
  const query = db.selectFrom('workspaces').select('guests').where('id', '=', workspaceId);
  return guestSetting.parse((await query.executeTakeFirst())?.guests);
}

export async function readChannelSettings(
  db: Kysely<Schema>,
  { workspaceId, channelId }: { workspaceId: string; channelId: string },
): Promise<ChannelSettings> {
  const row = await db
    .selectFrom('channels')
    .select(['mode', 'visibility', 'who_may_add'])
    .where('workspace_id', '=', workspaceId)
    .where('channel_id', '=', channelId)
    .executeTakeFirst();
  return channelSettings.parse({ ...row, whoMayAdd: row?.who_may_add });
}
