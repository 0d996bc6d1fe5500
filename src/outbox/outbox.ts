import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { ZodError } from 'zod';
import {
  backoffMs,
  claimDue,
  createRollbackCheck,
  defaultLeaseMs,
  holdLease,
  settleAll,
} from '../database/due.ts';
import type { Schema } from '../database/schema.ts';
import type { Logger } from '../log.ts';
import { createIsKind, createIsNext } from './order.ts';
import { createKinds, type OutboxRow, type OutgoingMessage } from './outgoing-message.ts';
import { messageGone, PostError, type Poster } from './poster.ts';
import { createRowStates } from './row-states.ts';

interface OutboxOptions {
  db: Kysely<Schema>;
  /** Only what is to be said there: others may share the database. All workspaces where left out. */
  workspaceId?: string;
  /** Of all features. */
  outgoing: readonly OutgoingMessage[];
  poster: Poster;
  realNow: () => number;
  newId: () => string;
  logger: Logger;
  /** Renewed while messages are under way. */
  leaseMs?: number;
  /** Messages under way at once. */
  concurrency?: number;
}

interface OutboxReport {
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

/**
 * pending → sending → sent. A row is marked before it is posted, so one found in `sending` may have gone out:
 * it is looked up before it is posted again. Waits are on the real clock, since Slack's are.
 */
export function createOutbox(options: OutboxOptions): Outbox {
  const { db, poster, realNow, newId, logger, leaseMs = defaultLeaseMs, concurrency = 8 } = options;
  const { workspaceId } = options;
  const kinds = createKinds(options.outgoing);
  const isKind = createIsKind(kinds);
  const { markRefused, markSending, markSent, postAgain, release, untried } = createRowStates({
    db,
    kinds,
    realNow,
  });
  const isNext = createIsNext(kinds);
  const isOurs =
    workspaceId === undefined ? isNext : sql<SqlBool>`${isNext} and workspace_id = ${workspaceId}`;
  const isNew = sql<SqlBool>`${isOurs} and not ${isKind('due', ({ does }) => does === 'update')}`;

  const hasRolledBack = createRollbackCheck();

  return {
    async runDue(now) {
      const report: OutboxReport = { sent: 0, found: 0, retried: 0, refused: 0 };
      if (hasRolledBack(new Date(realNow()))) await pullIn();
      const endsAt = realNow() + maxRunMs;
      let isGrouped = false;
      for (let round = 0; round < maxRounds; round += 1) {
        if (!isGrouped) await group(now);
        const leaseToken = newId();
        const run: Run = { now, leaseToken, report, leftToGroup: 0 };
        // What is new goes before what only changes.
        const posts = await claim(leaseToken, isNew);
        const rows = posts.length > 0 ? posts : await claim(leaseToken, isOurs);
        // A look-up, or a slow Slack, may take longer than a lease: nobody else posts it meanwhile.
        const lease = { db, table: 'outbox', leaseToken, realNow, logger, leaseMs } as const;
        await holdLease(lease, () => settleAll(rows.map((row) => sendOne(row, run))));
        isGrouped = run.leftToGroup === 0;
        if (rows.length === 0 || realNow() >= endsAt) break;
      }
      return report;
    },
  };

  async function group(now: Date): Promise<void> {
    const context = { now, realNow: new Date(realNow()), newId };
    for (const kind of kinds.all) await kind.group?.(db, context);
  }

  function claim(leaseToken: string, where: RawBuilder<SqlBool>): Promise<OutboxRow[]> {
    const real = new Date(realNow());
    const due = { now: real, realNow: real, limit: concurrency, leaseMs, leaseToken, where };
    return claimDue({ db, table: 'outbox', ...due });
  }

  /** A clock set back by an hour must not make what waits for Slack wait that hour longer. */
  async function pullIn(): Promise<void> {
    const latest = new Date(realNow() + maxRetryMs);
    await db
      .updateTable('outbox')
      .set({ due_at: latest })
      .where('status', 'in', ['pending', 'sending'])
      .where('due_at', '>', latest)
      .execute();
  }

  async function sendOne(row: OutboxRow, run: Run): Promise<void> {
    try {
      await trySend(row, run);
    } catch (error) {
      // It can't be read, or its outcome can't be stored: this row fails, and the others go out.
      await putOff(row, { ...run, error });
    }
  }

  async function trySend(row: OutboxRow, run: Run): Promise<void> {
    const { leaseToken, report } = run;
    const kind = kinds.get(row.kind);
    if (row.status === 'pending' && row.attempts === 0 && kind.isTooLarge?.(row)) {
      run.leftToGroup += 1;
      await release(row, leaseToken, {});
      return;
    }
    const wasSending = row.status === 'sending' && kind.does === 'post';
    const delivery = await kind.open(row);
    if (!delivery || !(await markSending(row, leaseToken))) return;
    const post = { id: row.id, channelId: row.channel_id, delivery };
    let isLookUp = wasSending;
    try {
      const known = wasSending
        ? await poster.find({ ...post, isPossiblyRepeated: false }, row.attempted_at ?? row.created_at)
        : 'absent';
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

  async function fail(row: OutboxRow, { now, leaseToken, error, report, isLookUp }: Failure): Promise<void> {
    const refusal = error instanceof PostError ? error : undefined;
    const { does, isNotice = false, postedAgainAs } = kinds.get(row.kind);
    const isGone = does === 'update' && refusal?.code === messageGone;
    if (isGone && postedAgainAs === undefined) {
      await markSent(row, { leaseToken, ts: null });
      report.sent += 1;
      return;
    }
    const { retryAfterMs } = refusal ?? {};
    // A rate limit says nothing about the message: it waits as long as Slack asks, however often.
    const attempts = row.attempts + (retryAfterMs === undefined ? 1 : 0);
    const reason = error instanceof Error ? error.message : String(error);
    logger.warn({ message: row.id, kind: row.kind, attempts, reason }, 'a message could not be posted');
    const isHopeless = isNotice ? attempts >= maxNoticeAttempts : refusal && isFinal(refusal, attempts);
    if (isHopeless) {
      report.refused += 1;
      const code = refusal?.code ?? 'unknown';
      await markRefused({ row, code, now, realNow: new Date(realNow()) }, leaseToken);
      return;
    }
    report.retried += 1;
    if (isGone && postedAgainAs !== undefined) {
      await postAgain(row, { leaseToken, kind: postedAgainAs });
      return;
    }
    const waitMs =
      retryAfterMs === undefined
        ? backoffMs(attempts, { firstMs: firstRetryMs, maxMs: maxRetryMs })
        : Math.max(shortestHoldMs, retryAfterMs);
    const dueAt = new Date(realNow() + waitMs);
    // Refused: nothing went out. Else nobody knows, and it is looked up next time.
    const columns = { ...(refusal && untried(row)), due_at: dueAt, attempts, error: reason };
    await release(row, leaseToken, columns);
    if (retryAfterMs !== undefined) await holdOthers(row, { until: dueAt, isLookUp });
  }

  /** Not Slack's doing. It is tried again after a back-off; what can't be read is given up after about two hours. */
  async function putOff(
    row: OutboxRow,
    { leaseToken, error, report }: Run & { error: unknown },
  ): Promise<void> {
    const isUnreadable = error instanceof ZodError;
    const attempts = row.attempts + 1;
    const isNotice = kinds.find(row.kind)?.isNotice === true;
    const isHopeless = isUnreadable && attempts >= (isNotice ? maxNoticeAttempts : maxRefusals);
    const reason = error instanceof Error ? error.message : String(error);
    logger.error({ message: row.id, kind: row.kind, attempts, reason }, 'a message could not be handled');
    const waitMs = backoffMs(attempts, { firstMs: firstRetryMs, maxMs: maxRetryMs });
    await release(row, leaseToken, {
      ...(isUnreadable && untried(row)),
      ...(isHopeless && { status: 'failed' }),
      due_at: new Date(realNow() + waitMs),
      attempts,
      error: isUnreadable ? 'unreadable' : reason,
    });
    report[isHopeless ? 'refused' : 'retried'] += 1;
  }

  /** Slack asked to wait: what needs the same method would be refused as well, and only that. */
  async function holdOthers(
    { channel_id, workspace_id, kind }: OutboxRow,
    { until, isLookUp }: { until: Date; isLookUp: boolean },
  ): Promise<void> {
    const { does } = kinds.get(kind);
    if (does === 'remove') return;
    const others = db
      .updateTable('outbox')
      .set({ due_at: sql`greatest(due_at, ${until})` })
      .where('workspace_id', '=', workspace_id);
    const isPost = isKind('outbox', (one) => one.does === 'post');
    if (isLookUp) await others.where('status', '=', 'sending').where(isPost).execute();
    // A limit of its own, for the whole workspace.
    else if (does === 'update')
      await others
        .where('status', 'in', ['pending', 'sending'])
        .where(isKind('outbox', (one) => one.does === 'update'))
        .execute();
    else
      await others
        .where('status', '=', 'pending')
        .where(isPost)
        .where('channel_id', '=', channel_id)
        .execute();
  }
}

interface Run {
  now: Date;
  leaseToken: string;
  report: OutboxReport;
  /** Messages that came after the last grouping. */
  leftToGroup: number;
}

interface Failure extends Run {
  error: unknown;
  /** It was only looked for. */
  isLookUp: boolean;
}

/** A rate limit passes, however long it takes. */
function isFinal({ isPermanent, retryAfterMs }: PostError, attempts: number): boolean {
  return isPermanent || (retryAfterMs === undefined && attempts >= maxRefusals);
}
