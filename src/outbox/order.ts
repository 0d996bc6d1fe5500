import { type RawBuilder, type SqlBool, sql, type Updateable } from 'kysely';
import { within } from '../cache.ts';
import { changeClaimed, settleAll, withoutLease } from '../database/due.ts';
import type { WorkspaceStore, WorkspaceTables } from '../database/workspace-store.ts';
import type { Logger } from '../log.ts';
import type { Kinds, OutboxRow, OutgoingMessage, Refusal } from './outgoing-message.ts';

/** Returns a function that makes an SQL condition: the row is of a kind that `matches`. `due`: claimDue's alias. */
export const createIsKind =
  ({ all }: Kinds) =>
  (alias: 'due' | 'other' | 'outbox', matches: (kind: OutgoingMessage) => boolean): RawBuilder<SqlBool> => {
    const matching = all.filter(matches).map(({ kind }) => kind);
    return matching.length === 0
      ? sql<SqlBool>`false`
      : sql<SqlBool>`${sql.ref(`${alias}.kind`)} in (${sql.join(matching)})`;
  };

/** An SQL condition: the row `due` waits for no other, neither by its kind's `inThread` nor by their `goes_before`. */
export function createWaitsForNone(kinds: Kinds, store: WorkspaceStore): RawBuilder<SqlBool> {
  const isKind = createIsKind(kinds);
  const is = (alias: 'due' | 'other', place: OutgoingMessage['inThread']) =>
    isKind(alias, ({ inThread }) => inThread === place);
  const postsOpener = (alias: 'due' | 'other') =>
    isKind(alias, ({ inThread, operation }) => inThread === 'opener' && operation === 'post');
  const otherGoesFirst = sql<SqlBool>`case
    when ${is('due', 'opener')} then
      ${is('other', 'opener')} and other.sequence < due.sequence
      or ${postsOpener('due')} and ${is('other', 'reply')} and other.status = 'sending'
    when ${is('due', 'reply-update')} then
      (${is('other', 'reply')} or ${is('other', 'reply-update')}) and other.sequence < due.sequence
    else
      ${is('other', 'reply')} and other.sequence < due.sequence
      or due.status = 'pending' and ${postsOpener('other')}
    end`;
  // The update of a held reply must not come before the reply.
  const isUnsent = sql<SqlBool>`(other.status in ('pending', 'sending') or other.status = 'held' and ${is('due', 'reply-update')})`;
  const hasOrder = isKind('due', ({ inThread }) => inThread !== undefined);
  return sql<SqlBool>`(due.thread_key is null or not ${hasOrder} or not exists (
      select 1 from outbox as other
      where ${store.isOwn('other')} and other.thread_key = due.thread_key and ${isUnsent} and ${otherGoesFirst}
    ))
    and not exists (
      select 1 from outbox as earlier
      where ${store.isOwn('earlier')} and earlier.goes_before = due.id and earlier.status in ('pending', 'sending')
    )`;
}

/** While Slack is slow, a round looks this often for messages to other channels. */
const pauseMs = 1_000;
/** Longer than any answer of Slack takes, with the look-ups before it. It frees the channel if an answer never comes. */
const maxSendMs = 2 * 60_000;

/**
 * The messages being sent: one after the other in a channel, so a channel where Slack is slow holds up no other. They
 * outlive a round, so they don't hold up the next one either.
 */
export function createChannelQueues({ logger }: { logger: Logger }) {
  const busy = new Set<string>();
  const claims = new Set<Promise<void>>();
  let nextEnd = Promise.withResolvers<void>();

  async function sendAll(
    channelId: string,
    rows: readonly OutboxRow[],
    send: (row: OutboxRow) => Promise<void>,
  ): Promise<void> {
    busy.add(channelId);
    try {
      for (const row of rows) await within(send(row), maxSendMs, late);
    } finally {
      busy.delete(channelId);
      nextEnd.resolve();
      nextEnd = Promise.withResolvers();
    }
  }

  return {
    /** The channels that messages are being sent to now, and a promise that resolves when the first queue is empty. */
    now: () => ({ channels: [...busy], end: nextEnd.promise }),
    /** Starts to send the rows of one claim, none of them to a busy channel. `hold` keeps the claim meanwhile. */
    open(
      rows: readonly OutboxRow[],
      send: (row: OutboxRow) => Promise<void>,
      hold: (work: () => Promise<void>) => Promise<void>,
    ): void {
      const byChannel = Map.groupBy(rows, ({ channel_id }) => channel_id);
      const claim = hold(() =>
        settleAll([...byChannel].map(([id, ofChannel]) => sendAll(id, ofChannel, send))),
      )
        .catch((err: unknown) => logger.error({ err }, 'messages could not be sent; they are tried again'))
        .finally(() => claims.delete(claim));
      claims.add(claim);
    },
    /** Resolves when all queues are empty. */
    async idle(): Promise<void> {
      await Promise.all(claims);
    },
  };
}

/** Resolves with `end`, or after a second. */
export const endOrPause = (end: Promise<void>): Promise<void> => within(end, pauseMs, () => undefined);

function late(): never {
  throw new Error('Slack has not answered for two minutes');
}

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
