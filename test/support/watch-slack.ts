import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Message } from '../../src/answers/message.ts';
import type { Schema } from '../../src/database/schema.ts';
import { storeOf, type WorkspaceStore } from '../../src/database/workspace-store.ts';
import type { WorkCtx } from '../../src/features/ctx.ts';
import {
  digestDetail,
  digestMessage,
  digestNews,
  digestNotice,
  type OutgoingDigest,
} from '../../src/features/digests/digest.ts';
import { digestMessages } from '../../src/features/digests/outgoing.ts';
import {
  type ChannelNotice,
  channelNotice,
  channelNoticeKind,
} from '../../src/features/owned/channel-notice.ts';
import type { WatchMessage } from '../../src/features/watches/messages/messages.ts';
import { watchMessages } from '../../src/features/watches/messages/outgoing.ts';
import type { WatchPost } from '../../src/features/watches/messages/read-post.ts';
import {
  type Delivery,
  type OutgoingMessage,
  outgoingMessage,
  type Post,
  PostError,
  type Poster,
} from '../../src/outbox/outgoing-message.ts';
import { pausables, pauseWatches } from './pausing.ts';
import { workspaceId } from './store-engines.ts';

/** A post as this Slack receives it: with the message's data instead of its blocks. */
export type Shown = Post & Data & { threadTs?: string };

type Data = Pick<WatchPost, 'watch' | 'members' | 'alerts'> & {
  message: WatchMessage | OutgoingDigest | ChannelNotice;
};

export interface WatchSlack extends Poster {
  /** The messages in Slack, in order. */
  posted: (Shown & { ts: string })[];
  updates: Shown[];
  /** Decides what happens to a post: an error is thrown before the message is in Slack, `cut` throws after it. */
  onPost: (post: Shown) => Error | 'cut' | undefined;
  refuseLookups: boolean;
  lookups: string[];
}

/** The part of Slack that the outbox uses. */
export function createWatchSlack(): WatchSlack {
  const slack: WatchSlack = {
    posted: [],
    updates: [],
    onPost: () => undefined,
    refuseLookups: false,
    lookups: [],
    async post(post) {
      const shown = await shownOf(post);
      const fate = slack.onPost(shown);
      if (fate instanceof Error) throw fate;
      if (post.delivery.operation === 'update' && shown.message.kind !== 'card-stopped') {
        slack.updates.push(shown);
        return { ts: post.delivery.ts ?? '' };
      }
      const ts = String(slack.posted.length + 1);
      slack.posted.push({ ...shown, ts });
      if (fate === 'cut') throw new Error('socket hang up');
      return { ts };
    },
    async find({ id }) {
      slack.lookups.push(id);
      if (slack.refuseLookups) return 'unknown';
      const message = slack.posted.find((post) => post.id === id);
      return message ? { ts: message.ts } : 'absent';
    },
  };
  return slack;
}

export const permanent = (code: string) => new PostError({ code, isPermanent: true });
export const rateLimited = (retryAfterMs: number) =>
  new PostError({ code: 'ratelimited', isPermanent: false, retryAfterMs });

/** The messages of watches and digests. Each is rendered as its data instead of text and blocks. */
export const outgoingOf = (
  db: Kysely<Schema>,
  newId?: () => string,
  ofWorkspace = workspaceId,
): OutgoingMessage[] => [
  ...boundTo(
    storeOf(db, ofWorkspace),
    watchMessages({
      draw: async (post) => asData(post),
      pause: (transaction, refusal, ids) => pauseWatches(transaction, refusal, ids, newId),
    }),
  ),
  ...digestMessages.map((kind) => digestsAsData(kind, storeOf(db, ofWorkspace), newId)),
  outgoingMessage(channelNoticeKind, {
    payload: channelNotice,
    operation: 'post',
    isNotice: true,
    open: async (message) => ({ render: async () => asData({ message }) }),
  }),
];

const digestPayloads = z.union([digestMessage, digestNews, digestDetail, digestNotice]);

function digestsAsData(
  kind: OutgoingMessage<WorkCtx>,
  store: WorkspaceStore,
  newId = () => `given-up-${randomUUID()}`,
): OutgoingMessage {
  // What these messages use.
  const ctx = {
    services: { store, botUserId: 'UBOT', newId },
    registry: { pausables },
  } as unknown as WorkCtx;
  const { onSent: _, onRefused, group: __, ...declared } = kind;
  return {
    ...declared,
    async open(row) {
      const delivery = await kind.open(row, ctx);
      const message = digestPayloads.parse(row.payload);
      // Digests are only posted.
      return delivery && ({ ...delivery, render: async () => asData({ message }) } as Delivery);
    },
    ...(onRefused && { onRefused: (transaction, refusal) => onRefused(transaction, refusal, ctx) }),
  };
}

/** With a context of this store, in which everybody is in every channel. */
export function boundTo(
  store: WorkspaceStore,
  outgoing: readonly OutgoingMessage<WorkCtx>[],
): OutgoingMessage[] {
  const access = { getJoinedChannels: async () => ({ has: () => true }) };
  // What these messages use.
  const ctx = { services: { store, access } } as unknown as WorkCtx;
  return outgoing.map(({ open, onSent, onRefused, group, ...message }) => ({
    ...message,
    open: (row) => open(row, ctx),
    ...(onSent && { onSent: (transaction, sent) => onSent(transaction, sent, ctx) }),
    ...(onRefused && { onRefused: (transaction, refusal) => onRefused(transaction, refusal, ctx) }),
    ...(group && { group: (transaction, context) => group(transaction, context, ctx) }),
  }));
}

const asData = (data: Partial<Data>): Message & { data: Partial<Data> } => ({ text: '', blocks: [], data });

export async function shownOf(post: Post): Promise<Shown> {
  const { delivery } = post;
  const shown = { ...post, watch: null, members: [], alerts: [] };
  if (delivery.operation === 'remove') {
    const { id: watchId, since } = delivery;
    return { ...shown, message: { kind: 'card-removal', watchId, since } };
  }
  // `asData` has rendered it.
  const { data } = (await delivery.render()) as ReturnType<typeof asData> & { data: Data };
  const threadTs = delivery.operation === 'post' ? delivery.threadTs : undefined;
  return { ...shown, ...data, ...(threadTs && { threadTs }) };
}
