import { type Kysely, sql } from 'kysely';
import { inChunks } from '../../../database/in-chunks.ts';
import type { Schema } from '../../../database/schema.ts';
import { pendingMessage } from '../../../outbox/outgoing-message.ts';
import type { WatchMessage } from './messages.ts';

/** Queues an update of each of these replies, and of the summaries that show them, unless one is waiting already. */
export async function queueReplyUpdates(
  db: Kysely<Schema>,
  messageIds: readonly string[],
  {
    workspaceId,
    newId,
    now,
    realNow,
  }: { workspaceId: string; newId: () => string; now: Date; realNow: Date },
): Promise<void> {
  const replies = await readRows(db, { workspaceId, ids: messageIds });
  const summaryIds = [...new Set(replies.flatMap(({ goes_before }) => goes_before ?? []))];
  const summaries = await readRows(db, { workspaceId, ids: summaryIds });
  const rows = [...replies, ...summaries].map(
    ({ id: messageId, thread_key: threadKey, channel_id: channelId }) => {
      const message: WatchMessage = { kind: 'reply-update', messageId };
      return pendingMessage({ id: newId(), workspaceId, threadKey, channelId, message, now, dueAt: realNow });
    },
  );
  for (const chunk of inChunks(rows)) {
    await db
      .insertInto('outbox')
      .values(chunk)
      .onConflict((conflict) =>
        conflict
          .column('payload')
          .where(sql<boolean>`kind = 'reply-update' and status = 'pending'`)
          // Changes nothing, but locks the waiting update: nobody renders it before this transaction ends.
          .doUpdateSet({ due_at: sql`outbox.due_at` })
          .where('outbox.workspace_id', '=', workspaceId),
      )
      .execute();
  }
}

async function readRows(
  db: Kysely<Schema>,
  { workspaceId, ids }: { workspaceId: string; ids: readonly string[] },
) {
  if (ids.length === 0) return [];
  return await db
    .selectFrom('outbox')
    .select(['id', 'thread_key', 'channel_id', 'goes_before'])
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', ids)
    // All transactions write updates in this order, which prevents deadlocks.
    .orderBy('id')
    .execute();
}
