import type { Message } from '../../messages/message.ts';
import { deliver } from './deliver.ts';
import type { Posts } from './posts.ts';

/** Says something to one person where nothing was clicked that could be answered. */
export type Tell = (to: { userId: string; channelId: string }, message: Message) => Promise<void>;

/** Seen by nobody else: ephemeral in a channel; a direct message where `channelId` is the person's own id. */
export function createTell(posts: Posts): Tell {
  return async ({ userId, channelId }, message) => {
    await deliver(message, async (rendering) => {
      if (channelId === userId) await posts.post({ channel: userId }, rendering);
      else await posts.postEphemeral({ channel: channelId, user: userId }, rendering);
    });
  };
}
