import type { PageChannel, PageUser } from '../../src/page-api/page-api.ts';
import type { PageWorld } from './page-model.ts';

/** The other member of a direct message. */
export const otherMember = (channel: PageChannel, { me, users }: PageWorld): PageUser | undefined =>
  users.find((user) => user.id !== me.id && channel.memberIds.includes(user.id));

/** `ops`; for a direct message, the other member's name. */
export const channelName = (channel: PageChannel, world: PageWorld): string =>
  (channel.kind === 'dm' && otherMember(channel, world)?.realName) || channel.name;

/** `#ops`; for a direct message, the other member's name. */
export const channelTitle = (channel: PageChannel, world: PageWorld): string =>
  `${channel.kind === 'dm' ? '' : '#'}${channelName(channel, world)}`;
