import type { Kysely, Selectable } from 'kysely';
import type { Schema } from '../../database/schema.ts';
import type { Pausable, PausedThing } from '../pausable.ts';

export const pausableDigests: Omit<Pausable, 'resumeIn'> = {
  words: { one: 'digest', several: 'digests' },
  meanwhile: 'Then they run again at their next time.',
  noticeKind: 'digest-notice',
  checksChannel: true,
  pause: pauseDigests,
  async paused(db, { workspaceId, ownerId, channelId, reason }) {
    const rows = await db
      .selectFrom('digests')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .where('owner_id', '=', ownerId)
      .where('channel_id', '=', channelId)
      .where('status', '=', 'paused')
      .where('pause_reason', '=', reason)
      .where('removed_at', 'is', null)
      .orderBy('id')
      .execute();
    return rows.map(asPaused);
  },
};

/** Of the columns alone: one digest that can't be read doesn't keep its channel from being paused. */
const asPaused = (row: Selectable<Schema['digests']>): PausedThing => {
  const { id, number, title, owner_id: ownerId, destination } = row;
  const message = { kind: 'digest-notice', digestId: id, number, title, destination };
  return { id, title, ownerId, notice: { digestId: id, message } };
};

/**
 * Those that were active are paused, and given back. An old digest helps nobody: what waits is dropped, and the
 * next one after `resume` is complete, with nothing to compare with. Within the caller's transaction.
 */
async function pauseDigests(
  transaction: Kysely<Schema>,
  { workspaceId, of, code }: Parameters<Pausable['pause']>[1],
): Promise<PausedThing[]> {
  if ('ids' in of && of.ids.length === 0) return [];
  const found = await transaction
    .selectFrom('digests')
    .select(['id', 'status'])
    .where('workspace_id', '=', workspaceId)
    .where('removed_at', 'is', null)
    .where((where) => ('ids' in of ? where('id', 'in', [...of.ids]) : where('channel_id', '=', of.channelId)))
    .orderBy('id')
    .forUpdate()
    .execute();
  if (found.length === 0) return [];
  const rows = await transaction
    .updateTable('digests')
    .set({ status: 'paused', pause_reason: code, baseline: null, lease_until: null, lease_token: null })
    .where(
      'id',
      'in',
      found.map(({ id }) => id),
    )
    .where('status', '=', 'active')
    .returningAll()
    .execute();
  await transaction
    .updateTable('outbox')
    .set({ status: 'failed', error: code })
    .where(
      'digest_id',
      'in',
      found.map(({ id }) => id),
    )
    .where('status', '=', 'pending')
    .where('kind', '<>', 'digest-notice')
    .execute();
  return rows.map(asPaused);
}
