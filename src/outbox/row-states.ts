import type { Updateable } from 'kysely';
import { changeClaimed, withoutLease } from '../database/due.ts';
import type { WorkspaceStore, WorkspaceTables } from '../database/workspace-store.ts';
import type { Kinds, OutboxRow, Refusal } from './outgoing-message.ts';

type Columns = Updateable<WorkspaceTables['outbox']>;

/** The transitions of a row from one state to the next. They change nothing if the row's lease was lost. */
export function createRowStates<Ctx>(options: {
  store: WorkspaceStore;
  kinds: Kinds<Ctx>;
  ctx: Ctx;
  realNow: () => number;
}) {
  const { store, kinds, ctx, realNow } = options;
  return { discard, markRefused, markSending, markSent, postAgain, release, columnsIfUnsent };

  /** True if the row still had this lease. */
  async function update(
    from: WorkspaceStore,
    { row: { id }, leaseToken, columns }: { row: OutboxRow; leaseToken: string; columns: Columns },
  ): Promise<boolean> {
    return await changeClaimed(from, { table: 'outbox', id, leaseToken }, columns);
  }

  /** Nobody waits for the message any more. */
  async function discard(row: OutboxRow, leaseToken: string): Promise<void> {
    await store.deleteFrom('outbox').where('id', '=', row.id).where('lease_token', '=', leaseToken).execute();
  }

  /** Committed before the post: after this the row is not posted again without a search in Slack. */
  async function markSending(row: OutboxRow, leaseToken: string): Promise<boolean> {
    // The time of the first attempt stays, since the message may be as old as that.
    const columns = { status: 'sending', attempted_at: row.attempted_at ?? new Date(realNow()) };
    return await update(store, { row, leaseToken, columns });
  }

  async function markSent(
    row: OutboxRow,
    { leaseToken, ts, now }: { leaseToken: string; ts: string | null; now: Date },
  ): Promise<void> {
    await store.transaction(async (transaction) => {
      const columns = { ...withoutLease, status: 'sent', ts, error: null };
      await update(transaction, { row, leaseToken, columns });
      if (ts !== null) await kinds.get(row.kind).onSent?.(transaction, { row, ts, now }, ctx);
    });
  }

  /** The message is never tried again. */
  async function markRefused(refusal: Refusal, leaseToken: string): Promise<void> {
    const { row, code } = refusal;
    // After a refused first attempt nothing was sent, unless the message may have gone out before that.
    const unsent = row.status === 'pending' && row.attempted_at === null ? { attempted_at: null } : {};
    await store.transaction(async (transaction) => {
      const columns = { ...withoutLease, ...unsent, status: 'failed', error: code };
      if (await update(transaction, { row, leaseToken, columns }))
        await kinds.get(row.kind).onRefused?.(transaction, refusal, ctx);
    });
  }

  /** Somebody deleted the message that the row updates: the same row posts it again as `kind`. */
  async function postAgain(
    row: OutboxRow,
    { leaseToken, kind }: { leaseToken: string; kind: string },
  ): Promise<void> {
    const payload = JSON.stringify({ kind });
    const due_at = new Date(realNow());
    await release(row, leaseToken, { kind, payload, status: 'pending', attempted_at: null, due_at });
  }

  async function release(row: OutboxRow, leaseToken: string, columns: Columns): Promise<void> {
    await update(store, { row, leaseToken, columns: { ...columns, ...withoutLease } });
  }

  /** The columns to change after an attempt that sent nothing. */
  function columnsIfUnsent({ status, attempted_at, kind }: OutboxRow): Columns {
    // It may have gone out before. An update stays `sending`: no two updates may be pending.
    const mayBeSent = status === 'sending' || attempted_at !== null;
    if (mayBeSent || kinds.find(kind)?.operation === 'update') return {};
    return { status: 'pending', attempted_at: null };
  }
}
