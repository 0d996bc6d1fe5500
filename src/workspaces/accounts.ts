import { z } from 'zod';
import { loginIdOf } from '../analytics/login.ts';
import { withoutLease } from '../database/leases.ts';
import type { SecretBox } from '../database/secrets.ts';
import type { WorkspaceStore } from '../database/workspace-store.ts';
import { type AuditedTransaction, createAuditedTransaction, lockWorkspace } from './audit.ts';
import { acceptLogin, deleteUnusedLogins, lockLogins } from './logins.ts';

const secrets = z.object({ apiKey: z.string(), userId: z.string(), password: z.string() });

/** An account at the analytics service. */
export interface Account extends z.infer<typeof secrets> {
  /** The base address of the service, or `sandbox`: the address of the embedded service changes at each start. */
  address: string;
}

/** An account of the sandbox, which is no secret. */
export interface SampleAccount {
  account: Account;
  /** It has access to trade lanes. */
  hasLanes: boolean;
}

/** What people may see of the account that an admin entered. */
export interface AccountSummary {
  address: string;
  connectedAt: Date;
  connectedBy: string;
}

interface AccountChange {
  /** The id of the audit row. */
  id: string;
  actorId: string;
  /** On the domain clock. */
  now: Date;
}

export type AccountStore = ReturnType<typeof createAccountStore>;

/** The account that an admin of one workspace entered. Key, user id and password are sealed together. */
export function createAccountStore(options: {
  store: WorkspaceStore;
  box: SecretBox;
  audited?: AuditedTransaction;
}) {
  const { store, box, audited = createAuditedTransaction(store) } = options;
  const place = { table: 'accounts', row: store.workspaceId, column: 'sealed_account' };
  const rowIn = (from: WorkspaceStore) => from.selectFrom('accounts').selectAll().executeTakeFirst();
  const subject = 'the account of the analytics service';

  return {
    /** Throws StoreError if no key opens it. */
    async find(): Promise<Account | undefined> {
      const row = await rowIn(store);
      if (!row) return undefined;
      return { address: row.address, ...secrets.parse(JSON.parse(box.open(row.sealed_account, place))) };
    },
    async summary(): Promise<AccountSummary | undefined> {
      const row = await rowIn(store);
      return row && { address: row.address, connectedAt: row.updated_at, connectedBy: row.updated_by };
    },
    /** Inserts or replaces. */
    async save({ address, apiKey, userId, password }: Account, change: AccountChange): Promise<void> {
      const { id, actorId, now } = change;
      const loginId = loginIdOf({ address, apiKey, userId });
      await audited(async (transaction, record) => {
        await lockWorkspace(transaction);
        const former = await rowIn(transaction);
        const formerLogins = former ? [former.login_id] : [];
        await lockLogins(transaction.allWorkspaces, { added: loginId, others: formerLogins });
        // The account has been tried.
        await acceptLogin(transaction.allWorkspaces, loginId);
        const values = {
          login_id: loginId,
          address,
          sealed_account: box.seal(JSON.stringify({ apiKey, userId, password }), place),
          updated_at: now,
          updated_by: actorId,
        };
        await transaction
          .insertInto('accounts', values)
          .onConflict((conflict) => conflict.column('workspace_id').doUpdateSet(values))
          .execute();
        await deleteUnusedLogins(transaction.allWorkspaces, formerLogins);
        await adoptServiceAddress(transaction, { address, now });
        const sides = { ...(former && { before: { address: former.address } }), after: { address } };
        const action = former ? 'account.replace' : 'account.connect';
        await record({ id, at: now, actorId, action, subject, ...sides });
      });
    },
    /** `nextAddress`: the service that answers from now on, if any. False if there was no account. */
    async remove(change: AccountChange & { nextAddress: string | undefined }): Promise<boolean> {
      const { id, actorId, now, nextAddress } = change;
      return await audited(async (transaction, record) => {
        await lockWorkspace(transaction);
        const former = await rowIn(transaction);
        if (!former) return false;
        const logins = [former.login_id];
        await lockLogins(transaction.allWorkspaces, { added: undefined, others: logins });
        await transaction.deleteFrom('accounts').execute();
        await deleteUnusedLogins(transaction.allWorkspaces, logins);
        if (nextAddress !== undefined) await adoptServiceAddress(transaction, { address: nextAddress, now });
        const before = { address: former.address };
        await record({ id, at: now, actorId, action: 'account.remove', subject, before });
        return true;
      });
    },
  };
}

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
