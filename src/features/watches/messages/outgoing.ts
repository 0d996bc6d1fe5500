import type { Kysely } from 'kysely';
import type { Schema } from '../../../database/schema.ts';
import {
  type OutboxRow,
  type OutgoingMessage,
  outgoingMessage,
  type Refusal,
} from '../../../outbox/outgoing-message.ts';
import { readWatch } from '../store/watch.ts';
import { groupReplies, isTooLarge } from './group-replies.ts';
import * as messages from './messages.ts';
import type { Render, WatchPost } from './render-post.ts';

/** Every kind of message that watches put into the outbox. */
export function watchMessages({
  db,
  render,
  pause,
}: {
  db: Kysely<Schema>;
  render: Pick<Render, 'post'>;
  pause(transaction: Kysely<Schema>, refusal: Refusal, ids: readonly string[]): Promise<void>;
}): OutgoingMessage[] {
  /** Pauses the watch, and holds its message until somebody resumes it. */
  const onRefused: OutgoingMessage['onRefused'] = async (transaction, refusal) => {
    const { id, workspace_id: workspaceId, thread_key: watchId } = refusal.row;
    if (!watchId) return await pause(transaction, refusal, []);
    const setStatus = (status: string) =>
      transaction
        .updateTable('outbox')
        .set({ status })
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .execute();
    await setStatus('held');
    await pause(transaction, refusal, [watchId]);
    // Waits for anybody who is just stopping or resuming the watch: after that, nothing would release the message.
    const watch = await transaction
      .selectFrom('watches')
      .select('status')
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', watchId)
      .forKeyShare()
      .executeTakeFirst();
    if (watch?.status !== 'paused') await setStatus(watch?.status === 'active' ? 'sending' : 'failed');
  };

  /** `placeOf` returns where Slack puts the message. Undefined if the watch is gone. */
  const openWith =
    <M extends messages.WatchMessage, Place extends object>(placeOf: (post: WatchPost<M>) => Place) =>
    async (message: M, row: OutboxRow) => {
      const { workspace_id: workspaceId } = row;
      const watch = row.thread_key ? await findWatch(db, { workspaceId, id: row.thread_key }) : undefined;
      if (row.thread_key && !watch) return undefined;
      const post: WatchPost<M> = {
        workspaceId,
        channelId: row.channel_id,
        createdAt: row.created_at,
        message,
        watch: watch ? readWatch(watch) : null,
        members:
          message.kind === 'summary' ? await readMembers(db, { workspaceId, ids: message.members }) : [],
      };
      return { ...placeOf(post), render: () => render.post(post) };
    };

  return [
    outgoingMessage('card', {
      payload: messages.card,
      operation: 'post',
      inThread: 'opener',
      open: openWith(() => ({})),
      onRefused,
      async onSent(transaction, { row, ts }) {
        if (!row.thread_key) return;
        await transaction
          .updateTable('watches')
          .set({ card_ts: ts })
          .where('workspace_id', '=', row.workspace_id)
          .where('id', '=', row.thread_key)
          .execute();
      },
    }),
    outgoingMessage('card-update', {
      payload: messages.cardUpdate,
      operation: 'update',
      inThread: 'opener',
      postedAgainAs: 'card',
      open: openWith(({ watch }) => ({ ts: watch?.cardTs ?? null })),
      onRefused,
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
      payload: messages.reply,
      operation: 'post',
      inThread: 'reply',
      onRefused,
      group: groupReplies,
      isTooLarge,
      open: openWith(({ message: { place }, watch }) =>
        place === 'channel' || !watch?.cardTs
          ? {}
          : { threadTs: watch.cardTs, isBroadcast: place === 'broadcast' },
      ),
    }),
    outgoingMessage('summary', {
      payload: messages.summary,
      operation: 'post',
      open: openWith(() => ({})),
      async onRefused(transaction, refusal) {
        const { items } = messages.summary.parse(refusal.row.payload);
        await pause(transaction, refusal, [...new Set(items.map(({ watchId }) => watchId))]);
      },
    }),
    outgoingMessage('notice', {
      payload: messages.pauseNotice,
      operation: 'post',
      isNotice: true,
      open: openWith(() => ({})),
    }),
    outgoingMessage('rules-notice', {
      payload: messages.rulesNotice,
      operation: 'post',
      isNotice: true,
      open: openWith(() => ({})),
    }),
  ];
}

const findWatch = (db: Kysely<Schema>, { workspaceId, id }: { workspaceId: string; id: string }) =>
  db
    .selectFrom('watches')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst();

/** The posted replies that a summary links to. */
async function readMembers(
  db: Kysely<Schema>,
  { workspaceId, ids }: { workspaceId: string; ids: readonly string[] },
): Promise<WatchPost['members']> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('outbox')
    .select(['thread_key', 'ts'])
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', [...ids])
    .execute();
  return rows.flatMap(({ thread_key, ts }) => (thread_key && ts ? [{ watchId: thread_key, ts }] : []));
}
