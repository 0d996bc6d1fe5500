import type { JsonObject } from '../json.ts';
import type { EndReason, Installation } from '../web-api/installation.ts';
import type { Store } from '../world/store.ts';
import type { Channel } from '../world/world.ts';
import type { Events } from './events.ts';

/**
 * The actions of members and admins on channels and on the app. Each sends the app the events that Slack would
 * send, and resolves once they are delivered. An unknown channel or a repeated action changes nothing.
 */
export interface Controls {
  archive(channelId: string): Promise<void>;
  unarchive(channelId: string): Promise<void>;
  /** Shares the channel with the other organisation (Slack Connect), whose workspace may be its host. */
  share(channelId: string, by?: { hostTeamId: string }): Promise<void>;
  /** Adds the user, by default the app. */
  addMember(channelId: string, userId?: string): Promise<void>;
  removeMember(channelId: string, userId?: string): Promise<void>;
  /**
   * From now on calls with the bot token get `token_revoked`. With several workspaces, deliveries to this one (by default
   * the first) end.
   */
  revokeToken(teamId?: string): Promise<void>;
  /** The same with `account_inactive`, and with the event `app_uninstalled`. */
  uninstall(teamId?: string): Promise<void>;
  /** The organisation in which the app is installed gains or loses the workspace: see `InstallSettings.apart`. */
  grantAccess(teamId?: string): Promise<void>;
  revokeAccess(teamId?: string): Promise<void>;
  /** Makes both tokens valid again. Throws if the app is installed by OAuth. */
  reinstall(): void;
}

export type LastEvent = 'tokens_revoked' | 'app_uninstalled';

export function createControls(options: {
  store: Store;
  events: Events;
  installation: Installation;
  /** The events of an uninstall, in their order. */
  lastEvents?: () => readonly LastEvent[];
  /** Called after a channel or its members have changed. */
  onChange: () => void;
}): Controls {
  const { store, events, installation } = options;
  const bot = () => store.world.app.botUserId;
  /** All changes are made in the name of the workspace's admin. */
  const actor = store.world.users.find((user) => user.isAdmin)?.id ?? '';

  async function setArchived(channelId: string, isArchived: boolean): Promise<void> {
    const channel = store.channel(channelId);
    if (!channel || (channel.isArchived ?? false) === isArchived) return;
    channel.isArchived = isArchived;
    options.onChange();
    const type = `${prefix(channel)}_${isArchived ? 'archive' : 'unarchive'}`;
    await events.emit({ type, channel: channel.id, user: actor }, channel);
  }

  async function end(reason: EndReason, types: readonly LastEvent[]): Promise<void> {
    const last = installation.end(reason);
    if (!last) return;
    for (const type of types) {
      const tokens: JsonObject = { tokens: { oauth: [], bot: [last.botUserId] } };
      await events.emitLast({ type, ...(type === 'tokens_revoked' ? tokens : {}) }, last);
    }
  }

  async function setAccess(isGranted: boolean): Promise<void> {
    const organisation = installation.setAccess({ isGranted });
    const type = isGranted ? 'team_access_granted' : 'team_access_revoked';
    if (organisation) await events.emitLast({ type, team_ids: [store.world.team.id] }, organisation);
  }

  return {
    archive: (channelId) => setArchived(channelId, true),
    unarchive: (channelId) => setArchived(channelId, false),
    async share(channelId, by) {
      const channel = store.channel(channelId);
      if (!channel || channel.isShared) return;
      channel.isShared = true;
      if (by) channel.hostTeamId = by.hostTeamId;
      options.onChange();
      const connected_team_id = by?.hostTeamId ?? store.world.outsideTeam.id;
      await events.emit({ type: 'channel_shared', channel: channel.id, connected_team_id }, channel);
    },
    async addMember(channelId, userId = bot()) {
      const channel = store.channel(channelId);
      if (!channel || channel.memberIds.includes(userId)) return;
      channel.memberIds = [...channel.memberIds, userId];
      options.onChange();
      const joined = { user: userId, channel: channel.id, inviter: actor, team: store.world.team.id };
      const type = 'member_joined_channel';
      await events.emit({ type, channel_type: channelType(channel), ...joined }, channel);
    },
    async removeMember(channelId, userId = bot()) {
      const channel = store.channel(channelId);
      if (!channel?.memberIds.includes(userId)) return;
      channel.memberIds = channel.memberIds.filter((id) => id !== userId);
      options.onChange();
      const left = { user: userId, channel: channel.id, team: store.world.team.id };
      await events.emit(
        { type: 'member_left_channel', channel_type: channelType(channel), ...left },
        channel,
      );
      if (userId !== bot()) return;
      await events.emit({ type: `${prefix(channel)}_left`, channel: channel.id, actor_id: actor }, channel);
    },
    revokeToken: () => end('token_revoked', ['tokens_revoked']),
    uninstall: () => end('account_inactive', options.lastEvents?.() ?? ['tokens_revoked', 'app_uninstalled']),
    grantAccess: () => setAccess(true),
    revokeAccess: () => setAccess(false),
    reinstall: installation.restore,
  };
}

const prefix = (channel: Channel): string => (channel.kind === 'private' ? 'group' : 'channel');
const channelType = (channel: Channel): string => (channel.kind === 'private' ? 'G' : 'C');
