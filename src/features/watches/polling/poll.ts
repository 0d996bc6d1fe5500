import { type Kysely, type Selectable, type SqlBool, sql } from 'kysely';
import type { PredictionsAnswer } from '../../../analytics/answers.ts';
import type { AnalyticsClient } from '../../../analytics/client.ts';
import { portByAnyCode } from '../../../analytics/port-by-any-code.ts';
import {
  backoffMs,
  claimDue,
  createRollbackCheck,
  defaultLeaseMs,
  release,
  settleAll,
} from '../../../database/due.ts';
import type { Schema } from '../../../database/schema.ts';
import { StoreUnavailable } from '../../../errors.ts';
import type { Logger } from '../../../log.ts';
import type { Snapshot } from '../evaluation/snapshot.ts';
import { fromColumns, type Subject } from '../store/subject.ts';
import { type CommitContext, commitPolls } from './commit-polls.ts';
import { readStretch } from './poll-plan.ts';
import type { Polled } from './polled.ts';
import { pullIn } from './pull-in.ts';

export type PollAnalytics = Pick<
  AnalyticsClient,
  'vesselPredictions' | 'portPredictions' | 'shiplistNextPorts'
>;

export interface PollerOptions {
  db: Kysely<Schema>;
  /** The client of an account. */
  analyticsOf: (credentialId: string) => PollAnalytics;
  /** Only what is watched with this account: others may share the database. All accounts where left out. */
  credentialId?: string;
  realNow: () => number;
  newId: () => string;
  logger: Logger;
  /** WATCH_POLL_MINUTES as a number: between two polls of a subject, whatever its ETA. */
  fixedMinutes?: number | undefined;
  leaseMs?: number;
  /** Subjects asked together and committed together; the client bounds its calls besides. */
  batch?: number;
  /** Batches at once, so that one asks while another commits. */
  workers?: number;
}

interface PollReport {
  answered: number;
  failed: number;
  /** Somebody else took it over meanwhile, so nothing was stored. */
  lost: number;
  /** Replies written to the outbox. */
  replies: number;
}

export interface Poller {
  /** Polls every subject that is due at `now`, on the domain clock, and commits what it finds. Throws only while the store is away. */
  runDue(now: Date): Promise<PollReport>;
}

const firstRetryMs = 60_000;
const maxRetryMs = 30 * 60_000;
/** Of a lease, for the calls of a batch. */
const leaseShare = 0.7;
/** A subject is due again later than `now`, so this ends long before; it bounds a clock gone mad. */
const maxRounds = 100_000;

type SubjectRow = Selectable<Schema['subjects']>;

export function createPoller(options: PollerOptions): Poller {
  const { db, analyticsOf, realNow, newId, logger, fixedMinutes } = options;
  const { leaseMs = defaultLeaseMs, batch = 25, workers = 2 } = options;

  const where =
    options.credentialId === undefined ? undefined : sql<SqlBool>`credential_id = ${options.credentialId}`;

  const hasRolledBack = createRollbackCheck();

  return {
    async runDue(now) {
      const report: PollReport = { answered: 0, failed: 0, lost: 0, replies: 0 };
      const stretchOf = remember((credentialId: string) =>
        fixedMinutes === undefined ? readStretch(db, credentialId) : Promise.resolve(1),
      );
      if (options.credentialId !== undefined && hasRolledBack(now)) {
        const stretch = await stretchOf(options.credentialId);
        await pullIn(db, { credentialId: options.credentialId, now, stretch });
      }
      const work = async () => {
        for (let round = 0; round < maxRounds; round += 1) {
          const leaseToken = newId();
          const claim = { db, now, realNow: new Date(realNow()), limit: batch, leaseMs, leaseToken };
          const claimed = await claimDue({ table: 'subjects', ...claim, ...(where && { where }) });
          if (claimed.length > 0) await pollAll(claimed, { now, leaseToken, stretchOf, report });
          if (claimed.length < batch) break;
        }
      };
      await settleAll(Array.from({ length: workers }, work));
      // One line however many failed: the service is down for all of them.
      if (report.failed > 0) logger.warn({ ...report }, 'polls failed; they are tried again');
      return report;
    },
  };

  async function pollAll(
    rows: readonly SubjectRow[],
    run: { now: Date; leaseToken: string; stretchOf: (id: string) => Promise<number>; report: PollReport },
  ): Promise<void> {
    const { now, leaseToken, stretchOf } = run;
    const polls = await Promise.all(
      rows.map(async (row): Promise<Polled> => {
        const stretch = await stretchOf(row.credential_id);
        return { row, stretch, ...(await ask(row, now, stretch)) };
      }),
    );
    const context: CommitContext = {
      db,
      leaseToken,
      now,
      realNow: new Date(realNow()),
      newId,
      logger,
      fixedMinutes,
    };
    try {
      await commit(polls, context, run.report);
    } catch (error) {
      throwIfGone(error);
      // One that can't be stored must not stop the others.
      for (const poll of polls) await commitAlone(poll, context, run.report);
    }
  }

  /** What can't be stored is a failed poll: it is asked for again after the back-off, and its cards say so in time. */
  async function commitAlone(poll: Polled, context: CommitContext, report: PollReport): Promise<void> {
    try {
      await commit([poll], context, report);
    } catch (error) {
      throwIfGone(error);
      const { row, stretch, snapshot } = poll;
      const reason = error instanceof Error ? error.message : String(error);
      logger.error({ subject: `${row.kind} ${row.key}`, reason }, 'a poll could not be stored');
      const failed = { row, stretch, ...toFailure(row, error, { now: context.now, stretch }) };
      if (snapshot.kind === 'failed') await giveBack(failed, context, report);
      else await commit([failed], context, report).catch(() => giveBack(failed, context, report));
    }
  }

  /** Not even its failure can be stored. */
  async function giveBack(
    { row: { id, attempts }, retryMs }: Polled,
    { leaseToken, now }: CommitContext,
    report: PollReport,
  ): Promise<void> {
    const dueAt = new Date(now.getTime() + retryMs);
    const isOurs = await release(db, { table: 'subjects', id, leaseToken, dueAt, attempts: attempts + 1 });
    report[isOurs ? 'failed' : 'lost'] += 1;
  }

  async function commit(polls: readonly Polled[], context: CommitContext, report: PollReport): Promise<void> {
    const { stored, replies } = await commitPolls(polls, context);
    report.replies += replies;
    for (const { row, snapshot } of polls) {
      if (!stored.has(row.id)) report.lost += 1;
      else report[snapshot.kind === 'failed' ? 'failed' : 'answered'] += 1;
    }
  }

  async function ask(
    row: SubjectRow,
    now: Date,
    stretch: number,
  ): Promise<{ snapshot: Snapshot; retryMs: number }> {
    const subject = fromColumns(row);
    try {
      if (!subject) throw new Error(`no such kind of subject: ${row.kind}`);
      // What has not come by then is asked again later: the lease must outlive the commit.
      const signal = AbortSignal.timeout(leaseMs * leaseShare);
      const answer = await callFor(analyticsOf(row.credential_id), subject, signal);
      return { snapshot: toSnapshot(subject, answer), retryMs: 0 };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      logger.debug(
        { subject: `${row.kind} ${row.key}`, attempts: row.attempts + 1, reason },
        'a poll failed',
      );
      return toFailure(row, error, { now, stretch });
    }
  }

  function toFailure(
    row: SubjectRow,
    error: unknown,
    { now, stretch }: { now: Date; stretch: number },
  ): Pick<Polled, 'snapshot' | 'retryMs'> {
    const snapshot: Snapshot = {
      kind: 'failed',
      of: row.kind === 'port' ? 'port' : 'vessels',
      at: now,
      lastSuccessAt: row.polled_at ?? row.failing_since ?? now,
      intervalMinutes: (fixedMinutes ?? row.interval_minutes) * stretch,
    };
    const waitMs = backoffMs(row.attempts + 1, { firstMs: firstRetryMs, maxMs: maxRetryMs });
    return { snapshot, retryMs: Math.max(waitMs, retryAfterMs(error)) };
  }
}

/** Nothing can be stored at the moment: that is no fault of a poll. */
function throwIfGone(error: unknown): void {
  if (error instanceof StoreUnavailable) throw error;
}

/** Afresh, past the cache, behind what people wait for. */
async function callFor(
  analytics: PollAnalytics,
  subject: Subject,
  signal: AbortSignal,
): Promise<PredictionsAnswer> {
  const how = { fresh: true, priority: 'background', signal } as const;
  switch (subject.kind) {
    case 'vessel':
      return analytics.vesselPredictions(subject.imo, how);
    case 'shiplist':
      return analytics.shiplistNextPorts(subject.name, how);
    case 'port':
      return (await portByAnyCode(analytics, subject.port, how)).answer;
  }
}

function toSnapshot(subject: Subject, { fetchedAt, scale, predictions }: PredictionsAnswer): Snapshot {
  const answered = { at: fetchedAt, scale, predictions };
  switch (subject.kind) {
    case 'vessel':
      return { kind: 'vessel', imo: subject.imo, ...answered };
    case 'shiplist':
      return { kind: 'shiplist', ...answered };
    case 'port':
      return { kind: 'port', port: subject.port, ...answered };
  }
}

/** What the service, or the memory of its refusal, asks to wait. */
function retryAfterMs(error: unknown): number {
  const wait = error instanceof Error && 'retryAfterMs' in error ? error.retryAfterMs : undefined;
  return typeof wait === 'number' ? wait : 0;
}

function remember<Value>(read: (key: string) => Promise<Value>): (key: string) => Promise<Value> {
  const known = new Map<string, Promise<Value>>();
  return (key) => {
    const value = known.get(key) ?? read(key);
    known.set(key, value);
    return value;
  };
}
