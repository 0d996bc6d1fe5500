import { setTimeout as delay } from 'node:timers/promises';
import { WebAPIRateLimitedError, type WebClient } from '@slack/web-api';
import type { Message } from '../../answers/message.ts';
import { deliver, type RefusedBlocks, type Rendering } from './deliver.ts';

export interface Target {
  channel: string;
  threadTs?: string;
  /** A reply that also appears in the channel. */
  isBroadcast?: boolean;
  /** Stored in the message's metadata, so that it can be found again. */
  id?: string;
  /** Of messages that were merged into this one: stored too. */
  mergedIds?: readonly string[];
}

/** A message with links, or one that is being written. */
export type UnfurlTarget = { channel: string; ts: string } | { unfurlId: string };

export const metadataType = 'landfall_message';

/** Slack's word for a message that is being written. */
const composer = 'composer' as const;

export type Messenger = ReturnType<typeof createMessenger>;

/** A rate-limited request has posted nothing, so it is repeated when Slack allows it, for `maxWaitSeconds` in all. */
export function createMessenger(
  client: WebClient,
  options: {
    wait?: (ms: number) => Promise<unknown>;
    maxWaitSeconds?: number;
    refused?: RefusedBlocks | undefined;
  } = {},
) {
  const { wait = delay, maxWaitSeconds = 60, refused } = options;
  async function attempt<T>(request: () => Promise<T>): Promise<T> {
    for (let waited = 0; ; ) {
      try {
        return await request();
      } catch (error) {
        if (!(error instanceof WebAPIRateLimitedError)) throw error;
        waited += Math.max(1, error.retryAfter);
        if (waited > maxWaitSeconds) throw error;
        await wait(error.retryAfter * 1000);
      }
    }
  }

  const send = <T>(message: Message, request: (rendering: Rendering) => Promise<T>): Promise<T> =>
    deliver(message, (rendering) => attempt(() => request(rendering)), refused);

  /** Returns the message's `ts`. */
  async function post(target: Target, message: Message): Promise<string> {
    const { channel, threadTs, isBroadcast, id, mergedIds = [] } = target;
    // Metadata holds no lists of text.
    const merged = mergedIds.length > 0 ? { merged: mergedIds.join(' ') } : {};
    const posted = await send(message, (rendering) =>
      client.chat.postMessage({
        channel,
        ...rendering,
        ...(threadTs &&
          (isBroadcast ? { thread_ts: threadTs, reply_broadcast: true } : { thread_ts: threadTs })),
        ...(id !== undefined && { metadata: { event_type: metadataType, event_payload: { id, ...merged } } }),
        unfurl_links: false,
        unfurl_media: false,
      }),
    );
    return posted.ts ?? '';
  }

  async function postEphemeral(
    { channel, user, threadTs }: { channel: string; user: string; threadTs?: string },
    message: Message,
  ): Promise<void> {
    const thread = threadTs ? { thread_ts: threadTs } : {};
    await send(message, ({ text, blocks = [] }) =>
      client.chat.postEphemeral({ channel, user, text, blocks, ...thread }),
    );
  }

  return {
    post,
    postEphemeral,
    /** Ephemeral in a channel; a direct message if `channelId` is the person's own id. */
    async sendPrivately({ userId, channelId }: { userId: string; channelId: string }, message: Message) {
      if (channelId === userId) await post({ channel: userId }, message);
      else await postEphemeral({ channel: channelId, user: userId }, message);
    },
    async update({ channel, ts }: { channel: string; ts: string }, message: Message): Promise<void> {
      await send(message, ({ text, blocks = [] }) => client.chat.update({ channel, ts, text, blocks }));
    },
    /** Shows the message under a link, instead of what is there. `url` is exactly what was posted. */
    async unfurl(target: UnfurlTarget, url: string, message: Message): Promise<void> {
      const where = 'unfurlId' in target ? { unfurl_id: target.unfurlId, source: composer } : target;
      await send(message, ({ text, blocks }) =>
        client.chat.unfurl({ ...where, unfurls: { [url]: blocks ? { blocks, fallback: text } : { text } } }),
      );
    },
  };
}
