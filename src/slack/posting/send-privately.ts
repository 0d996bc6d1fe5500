import type { Message } from '../../messages/message.ts';
import { deliver } from './deliver.ts';
import type { Posts } from './posts.ts';

/** Sends a message to one person where there is no click or command to answer. */
export type SendPrivately = (to: { userId: string; channelId: string }, message: Message) => Promise<void>;

/** Ephemeral in a channel; a direct message where `channelId` is the person's own id. */
export function createSendPrivately(posts: Posts): SendPrivately {
  return async ({ userId, channelId }, message) => {
    await deliver(message, async (rendering) => {
      if (channelId === userId) await posts.post({ channel: userId }, rendering);
      else await posts.postEphemeral({ channel: channelId, user: userId }, rendering);
    });
  };
}
