import { type Kysely, type SqlBool, sql } from 'kysely';
import { acrossWorkspaces } from './across-workspaces.ts';
import type { RecoveryWindow } from './recovery.ts';
import type { Schema } from './schema.ts';

/**
 * Marks all that a bot may have done after the backup, in the transaction that restores it. Each mark goes with the work
 * that it is about: a message is looked up before it is posted, a watch is evaluated once for all that has changed, and
 * digests planned up to `restoredAt` are not sent. What was still marked in the backup stays so.
 */
export async function beginRecovery(
  db: Kysely<Schema>,
  { backedUpAt, restoredAt }: RecoveryWindow,
): Promise<void> {
  const everywhere = acrossWorkspaces('restore');
  await db
    .updateTable('workspaces')
    .set({ backed_up_at: backedUpAt, restored_at: restoredAt })
    .modifyEnd(everywhere)
    .execute();
  for (const table of ['watches', 'followings'] as const) {
    await db
      .updateTable(table)
      .set({ restored_from: backedUpAt })
      .where('restored_from', 'is', null)
      .modifyEnd(everywhere)
      .execute();
  }
  await db
    .updateTable('outbox')
    .set({ attempted_at: backedUpAt })
    .where(sql<SqlBool>`status in ('pending', 'held') and attempted_at is null`)
    .modifyEnd(everywhere)
    .execute();
}
