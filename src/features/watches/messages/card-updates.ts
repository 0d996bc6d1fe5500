import { type Insertable, type Kysely, sql } from 'kysely';
import type { Schema } from '../../../database/schema.ts';
import { pendingMessage } from '../../../outbox/outgoing-message.ts';
import type { Watch } from '../store/watch.ts';

/** A poll that is due at once has been answered after about this. */
export const pollTakesMs = 2_500;

/** One waiting update is enough: it shows the card as it is when it goes out. */
export async function queueCardUpdate(
  db: Kysely<Schema>,
  { watch, id, now, realNow }: { watch: Watch; id: string; now: Date; realNow: Date },
): Promise<void> {
  await queueCardUpdates(db, [
    pendingMessage({
      id,
      workspaceId: watch.workspaceId,
      watchId: watch.id,
      channelId: watch.channelId,
      message: { kind: 'card-update' },
      now,
      realNow,
    }),
  ]);
}

/** Of these watches, what Refresh has put off until its poll is done goes out now; what Slack made wait does not. */
export async function expediteCardUpdates(
  db: Kysely<Schema>,
  { watchIds, realNow }: { watchIds: readonly string[]; realNow: Date },
): Promise<void> {
  if (watchIds.length === 0) return;
  const putOff = new Date(realNow.getTime() + pollTakesMs);
  await sql`
    with waiting as materialized (
      select id from outbox
      where kind = 'card-update' and status = 'pending' and error is null and watch_id in (${sql.join([...watchIds])})
        and due_at > ${realNow} and due_at <= ${putOff}
      order by id for update skip locked
    )
    update outbox set due_at = ${realNow} from waiting where outbox.id = waiting.id`.execute(db);
}

export async function queueCardUpdates(
  db: Kysely<Schema>,
  rows: readonly Insertable<Schema['outbox']>[],
): Promise<void> {
  if (rows.length === 0) return;
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
