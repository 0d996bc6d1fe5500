import type { z } from 'zod';
import type { Message } from '../../answers/message.ts';
import type { WorkspaceStore } from '../../database/workspace-store.ts';
import {
  type OutboxRow,
  type OutgoingMessage,
  outgoingMessage,
  type Refusal,
} from '../../outbox/outgoing-message.ts';
import { alertReminder, assignment, groupReplies, reply, replyUpdate, summary } from '../alerts/index.ts';
import type { WorkCtx } from '../ctx.ts';
import { budgetNotice } from '../polling/index.ts';
import * as messages from './messages.ts';
import { findShown, readPost, renderPost, type WatchPost } from './render-post.ts';

interface OutgoingOptions {
  /** Pauses the watches with these ids, or all in the channel. */
  pause: (
    transaction: WorkspaceStore,
    refusal: Refusal,
    ids: readonly string[],
    ctx: WorkCtx,
  ) => Promise<void>;
  draw?: (post: WatchPost, ctx: WorkCtx) => Promise<Message>;
}

type Outgoing = OutgoingMessage<WorkCtx>;

/** Every kind of message that watches put into the outbox. */
export function watchMessages({ pause, draw = renderPost }: OutgoingOptions): Outgoing[] {
  /** `placeOf` returns where Slack puts the message. Undefined if the watch is gone. */
  const openWith =
    <M extends messages.WatchMessage, Place extends object>(placeOf: (post: WatchPost<M>) => Place) =>
    async (message: M, row: OutboxRow, ctx: WorkCtx) => {
      const post = await readPost(ctx.services.store, message, row);
      return post && { ...placeOf(post), render: () => draw(post, ctx) };
    };

  /** Pauses the watch, and holds its message until somebody resumes it. */
  const onRefused: Outgoing['onRefused'] = async (transaction, refusal, ctx) => {
    const { id, thread_key: watchId } = refusal.row;
    if (!watchId) return await pause(transaction, refusal, [], ctx);
    const setStatus = (status: string) =>
      transaction.updateTable('outbox').set({ status }).where('id', '=', id).execute();
    await setStatus('held');
    await pause(transaction, refusal, [watchId], ctx);
    // Waits for anybody who is just stopping or resuming the watch: after that, nothing would release the message.
    const watch = await transaction
      .selectFrom('watches')
      .select('status')
      .where('id', '=', watchId)
      .forKeyShare()
      .executeTakeFirst();
    if (watch?.status !== 'paused') await setStatus(watch?.status === 'active' ? 'sending' : 'failed');
  };

  /** For the owner, or admins, alone. */
  const notice = <M extends messages.WatchMessage>(kind: M['kind'], payload: z.ZodType<M>) =>
    outgoingMessage(kind, { payload, operation: 'post', isNotice: true, open: openWith(() => ({})) });

  return [
    outgoingMessage('card', {
      payload: messages.card,
      operation: 'post',
      inThread: 'opener',
      async open(message, row, ctx: WorkCtx) {
        const { store } = ctx.services;
        const post = await readPost(store, message, row);
        if (!post?.watch) return undefined;
        // The first card of a watch has this id too. After a restore, a later one may be in Slack.
        const { id } = post.watch;
        const since = await readRestoredFrom(store, row);
        return { id, ...(since && { since }), render: () => draw(post, ctx) };
      },
      onRefused,
      async onSent(transaction, { row, ts }) {
        if (!row.thread_key) return;
        await transaction
          .updateTable('watches')
          .set({ card_ts: ts })
          .where('id', '=', row.thread_key)
          .execute();
        await endCardRecovery(transaction, row);
      },
    }),
    outgoingMessage('card-update', {
      payload: messages.cardUpdate,
      operation: 'update',
      inThread: 'opener',
      postedAgainAs: 'card',
      open: openWith(({ watch }) => ({ ts: watch?.cardTs ?? null })),
      onRefused,
      onSent: (transaction, { row }) => endCardRecovery(transaction, row),
    }),
    outgoingMessage('card-removal', {
      payload: messages.cardRemoval,
      operation: 'remove',
      open: async ({ watchId: id, since }) => ({ id, since }),
    }),
    outgoingMessage('card-stopped', {
      payload: messages.cardStopped,
      operation: 'update',
      open: openWith(({ message }) => ({ ts: message.cardTs })),
      onRefused,
    }),
    outgoingMessage('reply', {
      payload: reply,
      operation: 'post',
      inThread: 'reply',
      onRefused,
      onSent: markNotified,
      group: groupReplies,
      open: openWith(({ id, message: { place }, watch, alerts }) => {
        const mergedIds = alerts.map((alert) => alert.id).filter((alertId) => alertId !== id);
        if (!watch?.cardTs) return { mergedIds };
        // A summary moves replies from the channel to the thread, which a restored store may not know.
        if (place === 'channel') return { mergedIds, mayBeIn: watch.cardTs };
        return { mergedIds, threadTs: watch.cardTs, isBroadcast: place === 'broadcast' };
      }),
    }),
    outgoingMessage('summary', {
      payload: summary,
      operation: 'post',
      inThread: 'reply',
      open: openWith(() => ({})),
      async onRefused(transaction, refusal, ctx) {
        const { items } = summary.parse(refusal.row.payload);
        await pause(transaction, refusal, [...new Set(items.map(({ watchId }) => watchId))], ctx);
      },
    }),
    outgoingMessage('reply-update', {
      payload: replyUpdate,
      operation: 'update',
      inThread: 'reply-update',
      async open({ messageId }, _, ctx: WorkCtx) {
        const { store } = ctx.services;
        const find = () => findShown(store, messageId);
        const found = await find();
        if (!found) return undefined;
        return {
          ts: found.row.ts,
          // Read again: it may have changed since, before this update counted as being sent.
          render: async () => draw((await find())?.post ?? found.post, ctx),
        };
      },
    }),
    outgoingMessage('assignment', {
      payload: assignment,
      operation: 'post',
      inThread: 'reply',
      onRefused,
      async open(message, row, ctx: WorkCtx) {
        const { store } = ctx.services;
        const post = await readPost(store, message, row);
        if (!post) return undefined;
        const alert = await findShown(store, message.messageId);
        const isApart = alert?.post.message.kind === 'reply' && alert.post.message.place === 'channel';
        const threadTs = (isApart && alert.row.ts) || post.watch?.cardTs;
        return { ...(threadTs && { threadTs }), render: () => draw(post, ctx) };
      },
    }),
    outgoingMessage('alert-reminder', {
      payload: alertReminder,
      operation: 'post',
      async open(message, row, ctx: WorkCtx) {
        const { store } = ctx.services;
        const post = await readPost(store, message, row);
        const [alert] = post?.alerts ?? [];
        const isDue = alert?.assignment?.assigneeId === row.channel_id && !alert.acknowledgement;
        // Whoever has left the channel since then doesn't see what is posted there.
        if (!post?.watch || !isDue) return undefined;
        const joined = await ctx.services.access.getJoinedChannels(row.channel_id);
        if (!joined.has(post.watch.channelId)) return undefined;
        return { toPerson: true, render: () => draw(post, ctx) };
      },
    }),
    notice('notice', messages.pauseNotice),
    notice('budget-notice', budgetNotice),
    notice('rules-notice', messages.rulesNotice),
  ];
}

/** The watch's card is in Slack, where the store says it is. */
async function endCardRecovery(store: WorkspaceStore, { thread_key: watchId }: OutboxRow): Promise<void> {
  await store
    .updateTable('watches')
    .set({ restored_from: null })
    .where('id', '=', watchId)
    .where('restored_from', 'is not', null)
    .execute();
}

async function readRestoredFrom(
  store: WorkspaceStore,
  { thread_key: watchId }: OutboxRow,
): Promise<Date | null> {
  const watch = await store
    .selectFrom('watches')
    .select('restored_from')
    .where('id', '=', watchId)
    .executeTakeFirst();
  return watch?.restored_from ?? null;
}

/** Its alerts say when Slack took them. */
const markNotified: NonNullable<Outgoing['onSent']> = async (transaction, { row, now }) => {
  await transaction
    .updateTable('alerts')
    .set({ notified_at: now })
    .where('message_id', '=', row.id)
    .where('notified_at', 'is', null)
    .execute();
};
