import type { Kysely } from 'kysely';
import { withoutLease } from '../database/leases.ts';
import type { Schema } from '../database/schema.ts';

/**
 * Remembers whose answers the workspace stores from now on. Those of another address are deleted, so invented predictions
 * never mix with real ones. Polls and digests under way lose their leases, so they store nothing; watched subjects are due
 * at `now` (domain clock). Returns whether anything was deleted.
 */
export async function adoptServiceAddress(
  transaction: Kysely<Schema>,
  { workspaceId, address, now }: { workspaceId: string; address: string; now: Date },
): Promise<boolean> {
  const workspace = transaction.selectFrom('workspaces').where('id', '=', workspaceId);
  // The rows that refer to the workspace can still be written.
  const row = await workspace.select('service_address').forNoKeyUpdate().executeTakeFirst();
  if (!row || row.service_address === address) return false;
  await transaction
    .updateTable('workspaces')
    .set({ service_address: address })
    .where('id', '=', workspaceId)
    .execute();
  if (row.service_address === null) return false;
  await forgetAnswers(transaction, workspaceId, now);
  return true;
}

/** Locks watches, then subjects, each in the order of their ids, as polls do. */
async function forgetAnswers(transaction: Kysely<Schema>, workspaceId: string, now: Date): Promise<void> {
  for (const table of ['watches', 'subjects'] as const) {
    const rows = transaction.selectFrom(table).select('id').where('workspace_id', '=', workspaceId);
    await rows.orderBy('id').forUpdate().execute();
  }
  await transaction
    .updateTable('subjects')
    .set({
      ...withoutLease,
      due_at: now,
      attempts: 0,
      polled_at: null,
      nearest_eta: null,
      failing_since: null,
      open_calls: null,
    })
    .where('workspace_id', '=', workspaceId)
    .execute();
  const watches = transaction.selectFrom('watches').select('id').where('workspace_id', '=', workspaceId);
  await transaction
    .updateTable('followings')
    .set({ state: null })
    .where('workspace_id', '=', workspaceId)
    .where('watch_id', 'in', watches)
    .execute();
  await transaction
    .deleteFrom('alerts')
    .where('workspace_id', '=', workspaceId)
    .where('watch_id', 'in', watches)
    .execute();
  await transaction
    .updateTable('digests')
    .set({ ...withoutLease, baseline: null })
    .where('workspace_id', '=', workspaceId)
    .execute();
  for (const table of ['history', 'finished_calls'] as const)
    await transaction.deleteFrom(table).where('workspace_id', '=', workspaceId).execute();
}
