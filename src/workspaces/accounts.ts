import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { z } from 'zod';
import { type Credentials, loginIdOf } from '../analytics/login.ts';
import type { TokenRecord, TokenStore } from '../analytics/token-manager.ts';
import { deleteInBatches } from '../database/batches.ts';
import { createRowLease, isFree, withoutLease } from '../database/due.ts';
import type { SecretBox } from '../database/secrets.ts';
import { type AllWorkspaces, acrossWorkspaces, type WorkspaceStore } from '../database/workspace-store.ts';
import { type AuditedTransaction, createAuditedTransaction, lockWorkspace } from './audit.ts';

const secrets = z.object({ apiKey: z.string(), userId: z.string(), password: z.string() });

/** An account at the analytics service. */
export interface Account extends Credentials {
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

/**
 * The shared token of a login. The process that logs in holds a lease of the row meanwhile. Only a lease makes the row:
 * if the last account of the login has been removed, a token that arrives afterwards is not stored.
 */
export function createDatabaseTokenStore(options: {
  db: AllWorkspaces;
  box: SecretBox;
  loginId: string;
}): TokenStore {
  const { db, box, loginId: id } = options;
  const place = { table: 'logins', row: id, column: 'sealed_record' };
  const stored = db.selectFrom('logins').select('sealed_record').where('id', '=', id);
  const readSealed = async () => (await stored.executeTakeFirst())?.sealed_record ?? undefined;
  const change = db.updateTable('logins').where('id', '=', id);
  const leaseOf = (token: string) => createRowLease(db, { table: 'logins', id, token });

  function open(sealed: string | undefined): TokenRecord | undefined {
    // write() below sealed it; only a holder of the key can change it.
    return sealed ? (JSON.parse(box.open(sealed, place)) as TokenRecord) : undefined;
  }

  async function hasTokenOfOthers({ credential }: TokenRecord): Promise<boolean> {
    const current = open(await readSealed());
    return current?.token !== undefined && current.credential !== credential;
  }

  const seal = (record: TokenRecord) => box.seal(JSON.stringify(record), place);

  return {
    read: async () => open(await readSealed()),
    async write(record) {
      // A wrong password must not take the token from those who know the right one.
      if (!record.token && (await hasTokenOfOthers(record))) return;
      const refused_until = record.refusal ? new Date(record.refusal.until) : null;
      await change.set({ sealed_record: seal(record), refused_until }).execute();
    },
    /** Changes nothing if another token has been stored. */
    async discard(token) {
      const sealed = await readSealed();
      const record = open(sealed);
      if (!sealed || record?.token?.token !== token) return;
      const sealed_record = seal({ ...record, token: undefined });
      await change.set({ sealed_record }).where('sealed_record', '=', sealed).execute();
    },
    async acquireLease({ holder, ttlMs }) {
      await addLogin(db, id);
      return await leaseOf(holder).acquire(ttlMs);
    },
    async releaseLease(holder) {
      await leaseOf(holder).release();
    },
  };
}

/** Has this login ever received percentages? */
export async function isPercent(db: AllWorkspaces, loginId: string): Promise<boolean> {
  const query = db.selectFrom('logins').select('probability_scale').where('id', '=', loginId);
  return (await query.executeTakeFirst())?.probability_scale === 'percent';
}

export async function rememberPercent(db: AllWorkspaces, loginId: string): Promise<void> {
  const values = { probability_scale: 'percent' };
  await db.updateTable('logins').set(values).where('id', '=', loginId).execute();
}

/** A refusal of the login no longer shows. */
async function acceptLogin(transaction: AllWorkspaces, id: string): Promise<void> {
  await transaction.updateTable('logins').set({ refused_until: null }).where('id', '=', id).execute();
}

/** Does nothing if the row exists. */
async function addLogin(db: AllWorkspaces, id: string): Promise<void> {
  await db
    .insertInto('logins')
    .values({ id, sealed_record: null, probability_scale: null, lease_until: null, lease_token: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/**
 * Locks the logins for the transaction, in the order of their ids, so that a login is not deleted while a workspace
 * begins to use it. Adds the one that is `added`.
 */
async function lockLogins(
  transaction: AllWorkspaces,
  { added, others }: { added: string | undefined; others: readonly string[] },
): Promise<void> {
  const ids = new Set([...others, ...(added === undefined ? [] : [added])]);
  for (const id of [...ids].sort()) {
    // Repeated if the row is deleted in between.
    for (let isLocked = false; !isLocked; ) {
      if (id === added) await addLogin(transaction, id);
      const query = transaction.selectFrom('logins').select('id').where('id', '=', id).forUpdate();
      isLocked = (await query.execute()).length > 0 || id !== added;
    }
  }
}

/** Deletes those of the logins that no account uses. The transaction must have locked them. */
async function deleteUnusedLogins(transaction: AllWorkspaces, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await transaction
    .deleteFrom('logins')
    .where('id', 'in', ids)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('accounts').select('login_id').whereRef('login_id', '=', 'logins.id'))),
    )
    .modifyEnd(acrossWorkspaces('logins'))
    .execute();
}

/**
 * Deletes those of the logins that no account uses and that no process is about to use. A process that uses one all the
 * same makes it again.
 */
export async function forgetUnusedLogins(db: AllWorkspaces, where: RawBuilder<SqlBool>): Promise<void> {
  const isUnused = sql`not exists (select 1 from accounts where accounts.login_id = logins.id)`;
  const mayGo = sql<SqlBool>`${where} and ${isFree('logins')} and ${isUnused}`;
  await deleteInBatches(db, { work: 'logins', table: 'logins', where: mayGo });
}
