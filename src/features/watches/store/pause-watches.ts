import { type Kysely, type Selectable, type SqlBool, sql } from 'kysely';
import type { Schema } from '../../../database/schema.ts';
import type { Pausable, PausedThing } from '../../pausable.ts';

export const pausableWatches: Omit<Pausable, 'resumeIn' | 'titlesNow'> = {
  words: { one: 'watch', several: 'watches' },
  meanwhile: 'Their messages wait until then, and they make no API calls meanwhile.',
  noticeKind: 'notice',
  checksChannel: false,
  pause: pauseWatches,
  async paused(db, { workspaceId, ownerId, channelId, reason }) {
    const rows = await db
      .selectFrom('watches')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .where('owner_id', '=', ownerId)
      .where('channel_id', '=', channelId)
      .where('status', '=', 'paused')
      .where('pause_reason', '=', reason)
      .orderBy('id')
      .execute();
    return rows.map(asPaused);
  },
};

/** Of the columns alone: one watch that can't be read doesn't keep its channel from being paused. */
const asPaused = ({ id, title, owner_id: ownerId }: Selectable<Schema['watches']>): PausedThing => {
  const message = { kind: 'notice', title };
  return { id, title, ownerId, notice: { watchId: id, message } };
};

/**
 * Those that were active are paused, and given back, and so are those that had their end and could not say so;
 * what waits for them is held back until somebody resumes them. Within the caller's transaction.
 */
async function pauseWatches(
  transaction: Kysely<Schema>,
  { workspaceId, of, code }: Parameters<Pausable['pause']>[1],
): Promise<PausedThing[]> {
  if ('ids' in of && of.ids.length === 0) return [];
  const active = await transaction
    .selectFrom('watches')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where(hasSomethingToTell)
    .where((where) => ('ids' in of ? where('id', 'in', [...of.ids]) : where('channel_id', '=', of.channelId)))
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
  return rows.map(asPaused);
}

const hasSomethingToTell = sql<SqlBool>`(status = 'active' or status = 'ended' and exists (
  select 1 from outbox
  where outbox.watch_id = watches.id and outbox.kind = 'reply' and outbox.status in ('pending', 'sending', 'held')
))`;
