import { type Kysely, sql } from 'kysely';
import type { Schema } from '../../../database/schema.ts';
import { pendingMessage } from '../../../outbox/outgoing-message.ts';
import type { Watch } from '../store/watch.ts';

/** About how long Refresh must wait for its poll. */
export const pollTakesMs = 2_500;

/** Queues an update of each card, unless an update is waiting already, since it will show the card's newest state. */
export async function queueCardUpdates(
  db: Kysely<Schema>,
  watches: readonly Watch[],
  { newId, now, realNow, dueAt = realNow }: { newId: () => string; now: Date; realNow: Date; dueAt?: Date },
): Promise<void> {
  if (watches.length === 0) return;
  const message = { kind: 'card-update' };
  const rows = watches.map(({ id: watchId, workspaceId, channelId }) =>
    pendingMessage({ id: newId(), workspaceId, watchId, channelId, message, now, dueAt }),
  );
  await db
    .insertInto('outbox')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .column('watch_id')
        .where(sql<boolean>`kind = 'card-update' and status = 'pending'`)
        .doNothing(),
    )
    .execute();
}

/** Makes the updates due that wait for the poll of a Refresh. Updates that Slack has delayed keep waiting. */
export async function expediteCardUpdates(
  db: Kysely<Schema>,
  { watchIds, realNow }: { watchIds: readonly string[]; realNow: Date },
): Promise<void> {
  if (watchIds.length === 0) return;
  const latest = new Date(realNow.getTime() + pollTakesMs);
  await sql`
    with waiting as materialized (
      select id from outbox
      where kind = 'card-update' and status = 'pending' and error is null and watch_id in (${sql.join([...watchIds])})
        and due_at > ${realNow} and due_at <= ${latest}
      order by id for update skip locked
    )
    update outbox set due_at = ${realNow} from waiting where outbox.id = waiting.id`.execute(db);
}
