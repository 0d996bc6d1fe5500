import type { Kysely } from 'kysely';
import type { Schema } from '../../src/database/schema.ts';
import { storeOf } from '../../src/database/workspace-store.ts';
import { type ChannelSettingsStore, createChannelSettingsStore } from '../../src/workspaces/settings.ts';

/** Saves settings as another process does, past the caches of this one. */
export const saveChannelSettings = (
  db: Kysely<Schema>,
  { workspaceId, channelId }: { workspaceId: string; channelId: string },
  change: Parameters<ChannelSettingsStore['save']>[1],
) =>
  createChannelSettingsStore({ store: storeOf(db, workspaceId), realNow: Date.now }).save(channelId, change);
