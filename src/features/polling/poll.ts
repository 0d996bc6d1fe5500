import type { Selectable } from 'kysely';
import type { PredictionsAnswer, RequestOptions } from '../../analytics/answers.ts';
import { type AnalyticsClient, portPredictionsByAnyCode } from '../../analytics/client.ts';
import { inChunks } from '../../database/batches.ts';
import {
  backoffMs,
  claimDue,
  createWaitLimit,
  type DueRows,
  holdLease,
  release,
  settleAll,
} from '../../database/due.ts';
import type { Schema } from '../../database/schema.ts';
import type { WorkspaceStore } from '../../database/workspace-store.ts';
import { messageOf, NoAccountError, StoreUnavailable } from '../../errors.ts';
import { createFairQueue } from '../../fair-queue.ts';
import type { Subject } from '../../predictions/next-port.ts';
import { columnsKey, fromColumns } from '../history/index.ts';
import type { Snapshot } from '../rules/index.ts';
import type { StateKey, WorkspaceServices } from '../services.ts';
import { isWatched, latestPoll, type Polled, readCallPlan } from './call-plan.ts';
import { commitPolls } from './commit-polls.ts';

export type PollAnalytics = Pick<
  AnalyticsClient,
  'vesselPredictions' | 'portPredictions' | 'shiplistNextPorts'
>;

/** What polls need of a workspace. */
interface PollCtx {
  services: Pick<WorkspaceServices, 'store' | 'realNow' | 'newId' | 'logger' | 'state'> & {
    analytics: PollAnalytics;
    account: Pick<WorkspaceServices['account'], 'refresh'>;
    limit: Pick<WorkspaceServices['limit'], 'today'>;
    settings: Pick<WorkspaceServices['settings'], 'pollMinutes' | 'leaseMs'>;
  };
}

/** Smaller in tests. */
export interface PollLimits {
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
export const duePolls = { table: 'subjects', clock: 'domain', waitsInPause: true } as const satisfies DueRows;

type SubjectRow = Selectable<Schema['subjects']>;
const waitLimitKey: StateKey<ReturnType<typeof createWaitLimit>> = { name: 'wait limit of polls' };

/** `lost`: polls dropped because another process took over. */
export interface PollReport {
  answered: number;
  failed: number;
  lost: number;
  replies: number;
}

/**
 * Polls the subjects of the workspace that are due at `now`, on the domain clock, and commits the answers. Throws only
 * while the store is unavailable.
 */
export async function pollDue(
  now: Date,
  mayClaim: () => boolean,
  ctx: PollCtx,
  { batch = 50, workers = 2, maxWaitMs = 60_000 }: PollLimits = {},
): Promise<PollReport> {
  const { store, account, settings, limit, newId, logger, state } = ctx.services;
  const { pollMinutes, leaseMs } = settings;
  const report: PollReport = { answered: 0, failed: 0, lost: 0, replies: 0 };
  let reason: string | undefined;
  let plan: Promise<{ stretch: number }> | undefined;
  const getStretch = async (): Promise<number> => {
    if (pollMinutes !== undefined) return 1;
    plan ??= readCallPlan({ store, limit: await limit.today(), now: () => now });
    return (await plan).stretch;
  };
  const limitWaits = state(waitLimitKey, () => createWaitLimit({ ...duePolls, where: isWatched, store }));
  await limitWaits(now, async () => latestPoll({ now, stretch: await getStretch() }));
  // Of two claims at the same time, each would get some of the rows that fit into one batch.
  const claims = createFairQueue({ max: () => 1 });
  const work = async () => {
    for (let round = 0; round < maxRounds; round += 1) {
      const run = { store, now, leaseToken: newId() };
      const rows = await claims.run(() => claimDue({ ...duePolls, ...run, limit: batch, leaseMs }));
      const signal = AbortSignal.timeout(maxWaitMs);
      // After the claim: a change of the account ends the leases of all claims before it.
      if (rows.length > 0 && !(await account.refresh())) return await releaseAll(rows, run);
      await holdLease({ ...run, table: 'subjects', rows, logger, leaseMs }, async () => {
        const channels = await readChannels(
          store,
          rows.map(({ id }) => id),
        );
        const polls = await Promise.all(
          rows.map(async (row) => {
            const context = { ...run, channels, stretch: await getStretch(), signal };
            return await poll(row, context, ctx);
          }),
        );
        reason ??= polls.find((polled) => polled?.reason !== undefined)?.reason;
        const done = polls.filter((polled) => polled !== undefined);
        if (done.length > 0) await commit(done, run, report, ctx);
      });
      if (rows.length < batch || !mayClaim()) break;
    }
  };
  await settleAll(Array.from({ length: workers }, work));
  // If polls fail, the service is probably down, so one log entry with the first reason covers all of them.
  if (report.failed > 0) logger.warn({ ...report, reason }, 'polls failed; they are tried again');
  return report;
}

/** Call it when the limit of calls has changed: no poll waits longer than the new one asks for. */
export const shortenWaits = (
  store: WorkspaceStore,
  { now, stretch }: { now: Date; stretch: number },
): Promise<void> =>
  createWaitLimit({ ...duePolls, where: isWatched, store })(now, () => latestPoll({ now, stretch }));

/** One claim of due subjects. */
interface Run {
  store: WorkspaceStore;
  now: Date;
  leaseToken: string;
}

/** The subjects stay due. */
async function releaseAll(
  rows: readonly SubjectRow[],
  { store, leaseToken }: Pick<Run, 'store' | 'leaseToken'>,
): Promise<void> {
  for (const { id, due_at: dueAt, attempts } of rows)
    await release(store, { table: 'subjects', id, leaseToken, dueAt, attempts });
}

/** Undefined if its turn did not come, or there is no account: then the subject stays due. */
async function poll(
  row: SubjectRow,
  run: Run & { channels: ChannelsOf; stretch: number; signal: AbortSignal },
  ctx: PollCtx,
): Promise<Polled | undefined> {
  const { now, channels, stretch, signal } = run;
  const subject = fromColumns(row);
  try {
    if (!subject) throw new Error(`no such kind of subject: ${row.kind}`);
    const channelIds = channels.get(row.id) ?? [];
    const cause = { kind: 'watch', subject: columnsKey(row), channelIds } as const;
    const requestOptions = { fresh: true, priority: 'background', signal, cause } as const;
    const answer = await requestPredictions(ctx.services.analytics, subject, requestOptions);
    const { fetchedAt: at, scale, predictions } = answer;
    return { row, stretch, snapshot: { ...subject, at, scale, predictions }, retryMs: 0 };
  } catch (error) {
    if (signal.aborted || error instanceof NoAccountError) {
      await releaseAll([row], run);
      return undefined;
    }
    const reason = messageOf(error);
    const subjectName = `${row.kind} ${row.key}`;
    ctx.services.logger.debug({ subject: subjectName, attempts: row.attempts + 1, reason }, 'a poll failed');
    return { ...failedPoll({ row, stretch }, error, { now, ...ctx }), reason };
  }
}

function failedPoll(
  { row, stretch }: Pick<Polled, 'row' | 'stretch'>,
  error: unknown,
  { now, services }: PollCtx & { now: Date },
): Polled {
  const intervalMinutes = (services.settings.pollMinutes ?? row.interval_minutes) * stretch;
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
async function commit(polls: readonly Polled[], run: Run, report: PollReport, ctx: PollCtx): Promise<void> {
  const { realNow, newId, logger, settings } = ctx.services;
  try {
    const context = { realNow: new Date(realNow()), newId, logger, fixedMinutes: settings.pollMinutes };
    const { stored, replies } = await commitPolls(polls, { ...run, ...context });
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
      for (const single of polls) await commit([single], run, report, ctx);
    } else if (poll) await commitFailure(poll, error, { run, report }, ctx);
  }
}

async function commitFailure(
  poll: Polled,
  error: unknown,
  { run, report }: { run: Run; report: PollReport },
  ctx: PollCtx,
): Promise<void> {
  const { row, snapshot } = poll;
  const { store, leaseToken, now } = run;
  const subject = `${row.kind} ${row.key}`;
  ctx.services.logger.error({ subject, reason: messageOf(error) }, 'a poll could not be stored');
  const failed = failedPoll(poll, error, { now, ...ctx });
  if (snapshot.kind !== 'failed') return await commit([failed], run, report, ctx);
  // The failure can't be stored either, so only the subject's next attempt is scheduled.
  const dueAt = new Date(now.getTime() + failed.retryMs);
  const retry = { id: row.id, leaseToken, dueAt, attempts: row.attempts + 1 };
  const stillHadLease = await release(store, { table: 'subjects', ...retry });
  report[stillHadLease ? 'failed' : 'lost'] += 1;
}

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
type ChannelsOf = ReadonlyMap<string, readonly string[]>;

/** Counted with each poll, since other watches may follow the subject later. */
async function readChannels(store: WorkspaceStore, subjectIds: readonly string[]): Promise<ChannelsOf> {
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
