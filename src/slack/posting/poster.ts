import { WebAPIPlatformError, type WebClient } from '@slack/web-api';
import { withNote } from '../../messages/frame/small-print.ts';
import type { Message } from '../../messages/message.ts';
import type { Delivery } from '../../outbox/outgoing-message.ts';
import { messageGone, PostError, type Poster } from '../../outbox/poster.ts';
import { deliver, type Rendering, SlackRefusal } from './deliver.ts';
import { findMessage, metadataOf } from './find-message.ts';
import { asPostError, slackCode } from './post-errors.ts';

const repeatedNote = 'Slack did not say whether this message went out before, so it may stand here twice';

/** Slack's answers when the message whose thread is meant has been deleted. */
const threadGone = new Set(['cannot_reply_to_message', 'thread_not_found', messageGone]);

/** `client`: without retries of its own, and with a timeout: a post whose answer is cut must not go out again. */
export function createPoster(client: WebClient): Poster {
  return {
    async post({ id, channelId, delivery, isPossiblyRepeated }) {
      if (delivery.does === 'remove') return { ts: await takeAway(channelId, delivery) };
      const message = await delivery.render();
      const marked = isPossiblyRepeated ? withNote(message, repeatedNote) : message;
      try {
        if (delivery.does === 'update') return { ts: await update(channelId, delivery.ts, marked) };
        return { ts: await send(await targetOf(channelId, delivery), marked, id) };
      } catch (error) {
        throw asPostError(error);
      }
    },
    async find({ id, channelId, delivery }, attemptedAt) {
      try {
        return await find(await targetOf(channelId, delivery), { id, attemptedAt });
      } catch (error) {
        const why = asPostError(error);
        if (why instanceof PostError && why.retryAfterMs === undefined) return 'refused';
        throw why;
      }
    },
  };

  async function update(channel: string, ts: string | null, message: Message): Promise<string> {
    if (ts === null) throw new PostError({ code: messageGone, isPermanent: false });
    await deliver(message, ({ text, blocks = [] }) =>
      refusing(() => client.chat.update({ channel, ts, text, blocks })),
    );
    return ts;
  }

  /** Where nobody finds it, or somebody deleted it, there is nothing to do. */
  async function takeAway(channel: string, { id, since }: { id: string; since: Date }): Promise<string> {
    try {
      const found = await findMessage(client, { channel, id, attemptedAt: since });
      if (typeof found === 'string') return '';
      await client.chat.delete({ channel, ts: found.ts });
      return found.ts;
    } catch (error) {
      const why = asPostError(error);
      if (why instanceof PostError && why.retryAfterMs === undefined) return '';
      throw why;
    }
  }

  async function send(target: Target, message: Message, id: string): Promise<string> {
    try {
      return await sendTo(target, message, id);
    } catch (error) {
      // Better in the channel than nowhere.
      if (!target.threadTs || !threadGone.has(slackCode(error) ?? '')) throw error;
      return await sendTo({ channel: target.channel }, message, id);
    }
  }

  async function find(target: Target, wanted: { id: string; attemptedAt: Date }) {
    try {
      return await findMessage(client, { ...target, ...wanted });
    } catch (error) {
      if (!target.threadTs || !threadGone.has(slackCode(error) ?? '')) throw error;
      return await findMessage(client, { channel: target.channel, ...wanted });
    }
  }

  async function sendTo({ channel, threadTs, broadcast }: Target, message: Message, id: string) {
    const { result } = await deliver(message, ({ text, blocks }: Rendering) =>
      refusing(() =>
        client.chat.postMessage({
          channel,
          text,
          ...(blocks && { blocks }),
          ...(threadTs &&
            (broadcast ? { thread_ts: threadTs, reply_broadcast: true } : { thread_ts: threadTs })),
          metadata: metadataOf(id),
          unfurl_links: false,
          unfurl_media: false,
        }),
      ),
    );
    return result.ts ?? '';
  }

  async function targetOf(channelId: string, delivery: Delivery): Promise<Target> {
    if (delivery.does !== 'post') return { channel: channelId };
    const { threadTs, isBroadcast = false, toPerson = false } = delivery;
    const channel = toPerson ? await directMessage(channelId) : channelId;
    return threadTs ? { channel, threadTs, broadcast: isBroadcast } : { channel };
  }

  async function directMessage(userId: string): Promise<string> {
    const { channel } = await client.conversations.open({ users: userId });
    return channel?.id ?? userId;
  }
}

interface Target {
  channel: string;
  threadTs?: string;
  broadcast?: boolean;
}

/** Refusals as `deliver` knows them, so that refused blocks get their plain twin. */
async function refusing<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof WebAPIPlatformError) throw new SlackRefusal(error.data.error, { cause: error });
    throw error;
  }
}
