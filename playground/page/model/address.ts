import { type MessagePlace, parsePermalink } from './permalink.ts';

/**
 * The user and the channel in the page's URL, such as `#/U0ADA/C0OPS`. Reloads and links restore them. A permalink, such
 * as `#/archives/C0OPS/p1700000000000100`, names a message instead.
 */
interface Address {
  userId: string | undefined;
  channelId: string | undefined;
  message?: MessagePlace;
}

export function parseAddress(hash: string): Address {
  const message = parsePermalink(hash);
  if (message) return { userId: undefined, channelId: message.channelId, message };
  const [, userId, channelId] = /^#\/(\w+)(?:\/(\w+))?$/.exec(hash) ?? [];
  return { userId, channelId };
}

export const formatAddress = ({ userId, channelId }: Omit<Address, 'message'>): string =>
  `#/${[userId, channelId].filter(Boolean).join('/')}`;
