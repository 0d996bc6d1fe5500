import { withoutLease } from '../database/leases.ts';
import type { WorkspaceStore } from '../database/workspace-store.ts';

/**
 * Remembers whose answers the workspace stores from now on. Those of another address are deleted, so invented predictions
 * never mix with real ones. Polls and digests under way lose their leases, so they store nothing; watched subjects are due
 * at `now` (domain clock). Returns whether anything was deleted.
 */
export async function adoptServiceAddress(
  transaction: WorkspaceStore,
  { address, now }: { address: string; now: Date },
): Promise<boolean> {
  const workspace = transaction.selectFrom('workspaces');
  // The rows that refer to the workspace can still be written.
  const row = await workspace.select('service_address').forNoKeyUpdate().executeTakeFirst();
  if (!row || row.service_address === address) return false;
  await transaction.updateTable('workspaces').set({ service_address: address }).execute();
  if (row.service_address === null) return false;
  await forgetAnswers(transaction, now);
  return true;
}

/** Locks watches, then subjects, each in the order of their ids, as polls do. */
async function forgetAnswers(transaction: WorkspaceStore, now: Date): Promise<void> {
  for (const table of ['watches', 'subjects'] as const) {
    const rows = transaction.selectFrom(table).select('id');
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
    .execute();
  const watches = transaction.selectFrom('watches').select('id');
  await transaction.updateTable('followings').set({ state: null }).where('watch_id', 'in', watches).execute();
  await transaction.deleteFrom('alerts').where('watch_id', 'in', watches).execute();
  await transaction
    .updateTable('digests')
    .set({ ...withoutLease, baseline: null })
    .execute();
  for (const table of ['history', 'finished_calls'] as const) await transaction.deleteFrom(table).execute();
}
