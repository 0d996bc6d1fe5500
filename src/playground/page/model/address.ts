/** The user and the channel in the page's URL, such as `#/U0ADA/C0OPS`. Reloads and links restore them. */
interface Address {
  userId: string | undefined;
  channelId: string | undefined;
}

export function parseAddress(hash: string): Address {
  const [, userId, channelId] = /^#\/(\w+)(?:\/(\w+))?$/.exec(hash) ?? [];
  return { userId, channelId };
}

export const formatAddress = ({ userId, channelId }: Address): string =>
  `#/${[userId, channelId].filter(Boolean).join('/')}`;
