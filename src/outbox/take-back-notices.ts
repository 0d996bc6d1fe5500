import { type Kysely, sql } from 'kysely';
import type { Schema } from '../database/schema.ts';

/** What an owner has not been notified of yet about one channel and one cause. Gives back how many messages that were. */
export async function takeBackNotices(
  transaction: Kysely<Schema>,
  {
    workspaceId,
    ownerId,
    channelId,
    reason,
  }: {
    workspaceId: string;
    ownerId: string;
    /** Where what is paused stands. */
    channelId: string;
    /** Slack's code. */
    reason: string;
  },
): Promise<number> {
  const { numDeletedRows } = await transaction
    .deleteFrom('outbox')
    .where('workspace_id', '=', workspaceId)
    .where('channel_id', '=', ownerId)
    .where('status', '=', 'pending')
    .where('kind', 'in', ['notice', 'digest-notice', 'channel-notice'])
    .where(sql`payload ->> 'channelId'`, '=', channelId)
    .where(sql`payload ->> 'reason'`, '=', reason)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
