import { dm } from './create-world.ts';
import type { Store } from './store.ts';
import { SLACKBOT } from './world.ts';

/**
 * The app's bot user as a member of the workspace. Installed, it has a direct message with each person and is in the
 * channels to which people have added it. Uninstalled, it is in no conversation; its messages stay.
 */
export function createPresence(store: Store) {
  const { world } = store;
  /** Public and private channels. */
  const channels = () => [...store.channels()].filter((channel) => channel.kind !== 'dm');

  function leave(botUserId: string): void {
    for (const channel of store.channels()) {
      channel.memberIds = channel.memberIds.filter((id) => id !== botUserId);
    }
  }

  function arrive(bot: { botId: string; botUserId: string }): void {
    const previous = store.user(world.app.botUserId);
    if (previous) store.addUser({ ...previous, id: bot.botUserId });
    world.app = { ...world.app, ...bot };
    for (const user of world.users) {
      if (user.isBot || user.id === SLACKBOT) continue;
      const channel = store.directMessage(user.id);
      if (channel) channel.memberIds = dm(user.id, bot.botUserId).memberIds;
    }
  }

  return {
    /** Makes the workspace as it is with this bot user, or without any. */
    update(bot: { botId: string; botUserId: string } | undefined): void {
      if (bot?.botUserId !== world.app.botUserId) leave(world.app.botUserId);
      if (bot) arrive(bot);
    },
    /** The channels that the bot is in. */
    channelIds: (): string[] =>
      channels()
        .filter(({ memberIds }) => memberIds.includes(world.app.botUserId))
        .map(({ id }) => id),
    /** Adds the bot to the channels it was in during an earlier run. */
    restore(channelIds: readonly string[]): void {
      for (const channel of channels()) {
        const isMember = channel.memberIds.includes(world.app.botUserId);
        if (!isMember && channelIds.includes(channel.id)) {
          channel.memberIds = [...channel.memberIds, world.app.botUserId];
        }
      }
    },
  };
}

export type Presence = ReturnType<typeof createPresence>;
