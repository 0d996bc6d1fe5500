import type { WorkspaceStore } from '../database/workspace-store.ts';
import { UserError } from '../errors.ts';
import { readChannelSettings, type WhoMayAdd } from './settings.ts';

/** A person who acts in a channel. On the Home tab `channelId` is the person's own id. */
export interface Actor {
  userId: string;
  isAdmin: boolean;
  channelId: string;
  /** They opened a form in that channel some time ago, so Slack has to be asked whether they are still members. */
  mayHaveLeft?: boolean;
  /** They allow people of other organisations to see what they set up in this channel. */
  allowsOutsidersIn?: string;
}

/** A person, with the channels that they are in, as far as the bot can see them. */
interface Requester {
  userId: string;
  isAdmin: boolean;
  channels: ReadonlySet<string>;
}

/** A watch or a digest. */
interface Owned {
  ownerId: string;
  channelId: string;
  /** Only its owner sees it: `channelId` is their direct message (a watch) or their own id (a digest). */
  isPersonal: boolean;
}

/** May they see a channel's watches and digests, acknowledge alerts and refresh? Its members may. */
export function mayUse(channelId: string, { userId, channels }: Omit<Requester, 'isAdmin'>): boolean {
  return channelId === userId || channels.has(channelId);
}

/** May they add to a channel? The channel's settings allow it to all members, or only to members who are admins. */
export function mayAdd(channelId: string, requester: Requester, whoMayAdd: WhoMayAdd): boolean {
  if (channelId === requester.userId) return true;
  return mayUse(channelId, requester) && (requester.isAdmin || whoMayAdd === 'members');
}

/**
 * May they change, pause, snooze, hand over or remove it? The owner and admins may, and so may the members of a
 * channel that members may add to. Only the owner may change a personal one.
 */
export function mayChange(
  { ownerId, channelId, isPersonal }: Owned,
  requester: Requester,
  whoMayAdd: WhoMayAdd,
): boolean {
  if (ownerId === requester.userId) return true;
  if (isPersonal) return false;
  return requester.isAdmin || (whoMayAdd === 'members' && requester.channels.has(channelId));
}

export type Access = ReturnType<typeof createAccess>;

/** The checks above, with the memberships from Slack and the settings from the database. */
export function createAccess(options: {
  store: WorkspaceStore;
  /** May be a minute old, so somebody removed from a channel keeps their rights there for that long. */
  getJoinedChannels: (userId: string) => Promise<ReadonlySet<string>>;
}) {
  const { store, getJoinedChannels } = options;
  /** A person who writes or clicks in a channel is a member. Slack is asked about all other people. */
  const requesterOf = async ({ userId, isAdmin, ...actor }: Actor, channelId: string): Promise<Requester> => {
    const isMember = (actor.channelId === channelId && !actor.mayHaveLeft) || userId === channelId;
    return { userId, isAdmin, channels: isMember ? new Set([channelId]) : await getJoinedChannels(userId) };
  };

  const whoMayAdd = async (channelId: string) => (await readChannelSettings(store, channelId)).whoMayAdd;

  return {
    /** The channels that a person is in, as far as the bot can see them. */
    getJoinedChannels,
    mayUse: async (channelId: string, actor: Actor) => mayUse(channelId, await requesterOf(actor, channelId)),
    mayAdd: async (channelId: string, actor: Actor) =>
      mayAdd(channelId, await requesterOf(actor, channelId), await whoMayAdd(channelId)),
    async mayChange(thing: Owned, actor: Actor): Promise<boolean> {
      const { channelId } = thing;
      // Slack need not be asked about owners and admins.
      if (mayChange(thing, { ...actor, channels: new Set() }, 'admins')) return true;
      return mayChange(thing, await requesterOf(actor, channelId), await whoMayAdd(channelId));
    },
  };
}

/** Slack shows a private channel to a bot only if the bot is in it too, so either may be the cause. */
export const notInChannel = ({ saves = true } = {}): UserError =>
  new UserError({
    code: 'bad-channel',
    message: `You are not in that channel, or Landfall is not${saves ? ', so nothing was saved' : ''}.`,
    hint: 'Join it, and type /invite @Landfall there; then try again.',
  });

/** A user, as Slack describes them. */
export interface Person {
  /** As shown in Slack, unescaped. */
  name: string;
  /** IANA name; undefined if Slack gives none. */
  zone: string | undefined;
  /** Their language in Slack, such as `en-US`; left out if Slack gives none. */
  locale?: string | undefined;
  isAdmin: boolean;
  /** An admin of a workspace of the organisation, but Slack doesn't say that it is this one. */
  mayBeAdmin?: boolean;
  /** Slack's guests see only some of the workspace's channels. */
  isGuest: boolean;
  /** Belongs to another organisation (Slack Connect). */
  isOutside: boolean;
  /** An app, or a deactivated account. */
  isGone: boolean;
  /** Slack did not answer. Until it does the person counts as an outsider. */
  isUnknown: boolean;
}
