import type { Installation } from '../web-api/installation.ts';
import type { Store } from '../world/store.ts';
import type { Channel } from '../world/world.ts';
import type { Events } from './events.ts';

/**
 * What members and admins do to channels and to the app. Each tells the app what Slack would, and resolves
 * once it has been told. Unknown channels and what is so already change nothing.
 */
export interface Controls {
  archive(channelId: string): Promise<void>;
  unarchive(channelId: string): Promise<void>;
  /** Without a user: the app. */
  addMember(channelId: string, userId?: string): Promise<void>;
  removeMember(channelId: string, userId?: string): Promise<void>;
  /** The bot token gets `token_revoked` from now on. */
  revokeToken(): Promise<void>;
  /** The bot token gets `account_inactive` from now on. */
  uninstall(): Promise<void>;
  /** Both tokens are good again. */
  reinstall(): void;
}

export function createControls(options: {
  store: Store;
  events: Events;
  installation: Installation;
  /** A channel is not as it was. */
  onChange: () => void;
}): Controls {
  const { store, events, installation } = options;
  const { botUserId } = store.world.app;
  /** Who does it: the workspace's admin. */
  const actor = store.world.users.find((user) => user.isAdmin)?.id ?? '';

  async function setArchived(channelId: string, isArchived: boolean): Promise<void> {
    const channel = store.channel(channelId);
    if (!channel || (channel.isArchived ?? false) === isArchived) return;
    channel.isArchived = isArchived;
    options.onChange();
    const type = `${prefix(channel)}_${isArchived ? 'archive' : 'unarchive'}`;
    await events.tell({ type, channel: channel.id, user: actor }, channel);
  }

  return {
    archive: (channelId) => setArchived(channelId, true),
    unarchive: (channelId) => setArchived(channelId, false),
    async addMember(channelId, userId = botUserId) {
      const channel = store.channel(channelId);
      if (!channel || channel.memberIds.includes(userId)) return;
      channel.memberIds = [...channel.memberIds, userId];
      options.onChange();
      const joined = { user: userId, channel: channel.id, inviter: actor, team: store.world.team.id };
      const type = 'member_joined_channel';
      await events.tell({ type, channel_type: letter(channel), ...joined }, channel);
    },
    async removeMember(channelId, userId = botUserId) {
      const channel = store.channel(channelId);
      if (!channel?.memberIds.includes(userId)) return;
      channel.memberIds = channel.memberIds.filter((id) => id !== userId);
      options.onChange();
      const left = { user: userId, channel: channel.id, team: store.world.team.id };
      await events.tell({ type: 'member_left_channel', channel_type: letter(channel), ...left }, channel);
      if (userId !== botUserId) return;
      await events.tell({ type: `${prefix(channel)}_left`, channel: channel.id, actor_id: actor }, channel);
    },
    async revokeToken() {
      installation.set('token_revoked');
      await events.tell({ type: 'tokens_revoked', tokens: { oauth: [], bot: [botUserId] } });
    },
    async uninstall() {
      installation.set('account_inactive');
      await events.tell({ type: 'tokens_revoked', tokens: { oauth: [], bot: [botUserId] } });
      await events.tell({ type: 'app_uninstalled' });
    },
    reinstall: () => installation.set('installed'),
  };
}

const prefix = (channel: Channel): string => (channel.kind === 'private' ? 'group' : 'channel');
const letter = (channel: Channel): string => (channel.kind === 'private' ? 'G' : 'C');
