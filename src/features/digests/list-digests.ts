import { sql } from 'kysely';
import type { WorkspaceStore } from '../../database/workspace-store.ts';
import { matchesScope, type ScopeFilter } from '../owned/scope.ts';
import { type Digest, readDigest } from './digest.ts';

export interface DigestFilter extends ScopeFilter {
  isRemoved?: boolean;
}

/** Sorted by channel and number; `total` counts the digests of all pages. */
export async function listDigests(
  store: WorkspaceStore,
  { isRemoved = false, ...scope }: DigestFilter,
  { limit, offset } = { limit: 1000, offset: 0 },
): Promise<{ digests: Digest[]; total: number }> {
  const query = store
    .selectFrom('digests')
    .where(matchesScope(scope))
    .where('removed_at', isRemoved ? 'is not' : 'is', null);
  const { total } = await query
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const rows = await query
    .selectAll()
    .select(isUndelivered(store))
    .orderBy('channel_id')
    .orderBy('number')
    .limit(limit)
    .offset(offset)
    .execute();
  return { digests: rows.map(readDigest), total };
}

/** Computes `isUndelivered`: a message of the digest is still in the outbox, and Slack has refused it. */
export const isUndelivered = (store: WorkspaceStore) =>
  sql<number>`case when exists (
    select 1 from outbox
    where ${store.isOwn('outbox')} and outbox.thread_key = digests.id and outbox.status in ('pending', 'sending') and outbox.error is not null
  ) then 1 else 0 end`.as('is_undelivered');
