import type { Adders } from './channels.ts';

/** Who asks, and where: the channel of the command or of the button; on the Home tab the person's own id. */
export interface Actor {
  userId: string;
  isAdmin: boolean;
  channelId: string;
  /** They were in it some time ago: whether they still are has to be asked. */
  mayHaveLeft?: boolean;
}

/** A person, with the channels that they are in as far as the bot can see them. */
export interface Asker {
  userId: string;
  isAdmin: boolean;
  channels: ReadonlySet<string>;
}

/** A watch or a digest; what somebody has for themselves stands under their own id. */
export interface Owned {
  ownerId: string;
  channelId: string;
}

/** Who may see what stands in a channel, acknowledge an alert and ask afresh: its members. */
export function mayUse(channelId: string, { userId, channels }: Omit<Asker, 'isAdmin'>): boolean {
  return channelId === userId || channels.has(channelId);
}

/** Who may add to a channel: its members, or of these the workspace's admins alone, as the channel has it. */
export function mayAdd(channelId: string, asker: Asker, whoMayAdd: Adders): boolean {
  if (channelId === asker.userId) return true;
  return mayUse(channelId, asker) && (asker.isAdmin || whoMayAdd === 'members');
}

/**
 * Who may change, pause, snooze, hand over and remove: the owner, admins, and the channel's members where these
 * may add. What somebody has for themselves is nobody else's, admins included.
 */
export function mayChange({ ownerId, channelId }: Owned, asker: Asker, whoMayAdd: Adders): boolean {
  if (ownerId === asker.userId) return true;
  if (channelId === ownerId || channelId.startsWith('D')) return false;
  return asker.isAdmin || (whoMayAdd === 'members' && asker.channels.has(channelId));
}
