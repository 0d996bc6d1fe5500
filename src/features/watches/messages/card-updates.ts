import { sql } from 'kysely';
import { inChunks } from '../../../database/batches.ts';
import type { WorkspaceStore } from '../../../database/workspace-store.ts';
import { pendingMessage } from '../../../outbox/outgoing-message.ts';
import type { Watch } from '../store/watch.ts';

/** About how long Refresh must wait for its poll. */
export const pollTakesMs = 2_500;

/** Queues an update of each card, unless an update is waiting already, since it will show the card's newest state. */
export async function queueCardUpdates(
  store: WorkspaceStore,
  watches: readonly Watch[],
  { newId, now, realNow, dueAt = realNow }: { newId: () => string; now: Date; realNow: Date; dueAt?: Date },
): Promise<void> {
  const message = { kind: 'card-update' };
  const rows = watches.map(({ id: threadKey, channelId }) =>
    pendingMessage({ id: newId(), threadKey, channelId, message, now, dueAt }),
  );
  for (const chunk of inChunks(rows)) {
    await store
      .insertInto('outbox', chunk)
      .onConflict((conflict) =>
        conflict
          .column('thread_key')
          .where(sql<boolean>`kind = 'card-update' and status = 'pending'`)
          .doNothing(),
      )
      .execute();
  }
}

/** Makes the updates due that wait for the poll of a Refresh. Updates that Slack has delayed keep waiting. */
export async function expediteCardUpdates(
  store: WorkspaceStore,
  { watchIds, realNow }: { watchIds: readonly string[]; realNow: Date },
): Promise<void> {
  if (watchIds.length === 0) return;
  const latest = new Date(realNow.getTime() + pollTakesMs);
  const waiting = store
    .selectFrom('outbox')
    .select('id')
    .where('kind', '=', 'card-update')
    .where('status', '=', 'pending')
    .where('error', 'is', null)
    .where('thread_key', 'in', watchIds)
    .where('due_at', '>', realNow)
    .where('due_at', '<=', latest)
    .orderBy('id')
    .forUpdate()
    .skipLocked();
  await store.updateTable('outbox').set({ due_at: realNow }).where('id', 'in', waiting).execute();
}
