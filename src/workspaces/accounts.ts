import { z } from 'zod';
import { loginIdOf } from '../analytics/login.ts';
import type { SecretBox } from '../database/secrets.ts';
import type { WorkspaceStore } from '../database/workspace-store.ts';
import { type AuditedTransaction, createAuditedTransaction } from './audit.ts';
import { lockWorkspace } from './lock-workspace.ts';
import { acceptLogin, deleteUnusedLogins, lockLogins } from './logins.ts';
import { adoptServiceAddress } from './service-address.ts';

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
