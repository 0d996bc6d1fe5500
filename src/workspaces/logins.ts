import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { TokenRecord, TokenStore } from '../analytics/token-store.ts';
import { deleteInBatches } from '../database/delete-in-batches.ts';
import { createRowLease, isFree } from '../database/leases.ts';
import type { SecretBox } from '../database/secrets.ts';
import { type AllWorkspaces, acrossWorkspaces } from '../database/workspace-store.ts';

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
export async function acceptLogin(transaction: AllWorkspaces, id: string): Promise<void> {
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
export async function lockLogins(
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
export async function deleteUnusedLogins(transaction: AllWorkspaces, ids: readonly string[]): Promise<void> {
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
