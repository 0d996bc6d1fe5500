import type { Kysely } from 'kysely';
import type { Schema } from '../../database/schema.ts';
import { type Digest, readDigest } from './digest.ts';

export interface DigestsToPause {
  workspaceId: string;
  of: { digestId: string } | { channelId: string };
  /** Slack's. */
  code: string;
}

/**
 * Those that were active are paused, and given back. An old digest helps nobody: what waits is dropped, and the
 * next one after `resume` is complete, with nothing to compare with. Within the caller's transaction.
 */
export async function pauseDigests(
  transaction: Kysely<Schema>,
  { workspaceId, of, code }: DigestsToPause,
): Promise<Digest[]> {
  const found = await transaction
    .selectFrom('digests')
    .select(['id', 'status'])
    .where('workspace_id', '=', workspaceId)
    .where('removed_at', 'is', null)
    .where((where) =>
      'digestId' in of ? where('id', '=', of.digestId) : where('channel_id', '=', of.channelId),
    )
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
  return rows.map(readDigest);
}
