import { type SqlBool, sql } from 'kysely';
import { type AllWorkspaces, acrossWorkspaces, type WorkspaceStore } from './workspace-store.ts';

/** Between these times the bot did what the store doesn't know, on the real clock. */
interface RecoveryWindow {
  backedUpAt: Date;
  restoredAt: Date;
}

/** Undefined if the workspace was never restored from a backup. */
export async function readRecoveryWindow(store: WorkspaceStore): Promise<RecoveryWindow | undefined> {
  const { backed_up_at: backedUpAt, restored_at: restoredAt } =
    (await store.selectFrom('workspaces').select(['backed_up_at', 'restored_at']).executeTakeFirst()) ?? {};
  return backedUpAt && restoredAt ? { backedUpAt, restoredAt } : undefined;
}

/**
 * Marks all that a bot may have done after the backup, in the transaction that restores it. Each mark goes with the work
 * that it is about: a message is looked up before it is posted, a watch is evaluated once for all that has changed, and
 * digests planned up to `restoredAt` are not sent. What was still marked in the backup stays so.
 */
export async function beginRecovery(
  db: AllWorkspaces,
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
