import type { WebClient } from '@slack/web-api';
import { PostError, postRefusal } from '../../outbox/poster.ts';
import { asPostError } from '../posting/post-errors.ts';

/** Throws UserError where the bot can't post. It posts nothing itself. */
export function createChannelCheck(client: WebClient): (channelId: string) => Promise<void> {
  return async (channel) => {
    try {
      const { channel: found } = await client.conversations.info({ channel });
      if (found?.is_im) return;
      if (found?.is_archived) throw refusal('is_archived');
      if (!found?.is_member) throw refusal('not_in_channel');
    } catch (error) {
      const why = asPostError(error);
      throw postRefusal(why) ?? why;
    }
  };
}

const refusal = (code: string) => new PostError({ code, isPermanent: true });
