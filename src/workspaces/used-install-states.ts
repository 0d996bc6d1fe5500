import { createHash } from 'node:crypto';
import type { AllWorkspaces } from '../database/workspace-store.ts';

/** A state is valid for ten minutes. Longer, since the clocks of two processes may differ. */
const rememberedMs = 60 * 60_000;

/**
 * Marks the state of an install as used, for all processes and after a restart. False if it was used before. `state` must
 * have been verified, so that nobody can fill the table with invented ones.
 */
export async function takeInstallState(db: AllWorkspaces, state: string, realNow: Date): Promise<boolean> {
  await db.deleteFrom('used_install_states').where('expires_at', '<', realNow).execute();
  const id = createHash('sha256').update(state).digest('hex');
  const expiresAt = new Date(realNow.getTime() + rememberedMs);
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('used_install_states')
    .values({ id, expires_at: expiresAt })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}
