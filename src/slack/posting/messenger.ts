import { setTimeout as delay } from 'node:timers/promises';
import { WebAPIRateLimitedError, type WebClient } from '@slack/web-api';
import type { Message } from '../../answers/message.ts';
import { withNote } from '../../answers/slack/answer-message.ts';
import { type Delivery, messageGone, PostError, type Poster } from '../../outbox/outgoing-message.ts';
import { missingScope, scopeAdvice } from '../install/scopes.ts';
import { asPostError, deliver, type RefusedBlocks, type Rendering, slackCode } from './deliver.ts';

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

const metadataType = 'landfall_message';

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

/** `missing`: the scope without which the message can't be looked for. */
function repeatedNote(missing: string | undefined, grantUrl: string | undefined): string {
  if (missing === undefined)
    return 'Slack did not say whether this message went out before, so it may appear twice';
  const advice = scopeAdvice(missing, grantUrl);
  return `Landfall may not look whether this message went out before, so it may appear twice. ${advice}`;
}

/** Slack's answers to a reply in a thread whose first message has been deleted. */
const threadGoneCodes = new Set(['cannot_reply_to_message', 'thread_not_found', messageGone]);

const maxPages = 5;
const messagesPerPage = 200;
/** How far our clock may have been ahead of Slack's at the first attempt. */
const maxClockLeadMs = 2 * 3_600_000;

type Conversation = Omit<Target, 'id'>;

/** `client` must have a timeout and no retries: a post without an answer must not go out again. */
export function createPoster(
  client: WebClient,
  { grantUrl, refused }: { grantUrl?: string | undefined; refused?: RefusedBlocks | undefined } = {},
): Poster {
  const messenger = createMessenger(client, { maxWaitSeconds: 0, refused });
  /** The scope that the last look-up needed. */
  let missing: string | undefined;
  return {
    async post({ id, channelId, delivery, isPossiblyRepeated }) {
      if (delivery.operation === 'remove') return { ts: await remove(channelId, delivery) };
      const rendered = await delivery.render();
      const message = isPossiblyRepeated ? withNote(rendered, repeatedNote(missing, grantUrl)) : rendered;
      try {
        if (delivery.operation === 'post') {
          const { mergedIds = [] } = delivery;
          const send = (target: Conversation) => messenger.post({ ...target, id, mergedIds }, message);
          return { ts: await inThreadOrChannel(await targetOf(channelId, delivery), send) };
        }
        const { ts } = delivery;
        if (ts === null) throw new PostError({ code: messageGone, isPermanent: false });
        await messenger.update({ channel: channelId, ts }, message);
        return { ts };
      } catch (error) {
        throw asPostError(error);
      }
    },
    async find({ id, channelId, delivery }, attemptedAt) {
      try {
        const find = (target: Conversation) => findMessage(client, { ...target, id, attemptedAt });
        const target = await targetOf(channelId, delivery);
        const found = await inThreadOrChannel(target, find);
        missing = undefined;
        const threadTs = delivery.operation === 'post' ? delivery.mayBeIn : undefined;
        if (found !== 'absent' || threadTs === undefined) return found;
        return await inThreadOrChannel({ ...target, threadTs }, find);
      } catch (error) {
        missing = missingScope(error);
        return valueIfRefused(error, 'unknown');
      }
    },
  };

  /** Returns '' if the message is not there or can't be removed. */
  async function remove(channel: string, { id, since }: { id: string; since: Date }): Promise<string> {
    try {
      const found = await findMessage(client, { channel, id, attemptedAt: since });
      if (typeof found === 'string') return '';
      await client.chat.delete({ channel, ts: found.ts });
      return found.ts;
    } catch (error) {
      return valueIfRefused(error, '');
    }
  }

  async function targetOf(channelId: string, delivery: Delivery): Promise<Conversation> {
    if (delivery.operation !== 'post') return { channel: channelId };
    const { threadTs, isBroadcast = false, toPerson = false } = delivery;
    const channel = toPerson ? await directMessageOf(channelId) : channelId;
    return threadTs ? { channel, threadTs, isBroadcast } : { channel };
  }

  async function directMessageOf(userId: string): Promise<string> {
    const { channel } = await client.conversations.open({ users: userId });
    return channel?.id ?? userId;
  }
}

/** Tries the thread; if it is gone, the channel. */
async function inThreadOrChannel<T>(
  target: Conversation,
  work: (target: Conversation) => Promise<T>,
): Promise<T> {
  try {
    return await work(target);
  } catch (error) {
    if (!target.threadTs || !threadGoneCodes.has(slackCode(error) ?? '')) throw error;
    return await work({ channel: target.channel });
  }
}

/** Returns the value if Slack refused the request. Throws a rate limit, and an error whose outcome is unknown. */
function valueIfRefused<T>(error: unknown, value: T): T {
  const failure = asPostError(error);
  if (failure instanceof PostError && failure.retryAfterMs === undefined) return value;
  throw failure;
}

/** Searches from shortly before `attemptedAt`. `unknown`: there are more messages than it reads. */
async function findMessage(
  client: WebClient,
  { channel, threadTs, id, attemptedAt }: Conversation & { id: string; attemptedAt: Date },
): Promise<{ ts: string } | 'absent' | 'unknown'> {
  const oldest = String((attemptedAt.getTime() - maxClockLeadMs) / 1000);
  const common = { channel, oldest, include_all_metadata: true, limit: messagesPerPage };
  let cursor = '';
  for (let page = 0; page < maxPages; page += 1) {
    const query = { ...common, ...(cursor && { cursor }) };
    const answer = threadTs
      ? await client.conversations.replies({ ...query, ts: threadTs })
      : await client.conversations.history(query);
    const found = (answer.messages ?? []).find((message) => idsOf(message).includes(id));
    if (found?.ts) return { ts: found.ts };
    cursor = answer.response_metadata?.next_cursor ?? '';
    if (!cursor) return 'absent';
  }
  return 'unknown';
}

/** Its own, and those of messages that were merged into it. */
function idsOf(message: { metadata?: { event_type?: string; event_payload?: object } }): unknown[] {
  const { event_type, event_payload: payload = {} } = message.metadata ?? {};
  if (event_type !== metadataType) return [];
  const merged = 'merged' in payload ? String(payload.merged).split(' ') : [];
  return ['id' in payload ? payload.id : undefined, ...merged];
}
