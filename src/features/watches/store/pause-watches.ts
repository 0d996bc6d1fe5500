import { type Kysely, type SqlBool, sql } from 'kysely';
import type { Schema } from '../../../database/schema.ts';
import { readWatch, type Watch } from './watch.ts';

export interface WatchesToPause {
  workspaceId: string;
  of: { watchIds: readonly string[] } | { channelId: string };
  /** Slack's. */
  code: string;
}

/**
 * Those that were active are paused, and given back, and so are those that had their end and could not say so;
 * what waits for them is held back until somebody resumes them. Within the caller's transaction.
 */
export async function pauseWatches(
  transaction: Kysely<Schema>,
  { workspaceId, of, code }: WatchesToPause,
): Promise<Watch[]> {
  if ('watchIds' in of && of.watchIds.length === 0) return [];
  const active = await transaction
    .selectFrom('watches')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where(hasSomethingToTell)
    .where((where) =>
      'watchIds' in of ? where('id', 'in', [...of.watchIds]) : where('channel_id', '=', of.channelId),
    )
    // As everybody locks them, so that nobody waits for one who waits for them.
    .orderBy('id')
    .forUpdate()
    .execute();
  if (active.length === 0) return [];
  const ids = active.map(({ id }) => id);
  const rows = await transaction
    .updateTable('watches')
    .set({ status: 'paused', pause_reason: code })
    .where('id', 'in', ids)
    .returningAll()
    .execute();
  await transaction
    .updateTable('outbox')
    .set({ status: 'held' })
    .where('watch_id', 'in', ids)
    .where('status', '=', 'pending')
    .where('kind', '<>', 'notice')
    .execute();
  return rows.map((row) => readWatch(row));
}

const hasSomethingToTell = sql<SqlBool>`(status = 'active' or status = 'ended' and exists (
  select 1 from outbox
  where outbox.watch_id = watches.id and outbox.kind = 'reply' and outbox.status in ('pending', 'sending', 'held')
))`;
