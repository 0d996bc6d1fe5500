import { addMilliseconds } from 'date-fns/addMilliseconds';
import { min } from 'date-fns/min';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { ZodError } from 'zod';
import {
  backoffMs,
  claimDue,
  createWaitLimit,
  type DueRows,
  defaultLeaseMs,
  holdLease,
} from '../database/due.ts';
import type { WorkspaceStore } from '../database/workspace-store.ts';
import { messageOf } from '../errors.ts';
import type { Logger } from '../log.ts';
import {
  createChannelQueues,
  createIsKind,
  createRowStates,
  createWaitsForNone,
  endOrPause,
} from './order.ts';
import {
  createKinds,
  messageGone,
  type OutboxRow,
  type OutgoingMessage,
  PostError,
  type Poster,
} from './outgoing-message.ts';

interface OutboxReport {
  sent: number;
  /** Found in Slack after an earlier attempt with unknown outcome. */
  found: number;
  retried: number;
  refused: number;
}

interface Run {
  now: Date;
  leaseToken: string;
  report: OutboxReport;
  /** Channels where Slack accepts no more messages for now. */
  limited: Set<string>;
}

const firstRetryMs = 2_000;
const maxRetryMs = 10 * 60_000;
const minRateLimitMs = 1_000;
/** For a notice (see `isNotice`), about a week: a token may be revoked over a long weekend. */
const maxNoticeAttempts = 1_020;
/** About two hours. If Slack refuses a message for that long, a person has to act. */
const maxRefusals = 20;
/** Then the rest of a claim is released, so an alert need not wait until many cards in its channel are updated. */
const maxClaimMs = 1_000;
/** Ends a run even if the clock stands still, as in tests. */
const maxRounds = 100_000;

/** Where the messages are that are due. */
export const dueMessages = {
  table: 'outbox',
  clock: 'real',
  // In these words, as in the index.
  where: sql<SqlBool>`due.status in ('pending', 'sending')`,
} as const satisfies DueRows;

/**
 * pending → sending → sent. A row found in `sending`, or pending with an `attempted_at` after a restore, may have gone out,
 * so it is looked up in Slack first.
 */
export function createOutbox<Ctx>(options: {
  /** Sends only the messages of this workspace. */
  store: WorkspaceStore;
  outgoing: readonly OutgoingMessage<Ctx>[];
  /** What the messages get. */
  ctx: Ctx;
  poster: Poster;
  realNow: () => number;
  newId: () => string;
  logger: Logger;
  leaseMs?: number;
  /** Messages claimed at once, and channels that are being sent to when more are claimed. */
  concurrency?: number;
  /** Resolves with `end`, or after a while, to look for messages to other channels. Default: a second. */
  pause?: (end: Promise<void>) => Promise<void>;
}) {
  const { store, ctx, poster, realNow, newId, logger, leaseMs = defaultLeaseMs, concurrency = 8 } = options;
  const { pause = endOrPause } = options;
  const kinds = createKinds(options.outgoing);
  const isKind = createIsKind(kinds);
  const rows = createRowStates({ store, kinds, ctx, realNow });
  const waitsForNone = createWaitsForNone(kinds, store);
  const isSendable = sql<SqlBool>`${dueMessages.where} and ${waitsForNone}`;
  const isUpdate = isKind('due', ({ operation }) => operation === 'update');
  const isSendablePost = sql<SqlBool>`${isSendable} and not ${isUpdate}`;
  const limitWaits = createWaitLimit({ ...dueMessages, store });
  const queues = createChannelQueues({ logger });

  return {
    /** Sends the messages that are due. A message that Slack takes long to answer may outlive a round: see `finish`. */
    async runDue(now: Date, mayClaim = () => true): Promise<OutboxReport> {
      const report: OutboxReport = { sent: 0, found: 0, retried: 0, refused: 0 };
      const context = { now, realNow: new Date(realNow()), newId };
      await limitWaits(context.realNow, () => addMilliseconds(context.realNow, maxRetryMs));
      for (const kind of kinds.all) await kind.group?.(store, context, ctx);
      for (let round = 0; round < maxRounds; round += 1) {
        const leaseToken = newId();
        const run: Run = { now, leaseToken, report, limited: new Set() };
        const { channels: busy, end } = queues.now();
        const claimed = mayClaim() && busy.length < concurrency ? await claim(leaseToken, busy) : [];
        if (claimed.length > 0) {
          const releaseAt = realNow() + maxClaimMs;
          const send = (row: OutboxRow) =>
            mayClaim() && realNow() < releaseAt && !run.limited.has(row.channel_id)
              ? sendOne(row, run)
              : rows.release(row, leaseToken, {});
          // A slow Slack may take longer than one lease.
          const lease = { store, table: 'outbox', rows: claimed, leaseToken, logger, leaseMs } as const;
          queues.open(claimed, send, (work) => holdLease(lease, work));
        } else if (!mayClaim()) break;
        else if (busy.length > 0) await pause(end);
        else {
          await queues.idle();
          break;
        }
      }
      return report;
    },
    /** Resolves when no message is being sent. */
    finish: queues.idle,
  };

  /** New messages go before updates. */
  async function claim(leaseToken: string, busy: readonly string[]): Promise<OutboxRow[]> {
    const isFree =
      busy.length === 0 ? sql<SqlBool>`true` : sql<SqlBool>`due.channel_id not in (${sql.join(busy)})`;
    const claimWhere = (where: RawBuilder<SqlBool>) => {
      const due = { now: new Date(realNow()), limit: concurrency, leaseMs, leaseToken };
      return claimDue({ store, table: 'outbox', ...due, where: sql<SqlBool>`${where} and ${isFree}` });
    };
    const posts = await claimWhere(isSendablePost);
    return posts.length > 0 ? posts : await claimWhere(isSendable);
  }

  async function sendOne(row: OutboxRow, run: Run): Promise<void> {
    try {
      await trySend(row, run);
    } catch (error) {
      // The row can't be read, or its outcome can't be stored: only this row fails.
      await handleOtherError(row, { ...run, error });
    }
  }

  async function trySend(row: OutboxRow, run: Run): Promise<void> {
    const { now, leaseToken, report } = run;
    const kind = kinds.get(row.kind);
    const delivery = await kind.open(row, ctx);
    if (!delivery) return await rows.discard(row, leaseToken);
    if (!(await rows.markSending(row, leaseToken))) return;
    const isPost = delivery.operation === 'post';
    const since = isPost ? mayBeSentSince(row, delivery) : undefined;
    const post = { id: (isPost && delivery.id) || row.id, channelId: row.channel_id, delivery };
    let isLookingUp = since !== undefined;
    try {
      const found = since ? await poster.find({ ...post, isPossiblyRepeated: false }, since) : 'absent';
      isLookingUp = false;
      const isFound = typeof found === 'object';
      const { ts } = isFound
        ? found
        : await poster.post({ ...post, isPossiblyRepeated: found === 'unknown' });
      await rows.markSent(row, { leaseToken, ts, now });
      report[isFound ? 'found' : 'sent'] += 1;
    } catch (error) {
      // The message could not be rendered, so it was not posted.
      if (error instanceof ZodError) throw error;
      await handlePostFailure(row, { ...run, error, isLookingUp });
    }
  }

  /** Slack refused the message, or the outcome is unknown. */
  async function handlePostFailure(
    row: OutboxRow,
    { now, leaseToken, error, report, limited, isLookingUp }: Run & { error: unknown; isLookingUp: boolean },
  ): Promise<void> {
    const refusal = error instanceof PostError ? error : undefined;
    const { operation, isNotice = false, postedAgainAs } = kinds.get(row.kind);
    const isGone = operation === 'update' && refusal?.code === messageGone;
    if (isGone && postedAgainAs === undefined) {
      await rows.markSent(row, { leaseToken, ts: null, now });
      report.sent += 1;
      return;
    }
    const { retryAfterMs } = refusal ?? {};
    const isLimited = retryAfterMs !== undefined;
    // A rate limit is not the message's fault, so it does not count as an attempt.
    const attempts = row.attempts + (isLimited ? 0 : 1);
    const reason = messageOf(error);
    logger.warn({ message: row.id, kind: row.kind, attempts, reason }, 'a message could not be posted');
    // A rate limit is never final: it always ends.
    const isFinal = refusal && (refusal.isPermanent || (!isLimited && attempts >= maxRefusals));
    if (isNotice ? attempts >= maxNoticeAttempts : isFinal) {
      report.refused += 1;
      const code = refusal?.code ?? 'unknown';
      await rows.markRefused({ row, code, now, realNow: new Date(realNow()) }, leaseToken);
      return;
    }
    report.retried += 1;
    if (isGone && postedAgainAs !== undefined) {
      await rows.postAgain(row, { leaseToken, kind: postedAgainAs });
      return;
    }
    const dueAt = isLimited
      ? new Date(realNow() + Math.max(minRateLimitMs, retryAfterMs))
      : afterBackoff(attempts);
    // After an unknown outcome the row stays `sending`, so that it is looked up next time.
    const columns = { ...(refusal && rows.columnsIfUnsent(row)), due_at: dueAt, attempts, error: reason };
    await rows.release(row, leaseToken, columns);
    if (!isLimited) return;
    limited.add(row.channel_id);
    await delayOthers(row, { until: dueAt, isLookingUp });
  }

  /** Errors that Slack did not cause. An unreadable message fails for good after `maxRefusals`; others are tried again. */
  async function handleOtherError(
    row: OutboxRow,
    { leaseToken, error, report }: Run & { error: unknown },
  ): Promise<void> {
    const isUnreadable = error instanceof ZodError;
    const attempts = row.attempts + 1;
    const isNotice = kinds.find(row.kind)?.isNotice === true;
    const isFinal = isUnreadable && attempts >= (isNotice ? maxNoticeAttempts : maxRefusals);
    const reason = messageOf(error);
    logger.error({ message: row.id, kind: row.kind, attempts, reason }, 'a message could not be handled');
    await rows.release(row, leaseToken, {
      ...(isUnreadable && rows.columnsIfUnsent(row)),
      ...(isFinal && { status: 'failed' }),
      due_at: afterBackoff(attempts),
      attempts,
      error: isUnreadable ? 'unreadable' : reason,
    });
    report[isFinal ? 'refused' : 'retried'] += 1;
  }

  function afterBackoff(attempts: number): Date {
    return new Date(realNow() + backoffMs(attempts, { firstMs: firstRetryMs, maxMs: maxRetryMs }));
  }

  /** Delays the messages that need the same method: Slack would refuse them too. */
  async function delayOthers(
    { channel_id, kind }: OutboxRow,
    { until, isLookingUp }: { until: Date; isLookingUp: boolean },
  ): Promise<void> {
    const { operation } = kinds.get(kind);
    if (operation === 'remove') return;
    const waiting = store
      .selectFrom('outbox')
      .select('id')
      .where(isKind('outbox', (other) => other.operation === operation))
      .orderBy('id')
      .forUpdate()
      // The outcome of a locked row is being stored.
      .skipLocked();
    const ofMethod = () => {
      if (isLookingUp)
        return waiting.where('status', 'in', ['pending', 'sending']).where('attempted_at', 'is not', null);
      // Updates have one limit for the whole workspace, posts have one for each channel.
      if (operation === 'update') return waiting.where('status', 'in', ['pending', 'sending']);
      return waiting.where('status', '=', 'pending').where('channel_id', '=', channel_id);
    };
    await store
      .updateTable('outbox')
      .set({ due_at: sql`greatest(due_at, ${until})` })
      .where('id', 'in', ofMethod())
      .execute();
  }
}

/** Undefined if it can't have gone out yet. */
function mayBeSentSince(
  { status, attempted_at, created_at }: OutboxRow,
  { since }: { since?: Date },
): Date | undefined {
  const attempted = attempted_at ?? (status === 'sending' ? created_at : undefined);
  return attempted && since ? min([attempted, since]) : (attempted ?? since);
}
