import { WebAPIPlatformError, type WebClient } from '@slack/web-api';
import { withNote } from '../../messages/frame/small-print.ts';
import type { Message } from '../../messages/message.ts';
import { type Post, PostError, type Poster } from '../../outbox/poster.ts';
import { deliver, type Rendering, SlackRefusal } from './deliver.ts';
import { findMessage, metadataOf } from './find-message.ts';
import { asPostError, slackCode } from './post-errors.ts';

export interface PosterOptions {
  /** Without retries of its own, and with a timeout: a post whose answer is cut must not go out again. */
  client: WebClient;
  /** What the message looks like now. */
  render(post: Post): Promise<Message>;
}

const repeatedNote = 'Slack did not say whether this message went out before, so it may stand here twice';

/** Slack's answers when the card whose thread is meant has been deleted. */
const threadGone = new Set(['cannot_reply_to_message', 'thread_not_found', 'message_not_found']);

/** The messages of watches: cards, replies in their threads, summaries, notices to owners. */
export function createPoster({ client, render }: PosterOptions): Poster {
  return {
    async post(post) {
      if (post.message.kind === 'card-removal') return { ts: await takeAway(post.channelId, post.message) };
      const message = await render(post);
      const marked = post.isPossiblyRepeated ? withNote(message, repeatedNote) : message;
      try {
        if (post.message.kind === 'card-update') return { ts: await update(post, marked) };
        if (post.message.kind === 'card-stopped')
          return { ts: await close(post.channelId, post.message.cardTs, message) };
        const target = await targetOf(post);
        return { ts: await send(target, marked, post) };
      } catch (error) {
        throw asPostError(error);
      }
    },
    async find(post, attemptedAt) {
      try {
        return await find(await targetOf(post), { id: post.id, attemptedAt });
      } catch (error) {
        const why = asPostError(error);
        if (why instanceof PostError && why.retryAfterMs === undefined) return 'refused';
        throw why;
      }
    },
  };

  async function update({ watch }: Post, message: Message): Promise<string> {
    const ts = watch?.cardTs;
    // As when somebody deleted it: the outbox posts it anew.
    if (!watch || !ts) throw new PostError({ code: 'message_not_found', isPermanent: false });
    const { channelId: channel } = watch;
    await deliver(message, ({ text, blocks = [] }) =>
      refusing(() => client.chat.update({ channel, ts, text, blocks })),
    );
    return ts;
  }

  /** Where nobody finds it, or somebody deleted it, there is nothing to do. */
  async function takeAway(channel: string, { watchId: id, since }: CardRemoval): Promise<string> {
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

  async function close(channel: string, ts: string, message: Message): Promise<string> {
    try {
      await deliver(message, ({ text, blocks = [] }) =>
        refusing(() => client.chat.update({ channel, ts, text, blocks })),
      );
    } catch (error) {
      if (slackCode(error) !== 'message_not_found') throw error;
    }
    return ts;
  }

  async function send(target: Target, message: Message, post: Post): Promise<string> {
    try {
      return await sendTo(target, message, post);
    } catch (error) {
      // Better in the channel than nowhere; the update of the card that follows posts the card anew.
      if (!target.threadTs || !threadGone.has(slackCode(error) ?? '')) throw error;
      return await sendTo({ channel: target.channel }, message, post);
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

  async function sendTo({ channel, threadTs, broadcast }: Target, message: Message, { id }: Post) {
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

  async function targetOf({ message, channelId, watch, threadTs }: Post): Promise<Target> {
    const channel = isUser(channelId) ? await directMessage(channelId) : channelId;
    if (threadTs) return { channel, threadTs };
    if (message.kind !== 'reply' || message.place === 'channel' || !watch?.cardTs) return { channel };
    return { channel, threadTs: watch.cardTs, broadcast: message.place === 'broadcast' };
  }

  async function directMessage(userId: string): Promise<string> {
    const { channel } = await client.conversations.open({ users: userId });
    return channel?.id ?? userId;
  }
}

type CardRemoval = Extract<Post['message'], { kind: 'card-removal' }>;

/** Notices, and a digest to oneself, are addressed to a person. */
const isUser = (id: string) => /^[UW]/.test(id);

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
