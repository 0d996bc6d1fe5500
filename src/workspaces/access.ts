import type { Kysely } from 'kysely';
import type { Schema } from '../database/schema.ts';
import { readChannelSettings } from './channels.ts';
import { type Actor, type Asker, mayAdd, mayChange, mayUse, type Owned } from './permissions.ts';

/** permissions.ts, with the lookups that it needs: a person's channels, a channel's settings. */
export interface Access {
  mayUse(channelId: string, actor: Actor): Promise<boolean>;
  mayAdd(channelId: string, actor: Actor): Promise<boolean>;
  mayChange(thing: Owned, actor: Actor): Promise<boolean>;
  /** The channels that a person is in, as far as the bot can see them. */
  channelsOf(userId: string): Promise<ReadonlySet<string>>;
}

interface AccessOptions {
  db: Kysely<Schema>;
  workspaceId: string;
  /** May be a minute old, so somebody removed from a channel has their rights there for that long. */
  channelsOf: (userId: string) => Promise<ReadonlySet<string>>;
}

export function createAccess({ db, workspaceId, channelsOf }: AccessOptions): Access {
  /** Anybody who writes or clicks in a channel is in it; Slack is asked about all others. */
  const askerOf = async ({ userId, isAdmin, ...actor }: Actor, channelId: string): Promise<Asker> => {
    const isHere = (actor.channelId === channelId && !actor.mayHaveLeft) || userId === channelId;
    return { userId, isAdmin, channels: isHere ? new Set([channelId]) : await channelsOf(userId) };
  };

  const whoMayAdd = async (channelId: string) =>
    (await readChannelSettings(db, { workspaceId, channelId })).whoMayAdd;

  return {
    channelsOf,
    mayUse: async (channelId, actor) => mayUse(channelId, await askerOf(actor, channelId)),
    mayAdd: async (channelId, actor) =>
      mayAdd(channelId, await askerOf(actor, channelId), await whoMayAdd(channelId)),
    async mayChange(thing, actor) {
      const { channelId } = thing;
      // Owners and admins need no question to Slack.
      const known = mayChange(thing, { ...actor, channels: new Set() }, 'admins');
      return known || mayChange(thing, await askerOf(actor, channelId), await whoMayAdd(channelId));
    },
  };
}
