/** Who reads what, kept in the page's address: `#/U0ADA/C0OPS`, so that a reload or a link comes back to it. */
export interface Address {
  userId: string | undefined;
  channelId: string | undefined;
}

export function parseAddress(hash: string): Address {
  const [, userId, channelId] = /^#\/(\w+)(?:\/(\w+))?$/.exec(hash) ?? [];
  return { userId, channelId };
}

export const formatAddress = ({ userId, channelId }: Address): string =>
  `#/${[userId, channelId].filter(Boolean).join('/')}`;
