import type { Adders } from './channels.ts';

/** Who asks, and in which channel; on the Home tab the channel is the person's own id. */
export interface Actor {
  userId: string;
  isAdmin: boolean;
  channelId: string;
  /** They opened a form there some time ago, so Slack has to be asked whether they still are members. */
  mayHaveLeft?: boolean;
}

/** A person, with those of their channels that the bot can see. */
export interface Asker {
  userId: string;
  isAdmin: boolean;
  channels: ReadonlySet<string>;
}

/** A watch or a digest. */
export interface Owned {
  ownerId: string;
  channelId: string;
  /** It is in the owner's direct message. */
  isPersonal: boolean;
}

/** May they see a channel's watches and digests, acknowledge alerts and refresh? Its members may. */
export function mayUse(channelId: string, { userId, channels }: Omit<Asker, 'isAdmin'>): boolean {
  return channelId === userId || channels.has(channelId);
}

/** May they add to a channel? By its settings its members may, or only those members who are admins. */
export function mayAdd(channelId: string, asker: Asker, whoMayAdd: Adders): boolean {
  if (channelId === asker.userId) return true;
  return mayUse(channelId, asker) && (asker.isAdmin || whoMayAdd === 'members');
}

/**
 * May they change, pause, snooze, hand over or remove it? The owner and admins may, and members of a channel whose
 * members may add. Nobody but the owner may touch what is personal.
 */
export function mayChange(
  { ownerId, channelId, isPersonal }: Owned,
  asker: Asker,
  whoMayAdd: Adders,
): boolean {
  if (ownerId === asker.userId) return true;
  if (isPersonal) return false;
  return asker.isAdmin || (whoMayAdd === 'members' && asker.channels.has(channelId));
}
