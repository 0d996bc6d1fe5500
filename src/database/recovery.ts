import type { Kysely } from 'kysely';
import type { Schema } from './schema.ts';

/** Between these times the bot did what the store doesn't know, on the real clock. */
export interface RecoveryWindow {
  backedUpAt: Date;
  restoredAt: Date;
}

/** Undefined if the workspace was never restored from a backup. */
export async function readRecoveryWindow(
  db: Kysely<Schema>,
  workspaceId: string,
): Promise<RecoveryWindow | undefined> {
  const { backed_up_at: backedUpAt, restored_at: restoredAt } =
    (await db
      .selectFrom('workspaces')
      .select(['backed_up_at', 'restored_at'])
      .where('id', '=', workspaceId)
      .executeTakeFirst()) ?? {};
  return backedUpAt && restoredAt ? { backedUpAt, restoredAt } : undefined;
}
