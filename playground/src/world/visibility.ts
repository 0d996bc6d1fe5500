import type { Channel, User, World } from './world.ts';

/** The workspace's own people may read public channels; everything else is for members. */
export function mayRead(user: User, channel: Channel, { team }: World): boolean {
  const isOpen = channel.kind === 'public' && user.teamId === team.id && !user.isGuest;
  return isOpen || channel.memberIds.includes(user.id);
}

export function maySee(user: User, message: { ephemeralTo?: string }): boolean {
  return message.ephemeralTo === undefined || message.ephemeralTo === user.id;
}
