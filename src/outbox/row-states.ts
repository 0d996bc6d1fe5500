import type { Kysely, Updateable } from 'kysely';
import type { Schema } from '../database/schema.ts';
import type { Kinds, OutboxRow, Refusal } from './outgoing-message.ts';

/** How a row goes from one state to the next. Whoever has lost its lease changes nothing. */
export function createRowStates({
  db,
  kinds,
  realNow,
}: {
  db: Kysely<Schema>;
  kinds: Kinds;
  realNow: () => number;
}) {
  return { markRefused, markSending, markSent, postAgain, release, untried };

  /** Committed before the post: from here on nobody posts it again without looking for it. */
  async function markSending(row: OutboxRow, leaseToken: string): Promise<boolean> {
    // A row looked for keeps the time of its first try: the message may be as old as that.
    const attemptedAt =
      row.status === 'sending' ? (row.attempted_at ?? new Date(realNow())) : new Date(realNow());
    const { numUpdatedRows } = await db
      .updateTable('outbox')
      .set({ status: 'sending', attempted_at: attemptedAt })
      .where('id', '=', row.id)
      .where('lease_token', '=', leaseToken)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  async function markSent(
    row: OutboxRow,
    { leaseToken, ts }: { leaseToken: string; ts: string | null },
  ): Promise<void> {
    await db.transaction().execute(async (transaction) => {
      await transaction
        .updateTable('outbox')
        .set({ status: 'sent', ts, error: null, lease_until: null, lease_token: null })
        .where('id', '=', row.id)
        .where('lease_token', '=', leaseToken)
        .execute();
      if (ts !== null) await kinds.get(row.kind).onSent?.(transaction, { row, ts });
    });
  }

  /** For good. */
  async function markRefused(refusal: Refusal, leaseToken: string): Promise<void> {
    const { row, code } = refusal;
    await db.transaction().execute(async (transaction) => {
      const { numUpdatedRows } = await transaction
        .updateTable('outbox')
        .set({
          status: 'failed',
          error: code,
          // Slack's answer to the first try is certain; a row found in `sending` may have gone out before.
          ...(row.status === 'pending' && { attempted_at: null }),
          lease_until: null,
          lease_token: null,
        })
        .where('id', '=', row.id)
        .where('lease_token', '=', leaseToken)
        .executeTakeFirst();
      if (numUpdatedRows > 0n) await kinds.get(row.kind).onRefused?.(transaction, refusal);
    });
  }

  /** Somebody deleted the message: the same row posts it again. */
  async function postAgain(
    row: OutboxRow,
    { leaseToken, kind }: { leaseToken: string; kind: string },
  ): Promise<void> {
    const payload = JSON.stringify({ kind });
    await release(row, leaseToken, {
      kind,
      payload,
      status: 'pending',
      attempted_at: null,
      due_at: new Date(realNow()),
    });
  }

  /** Changes nothing when the lease was lost meanwhile. */
  async function release(
    { id }: OutboxRow,
    leaseToken: string,
    columns: Updateable<Schema['outbox']>,
  ): Promise<void> {
    await db
      .updateTable('outbox')
      .set({ ...columns, lease_until: null, lease_token: null })
      .where('id', '=', id)
      .where('lease_token', '=', leaseToken)
      .execute();
  }

  /**
   * The columns of a row after a try in which nothing went out. One found in `sending` may have gone out before. An
   * update may go out twice, and must not become a second one that waits.
   */
  function untried({ status, kind }: OutboxRow): { status: string; attempted_at: null } | undefined {
    if (status === 'sending' || kinds.find(kind)?.does === 'update') return undefined;
    return { status: 'pending', attempted_at: null };
  }
}
