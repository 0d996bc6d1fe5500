import type { Selectable } from 'kysely';
import type { PredictionsAnswer, RequestOptions } from '../../../analytics/answers.ts';
import { type AnalyticsClient, portPredictionsByAnyCode } from '../../../analytics/client.ts';
import { inChunks } from '../../../database/batches.ts';
import {
  backoffMs,
  claimDue,
  createWaitLimit,
  type DueRows,
  defaultLeaseMs,
  holdLease,
  release,
  settleAll,
} from '../../../database/due.ts';
import type { Schema } from '../../../database/schema.ts';
import type { WorkspaceStore } from '../../../database/workspace-store.ts';
import { messageOf, NoAccountError, StoreUnavailable } from '../../../errors.ts';
import { createFairQueue } from '../../../fair-queue.ts';
import type { Logger } from '../../../log.ts';
import { columnsKey, fromColumns, type Subject } from '../../history/index.ts';
import type { Snapshot } from '../../rules/evaluation/snapshot.ts';
import { type CommitContext, commitPolls } from './commit-polls.ts';
import type { Polled } from './next-poll.ts';
import { isWatched, latestPoll, readCallPlan } from './poll-plan.ts';

export type PollAnalytics = Pick<
  AnalyticsClient,
  'vesselPredictions' | 'portPredictions' | 'shiplistNextPorts'
>;

export interface PollerOptions {
  /** Polls only the subjects of this workspace. */
  store: WorkspaceStore;
  analytics: PollAnalytics;
  /** Reads the account of the workspace again. False if there is none: then nothing is polled. */
  refreshAccount?: () => Promise<boolean>;
  realNow: () => number;
  newId: () => string;
  logger: Logger;
  /** Minutes between two polls of a subject, whatever its ETA: WATCH_POLL_MINUTES. */
  fixedMinutes?: number | undefined;
  /** The budget of requests per day; undefined for no limit. */
  dailyCalls?: number | undefined;
  leaseMs?: number;
  /** Subjects that are claimed, requested and committed together. */
  batch?: number;
  /** Batches at once, so that one is requested while another is committed. */
  workers?: number;
  /** Requests that have waited so long for their turn are left for the next round. */
  maxWaitMs?: number;
}

const firstRetryMs = 60_000;
const maxRetryMs = 30 * 60_000;
/** Each round makes its subjects due later, so there are far fewer rounds unless the clock is broken. */
const maxRounds = 100_000;

/** Where the polls are that are due. */
export const duePolls = { table: 'subjects', clock: 'domain' } as const satisfies DueRows;

type SubjectRow = Selectable<Schema['subjects']>;
export type Poller = ReturnType<typeof createPoller>;

export function createPoller(options: PollerOptions) {
  const { store, analytics, realNow, newId, logger, fixedMinutes, dailyCalls } = options;
  const { refreshAccount = async () => true } = options;
  const { leaseMs = defaultLeaseMs, batch = 50, workers = 2, maxWaitMs = 60_000 } = options;
  const limitWaits = createWaitLimit({ ...duePolls, where: isWatched, store });

  return {
    /**
     * Polls the subjects that are due at `now`, on the domain clock, and commits the answers. Throws only while the
     * store is unavailable. In the report, `lost` counts polls dropped because another process took over.
     */
    async runDue(now: Date, mayClaim = () => true) {
      const report = { answered: 0, failed: 0, lost: 0, replies: 0 };
      let reason: string | undefined;
      let plan: Promise<{ stretch: number }> | undefined;
      const getStretch = async (): Promise<number> => {
        if (fixedMinutes !== undefined) return 1;
        plan ??= readCallPlan({ store, dailyCalls, now: () => now });
        return (await plan).stretch;
      };
      await limitWaits(now, async () => latestPoll({ now, stretch: await getStretch() }));
      // Of two claims at the same time, each would get some of the rows that fit into one batch.
      const claims = createFairQueue({ max: () => 1 });
      const work = async () => {
        for (let round = 0; round < maxRounds; round += 1) {
          const leaseToken = newId();
          const run = { store, now, leaseToken };
          const rows = await claims.run(() => claimDue({ ...duePolls, ...run, limit: batch, leaseMs }));
          const signal = AbortSignal.timeout(maxWaitMs);
          // After the claim: a change of the account ends the leases of all claims before it.
          if (rows.length > 0 && !(await refreshAccount())) return await releaseAll(rows, run);
          await holdLease({ ...run, table: 'subjects', rows, logger, leaseMs }, async () => {
            const ids = rows.map(({ id }) => id);
            const channels = await readChannels(store, ids);
            const polls = await Promise.all(
              rows.map(async (row) => poll(row, { ...run, channels, stretch: await getStretch(), signal })),
            );
            reason ??= polls.find((polled) => polled?.reason !== undefined)?.reason;
            const done = polls.filter((polled) => polled !== undefined);
            const context = { ...run, realNow: new Date(realNow()), newId, logger, fixedMinutes };
            if (done.length > 0) await commit(done, context, report);
          });
          if (rows.length < batch || !mayClaim()) break;
        }
      };
      await settleAll(Array.from({ length: workers }, work));
      // If polls fail, the service is probably down, so one log entry with the first reason covers all of them.
      if (report.failed > 0) logger.warn({ ...report, reason }, 'polls failed; they are tried again');
      return report;
    },
  };

  /** The subjects stay due. */
  async function releaseAll(
    rows: readonly SubjectRow[],
    { leaseToken }: { leaseToken: string },
  ): Promise<void> {
    for (const { id, due_at: dueAt, attempts } of rows)
      await release(store, { table: 'subjects', id, leaseToken, dueAt, attempts });
  }

  /** Undefined if its turn did not come, or there is no account: then the subject stays due. */
  async function poll(
    row: SubjectRow,
    run: { now: Date; leaseToken: string; channels: ChannelsOf; stretch: number; signal: AbortSignal },
  ): Promise<Polled | undefined> {
    const { now, channels, stretch, signal } = run;
    const subject = fromColumns(row);
    try {
      if (!subject) throw new Error(`no such kind of subject: ${row.kind}`);
      const channelIds = channels.get(row.id) ?? [];
      const cause = { kind: 'watch', subject: columnsKey(row), channelIds } as const;
      const requestOptions = { fresh: true, priority: 'background', signal, cause } as const;
      const answer = await requestPredictions(analytics, subject, requestOptions);
      const { fetchedAt: at, scale, predictions } = answer;
      return { row, stretch, snapshot: { ...subject, at, scale, predictions }, retryMs: 0 };
    } catch (error) {
      if (signal.aborted || error instanceof NoAccountError) {
        await releaseAll([row], run);
        return undefined;
      }
      const reason = messageOf(error);
      const subjectName = `${row.kind} ${row.key}`;
      logger.debug({ subject: subjectName, attempts: row.attempts + 1, reason }, 'a poll failed');
      return { ...failedPoll({ row, stretch }, error, now), reason };
    }
  }

  function failedPoll({ row, stretch }: Pick<Polled, 'row' | 'stretch'>, error: unknown, now: Date): Polled {
    const intervalMinutes = (fixedMinutes ?? row.interval_minutes) * stretch;
    const silentSince = silenceBegan(row, { intervalMinutes, now });
    const snapshot: Snapshot = {
      kind: 'failed',
      isPort: row.kind === 'port',
      at: now,
      silentSince,
      intervalMinutes,
    };
    const waitMs = backoffMs(row.attempts + 1, { firstMs: firstRetryMs, maxMs: maxRetryMs });
    return { row, stretch, snapshot, retryMs: Math.max(waitMs, retryAfterMs(error)) };
  }

  /** If polls can't be stored together, stores each alone. A poll that can't be stored alone counts as failed. */
  async function commit(polls: readonly Polled[], context: CommitContext, report: Report): Promise<void> {
    try {
      const { stored, replies } = await commitPolls(polls, context);
      report.replies += replies;
      for (const { row, snapshot } of polls) {
        if (!stored.has(row.id)) report.lost += 1;
        else report[snapshot.kind === 'failed' ? 'failed' : 'answered'] += 1;
      }
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error;
      const [poll, ...others] = polls;
      if (others.length > 0) {
        logger.warn({ reason: messageOf(error) }, 'polls could not be stored together; each is stored alone');
        for (const single of polls) await commit([single], context, report);
      } else if (poll) await commitFailure(poll, error, context, report);
    }
  }

  async function commitFailure(
    poll: Polled,
    error: unknown,
    context: CommitContext,
    report: Report,
  ): Promise<void> {
    const { row, snapshot } = poll;
    const { leaseToken, now } = context;
    const subject = `${row.kind} ${row.key}`;
    logger.error({ subject, reason: messageOf(error) }, 'a poll could not be stored');
    const failed = failedPoll(poll, error, now);
    if (snapshot.kind !== 'failed') return await commit([failed], context, report);
    // The failure can't be stored either, so only the subject's next attempt is scheduled.
    const dueAt = new Date(now.getTime() + failed.retryMs);
    const retry = { id: row.id, leaseToken, dueAt, attempts: row.attempts + 1 };
    const stillHadLease = await release(store, { table: 'subjects', ...retry });
    report[stillHadLease ? 'failed' : 'lost'] += 1;
  }
}

type Report = Awaited<ReturnType<Poller['runDue']>>;

/** Requests what the service predicts for a vessel, for the vessels of a list, or for a port. */
export async function requestPredictions(
  analytics: PollAnalytics,
  subject: Subject,
  options: RequestOptions,
): Promise<PredictionsAnswer> {
  switch (subject.kind) {
    case 'vessel':
      return analytics.vesselPredictions(subject.imo, options);
    case 'shiplist':
      return analytics.shiplistNextPorts(subject.name, options);
    case 'port':
      return (await portPredictionsByAnyCode(analytics, subject.port, options)).answer;
  }
}

/**
 * The last answer; the first failure if nobody had asked for a while before it, since no bot ran or the workspace or its
 * watches were paused.
 */
function silenceBegan(
  { polled_at: answeredAt, failing_since }: SubjectRow,
  { intervalMinutes, now }: { intervalMinutes: number; now: Date },
): Date {
  const failedAt = failing_since ?? now;
  const wasAskedOften =
    answeredAt && failedAt.getTime() - answeredAt.getTime() <= 2 * intervalMinutes * 60_000;
  return wasAskedOften ? answeredAt : failedAt;
}

/** How long the service asks the bot to wait, or how long a refused login is remembered. */
function retryAfterMs(error: unknown): number {
  const wait = error instanceof Error && 'retryAfterMs' in error ? error.retryAfterMs : undefined;
  return typeof wait === 'number' ? wait : 0;
}

/** By the subject's id: the channels whose active watches follow it, sorted. Personal watches have none. */
export type ChannelsOf = ReadonlyMap<string, readonly string[]>;

/** Counted with each poll, since other watches may follow the subject later. */
export async function readChannels(
  store: WorkspaceStore,
  subjectIds: readonly string[],
): Promise<ChannelsOf> {
  const rows: { subject_id: string; channel_id: string }[] = [];
  for (const chunk of inChunks(subjectIds)) {
    const found = await store
      .selectFrom('followings')
      .innerJoin(...store.join('watches', 'watches.id', 'followings.watch_id'))
      .select(['subject_id', 'channel_id'])
      .distinct()
      .where('subject_id', 'in', chunk)
      .where('destination', '=', 'channel')
      .where('status', '=', 'active')
      .execute();
    rows.push(...found);
  }
  return new Map(
    [...Map.groupBy(rows, ({ subject_id }) => subject_id)].map(([id, of]) => [
      id,
      of.map(({ channel_id }) => channel_id).sort(),
    ]),
  );
}
