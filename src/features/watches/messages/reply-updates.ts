import { sql } from 'kysely';
import { inChunks } from '../../../database/batches.ts';
import type { WorkspaceStore } from '../../../database/workspace-store.ts';
import { pendingMessage } from '../../../outbox/outgoing-message.ts';
import type { WatchMessage } from './messages.ts';

/** Queues an update of each of these replies, and of the summaries that show them, unless one is waiting already. */
export async function queueReplyUpdates(
  store: WorkspaceStore,
  messageIds: readonly string[],
  { newId, now, realNow }: { newId: () => string; now: Date; realNow: Date },
): Promise<void> {
  const replies = await readRows(store, messageIds);
  const summaryIds = [...new Set(replies.flatMap(({ goes_before }) => goes_before ?? []))];
  const summaries = await readRows(store, summaryIds);
  const rows = [...replies, ...summaries].map(
    ({ id: messageId, thread_key: threadKey, channel_id: channelId }) => {
      const message: WatchMessage = { kind: 'reply-update', messageId };
      return pendingMessage({ id: newId(), threadKey, channelId, message, now, dueAt: realNow });
    },
  );
  for (const chunk of inChunks(rows)) {
    await store
      .insertInto('outbox', chunk)
      .onConflict((conflict) =>
        conflict
          .column('payload')
          .where(sql<boolean>`kind = 'reply-update' and status = 'pending'`)
          // Changes nothing, but locks the waiting update: nobody renders it before this transaction ends.
          .doUpdateSet({ due_at: sql`outbox.due_at` })
          .where(store.isOwn('outbox')),
      )
      .execute();
  }
}

async function readRows(store: WorkspaceStore, ids: readonly string[]) {
  if (ids.length === 0) return [];
  return await store
    .selectFrom('outbox')
    .select(['id', 'thread_key', 'channel_id', 'goes_before'])
    .where('id', 'in', ids)
    // All transactions write updates in this order, which prevents deadlocks.
    .orderBy('id')
    .execute();
}
