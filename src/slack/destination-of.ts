import type { Destination } from '../messages/destination.ts';

/**
 * Slack's rule, and the one place that reads an id: direct messages are `D…`; channels and group messages are `C…`
 * or `G…`. Where there is no channel, the person's own id stands for it.
 */
export function destinationOf({ channelId, userId }: { channelId: string; userId: string }): Destination {
  if (channelId === userId) return 'response';
  return channelId.startsWith('D') ? 'direct-message' : 'channel';
}
