import { type Kysely, type RawBuilder, type Selectable, type SqlBool, sql, type Updateable } from 'kysely';
import { ZodError } from 'zod';
import { createRollbackCheck } from '../database/clock-rollback.ts';
import { backoffMs, claimDue, defaultLeaseMs } from '../database/due.ts';
import { holdLease } from '../database/hold-lease.ts';
import type { Schema } from '../database/schema.ts';
import { settleAll } from '../database/settle-all.ts';
import type { Logger } from '../log.ts';
import type { OnDeadLetter } from './dead-letter.ts';
import { groupMessages } from './group-messages.ts';
import { isNext } from './order.ts';
import { PostError, type Poster } from './poster.ts';
import { readPost } from './read-post.ts';

export interface OutboxOptions {
  db: Kysely<Schema>;
  /** Only what is to be said there: others may share the database. All workspaces where left out. */
  workspaceId?: string;
  poster: Poster;
  realNow: () => Date;
  newId: () => string;
  logger: Logger;
  /** For what Slack refuses for good. */
  onDeadLetter: OnDeadLetter;
  /** Renewed while messages are under way. */
  leaseMs?: number;
  /** Messages under way at once. */
  concurrency?: number;
}

export interface OutboxReport {
  sent: number;
  /** Found in Slack, of a post whose answer never came. */
  found: number;
  retried: number;
  refused: number;
}

export interface Outbox {
  /** Sends what waits, in order within each watch, for half a minute; the rest waits for the next run. `now` is the domain clock, for what it writes itself. */
  runDue(now: Date): Promise<OutboxReport>;
}

type Row = Selectable<Schema['outbox']>;

const firstRetryMs = 2_000;
/** Where Slack asks for no wait at all. */
const shortestHoldMs = 1_000;
const maxRetryMs = 10 * 60_000;
/** A notice to an owner is given up after about a week of trying: a token may be revoked over a long weekend. */
const maxNoticeAttempts = 1_020;
/** What Slack has refused for about two hours, for whatever reason, it will not take without a person. */
const maxRefusals = 20;
const maxRounds = 100_000;
/** After that polls and digests have their turn: where Slack hangs, they must not wait for it. */
const maxRunMs = 30_000;
/** Done twice they are as done once: nothing is looked up. */
const repeatable: ReadonlySet<string> = new Set(['card-update', 'card-removal', 'card-stopped']);
/** `chat.update`: a limit of its own, for the whole workspace. */
const updates = ['card-update', 'card-stopped'];
/** Slack's code for a message that is not there to be updated. */
const cardGone = 'message_not_found';

/**
 * pending → sending → sent. A row is marked before it is posted, so one found in `sending` may have gone out:
 * it is looked up before it is posted again. Waits are on the real clock, since Slack's are.
 */
export function createOutbox(options: OutboxOptions): Outbox {
  const { db, poster, realNow, newId, logger, leaseMs = defaultLeaseMs, concurrency = 8 } = options;
  const { onDeadLetter, workspaceId } = options;
  const isOurs =
    workspaceId === undefined ? isNext : sql<SqlBool>`${isNext} and workspace_id = ${workspaceId}`;
  const isSaid = sql<SqlBool>`${isOurs} and kind not in (${sql.join(updates)})`;

  const hasRolledBack = createRollbackCheck();

  return {
    async runDue(now) {
      const report: OutboxReport = { sent: 0, found: 0, retried: 0, refused: 0 };
      if (hasRolledBack(realNow())) await pullIn();
      await groupMessages(db, { realNow: realNow(), now, newId });
      const endsAt = realNow().getTime() + maxRunMs;
      for (let round = 0; round < maxRounds; round += 1) {
        const leaseToken = newId();
        // What is to be said goes before what is only to be shown.
        const said = await claim(leaseToken, isSaid);
        const rows = said.length > 0 ? said : await claim(leaseToken, isOurs);
        // A look-up, or a slow Slack, may take longer than a lease: nobody else posts it meanwhile.
        const lease = { db, table: 'outbox', leaseToken, realNow, logger, leaseMs } as const;
        await holdLease(lease, () => settleAll(rows.map((row) => sendOne(row, { now, leaseToken, report }))));
        if (rows.length === 0 || realNow().getTime() >= endsAt) break;
      }
      return report;
    },
  };

  function claim(leaseToken: string, where: RawBuilder<SqlBool>): Promise<Row[]> {
    const real = realNow();
    const due = { now: real, realNow: real, limit: concurrency, leaseMs, leaseToken, where };
    return claimDue({ db, table: 'outbox', ...due });
  }

  /** A clock set back by an hour must not make what waits for Slack wait that hour longer. */
  async function pullIn(): Promise<void> {
    const latest = new Date(realNow().getTime() + maxRetryMs);
    await db
      .updateTable('outbox')
      .set({ due_at: latest })
      .where('status', 'in', ['pending', 'sending'])
      .where('due_at', '>', latest)
      .execute();
  }

  async function sendOne(row: Row, run: Run): Promise<void> {
    try {
      await trySend(row, run);
    } catch (error) {
      // It can't be read, or its outcome can't be stored: this row fails, and the others go out.
      await putOff(row, { ...run, error });
    }
  }

  async function trySend(row: Row, run: Run): Promise<void> {
    const { leaseToken, report } = run;
    const wasSending = row.status === 'sending' && !repeatable.has(row.kind);
    const post = await readPost(db, row);
    if (!post || !(await markSending(row, leaseToken))) return;
    let isLookUp = wasSending;
    try {
      const known = wasSending ? await poster.find(post, row.attempted_at ?? row.created_at) : 'absent';
      isLookUp = false;
      const isFound = typeof known === 'object';
      const { ts } = isFound
        ? known
        : await poster.post({ ...post, isPossiblyRepeated: known === 'refused' });
      await markSent(row, { leaseToken, ts });
      report[isFound ? 'found' : 'sent'] += 1;
    } catch (error) {
      // What can't be read can't be rendered, so it was not posted.
      if (error instanceof ZodError) throw error;
      await fail(row, { ...run, error, isLookUp });
    }
  }

  /** Committed before the post: from here on nobody posts it again without looking for it. */
  async function markSending(row: Row, leaseToken: string): Promise<boolean> {
    // A row looked for keeps the time of its first try: the message may be as old as that.
    const attemptedAt = row.status === 'sending' ? (row.attempted_at ?? realNow()) : realNow();
    const { numUpdatedRows } = await db
      .updateTable('outbox')
      .set({ status: 'sending', attempted_at: attemptedAt })
      .where('id', '=', row.id)
      .where('lease_token', '=', leaseToken)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  async function markSent(row: Row, { leaseToken, ts }: { leaseToken: string; ts: string }): Promise<void> {
    await db.transaction().execute(async (transaction) => {
      await transaction
        .updateTable('outbox')
        .set({ status: 'sent', ts, error: null, lease_until: null, lease_token: null })
        .where('id', '=', row.id)
        .where('lease_token', '=', leaseToken)
        .execute();
      if (row.kind !== 'card' || !row.watch_id) return;
      await transaction.updateTable('watches').set({ card_ts: ts }).where('id', '=', row.watch_id).execute();
    });
  }

  async function fail(row: Row, { now, leaseToken, error, report, isLookUp }: Failure): Promise<void> {
    const refusal = error instanceof PostError ? error : undefined;
    const { retryAfterMs } = refusal ?? {};
    // A rate limit says nothing about the message: it waits as long as Slack asks, however often.
    const attempts = row.attempts + (retryAfterMs === undefined ? 1 : 0);
    const reason = error instanceof Error ? error.message : String(error);
    logger.warn({ message: row.id, kind: row.kind, attempts, reason }, 'a message could not be posted');
    const isHopeless = row.kind.endsWith('notice')
      ? attempts >= maxNoticeAttempts
      : refusal && isFinal(refusal, attempts);
    if (isHopeless) {
      report.refused += 1;
      const code = refusal?.code ?? 'unknown';
      await onDeadLetter(db, { row, leaseToken, code, now, realNow: realNow() });
      return;
    }
    report.retried += 1;
    if (row.kind === 'card-update' && refusal?.code === cardGone) {
      await postCardAgain(row, leaseToken);
      return;
    }
    const waitMs =
      retryAfterMs === undefined
        ? backoffMs(attempts, { firstMs: firstRetryMs, maxMs: maxRetryMs })
        : Math.max(shortestHoldMs, retryAfterMs);
    const dueAt = new Date(realNow().getTime() + waitMs);
    // Refused: nothing went out. Else nobody knows, and it is looked up next time.
    const columns = { ...(refusal && untried(row)), due_at: dueAt, attempts, error: reason };
    await release(row, leaseToken, columns);
    if (retryAfterMs !== undefined) await holdOthers(row, { until: dueAt, isLookUp });
  }

  /** Not Slack's doing. It is tried again after a back-off; what can't be read is given up after about two hours. */
  async function putOff(row: Row, { leaseToken, error, report }: Run & { error: unknown }): Promise<void> {
    const isUnreadable = error instanceof ZodError;
    const attempts = row.attempts + 1;
    const isHopeless = isUnreadable && attempts >= maxRefusals;
    const reason = error instanceof Error ? error.message : String(error);
    logger.error({ message: row.id, kind: row.kind, attempts, reason }, 'a message could not be handled');
    const waitMs = backoffMs(attempts, { firstMs: firstRetryMs, maxMs: maxRetryMs });
    await release(row, leaseToken, {
      ...(isUnreadable && untried(row)),
      ...(isHopeless && { status: 'failed' }),
      due_at: new Date(realNow().getTime() + waitMs),
      attempts,
      error: isUnreadable ? 'unreadable' : reason,
    });
    report[isHopeless ? 'refused' : 'retried'] += 1;
  }

  /** Somebody deleted the card: the same row posts it anew. */
  async function postCardAgain(row: Row, leaseToken: string): Promise<void> {
    const payload = JSON.stringify({ kind: 'card' });
    const columns = { kind: 'card', payload, status: 'pending', attempted_at: null, due_at: realNow() };
    await release(row, leaseToken, columns);
  }

  /** Changes nothing when the lease was lost meanwhile. */
  async function release(
    { id }: Row,
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

  /** Slack asked to wait: what needs the same method would be refused as well, and only that. */
  async function holdOthers(
    { channel_id, workspace_id, kind }: Row,
    { until, isLookUp }: { until: Date; isLookUp: boolean },
  ): Promise<void> {
    if (kind === 'card-removal') return;
    const others = db
      .updateTable('outbox')
      .set({ due_at: sql`greatest(due_at, ${until})` })
      .where('workspace_id', '=', workspace_id);
    if (isLookUp)
      await others
        .where('status', '=', 'sending')
        .where('kind', 'not in', [...repeatable])
        .execute();
    else if (updates.includes(kind))
      await others.where('status', 'in', ['pending', 'sending']).where('kind', 'in', updates).execute();
    else
      await others
        .where('status', '=', 'pending')
        .where('kind', 'not in', [...repeatable])
        .where('channel_id', '=', channel_id)
        .execute();
  }
}

interface Run {
  now: Date;
  leaseToken: string;
  report: OutboxReport;
}

interface Failure extends Run {
  error: unknown;
  /** It was only looked for. */
  isLookUp: boolean;
}

/**
 * The columns of a row after a try in which nothing went out. One found in `sending` may have gone out before. An
 * update of a card may go out twice, and must not become a second one that waits.
 */
function untried({ status, kind }: Row): { status: string; attempted_at: null } | undefined {
  if (status === 'sending' || kind === 'card-update') return undefined;
  return { status: 'pending', attempted_at: null };
}

/** A rate limit passes, however long it takes. */
function isFinal({ isPermanent, retryAfterMs }: PostError, attempts: number): boolean {
  return isPermanent || (retryAfterMs === undefined && attempts >= maxRefusals);
}
