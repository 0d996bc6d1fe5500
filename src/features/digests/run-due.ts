import { type Selectable, type SqlBool, sql } from 'kysely';
import { backOff, claimDue, type DueRows, holdLease, settleAll } from '../../database/due.ts';
import { readRecoveryWindow } from '../../database/recovery.ts';
import type { Schema } from '../../database/schema.ts';
import { underReference } from '../../log.ts';
import type { WorkCtx } from '../ctx.ts';
import { type Digest, type Missed, readBaseline, readDigest } from './digest.ts';
import { runDigest, toMessages } from './run-digest.ts';
import { nextRun } from './schedule.ts';

interface DigestReport {
  /** Put into the outbox. */
  sent: number;
  /** Not sent because nothing was new. */
  quiet: number;
  /** Too late to be caught up. */
  missed: number;
  /** Not sent, because somebody changed the digest or another process took it over while it ran. */
  lost: number;
  /** Could not be read, run or stored; tried again after a back-off. */
  failed: number;
}

type DigestRow = Selectable<Schema['digests']>;

const concurrency = 4;

/** Where the digests are that are due. */
export const dueDigests = {
  table: 'digests',
  clock: 'domain',
  // Begins in the words of the index.
  where: sql<SqlBool>`(due.status = 'active' or due.is_manual = 1) and due.removed_at is null`,
} as const satisfies DueRows;

/** A safeguard: the rounds end long before this, because a digest that has run is due later than `now`. */
const maxRounds = 10_000;

/**
 * Runs the digests that are due at `now`. In one transaction, its message is written to the outbox and its next run is
 * stored, so each scheduled run is sent at most once.
 */
export async function runDueDigests(now: Date, mayClaim: () => boolean, ctx: WorkCtx): Promise<DigestReport> {
  const { store, newId, logger, settings } = ctx.services;
  const { leaseMs } = settings;
  const report: DigestReport = { sent: 0, quiet: 0, missed: 0, lost: 0, failed: 0 };
  for (let round = 0; round < maxRounds; round += 1) {
    const leaseToken = newId();
    const rows = await claimDue({ ...dueDigests, store, now, limit: concurrency, leaseMs, leaseToken });
    const run = async (row: DigestRow) => {
      report[await underReference(() => runOrBackOff(row, { now, leaseToken }, ctx))] += 1;
    };
    // Renewed while the lines run.
    const lease = { store, table: 'digests', rows, leaseToken, logger, leaseMs } as const;
    await holdLease(lease, () => settleAll(rows.map(run)));
    if (rows.length === 0 || !mayClaim()) break;
  }
  return report;
}

interface Claim {
  now: Date;
  leaseToken: string;
}

async function runOrBackOff(row: DigestRow, claim: Claim, ctx: WorkCtx): Promise<keyof DigestReport> {
  try {
    return await runRow(row, claim, ctx);
  } catch (error) {
    const { store, logger, settings } = ctx.services;
    const { id } = row;
    const attempts = row.attempts + 1;
    logger.error({ digest: id, attempts, err: error }, 'a digest could not be run');
    const { leaseToken } = claim;
    await backOff(store, { table: 'digests', id, leaseToken, attempts, leaseMs: settings.leaseMs });
    return 'failed';
  }
}

async function runRow(row: DigestRow, { now, leaseToken }: Claim, ctx: WorkCtx): Promise<keyof DigestReport> {
  const { store, pauses, realNow, newId, logger } = ctx.services;
  const restoredAt = (await readRecoveryWindow(store))?.restoredAt ?? null;
  // What a person asked for before a restore was probably sent.
  const isManual = row.is_manual && !isUpTo(restoredAt, row.due_at);
  const saved = readDigest(row);
  const digest = isManual ? { ...saved, onlyNews: false } : saved;
  const baseline = readBaseline(row);
  if (row.baseline !== null && !baseline)
    logger.warn(
      { digest: row.id },
      'what the last digest showed could not be read, so this one is a first one',
    );
  // A manual run is planned too: `runNow` has made the time of the request the time at which the digest is due.
  const plan = planRun(digest, { missed: digest.missed, now, isManual, restoredAt });
  // While admins have paused all digests, a run is left out, and nobody misses it.
  const isPlanned = isManual || (digest.status === 'active' && !(await pauses.at(now)));
  const { scheduledFor, missed } = isPlanned ? plan : { scheduledFor: null, missed: digest.missed };
  const { nextRunAt } = plan;
  const input = { digest, baseline, missed, scheduledFor: isManual ? null : scheduledFor, nextRunAt, now };
  const result = scheduledFor ? await runDigest(input, ctx) : undefined;
  const isSent = Boolean(result?.message);
  return store.transaction(async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable('digests')
      .set({
        due_at: nextRunAt,
        baseline: asJson(result?.baseline ?? baseline),
        // This message reports the missed runs; if it isn't sent, the next one does.
        missed: asJson(isSent ? null : missed),
        ...(scheduledFor && { last_run_at: scheduledFor }),
        is_manual: isManual && !scheduledFor,
        attempts: 0,
        lease_until: null,
        lease_token: null,
      })
      .where('id', '=', row.id)
      .where('lease_token', '=', leaseToken)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return 'lost';
    if (!result || !scheduledFor) return 'missed';
    const id = isManual ? `${digest.id}@now/${newId()}` : `${digest.id}@${scheduledFor.toISOString()}`;
    const messages = toMessages(result, { id, digest, now, realNow: new Date(realNow()) });
    if (messages.length > 0)
      await transaction
        .insertInto('outbox', messages)
        // After a clock rollback, this run may have been written before.
        .onConflict((conflict) => conflict.column('id').doNothing())
        .execute();
    return isSent ? 'sent' : 'quiet';
  });
}

const asJson = (value: object | null): string | null => (value ? JSON.stringify(value) : null);

/** Older runs are not caught up, unless a person asked for them. */
const maxCatchUpMs = 2 * 3_600_000;
/** If more runs are due, because no process ran for weeks, the next round plans the rest. */
const maxRunsPlanned = 500;

/**
 * `scheduledFor` is the latest run that is due at `now`; null if it is too old, if the store was restored after it, or if
 * more runs are due than can be planned at once. `missed` adds the other due runs to those that were missed before.
 */
export function planRun(
  { schedule, zone, nextRunAt }: Pick<Digest, 'schedule' | 'zone' | 'nextRunAt'>,
  {
    missed,
    now,
    isManual,
    restoredAt = null,
  }: { missed: Missed | null; now: Date; isManual: boolean; restoredAt?: Date | null },
) {
  const due = [nextRunAt];
  let next = nextRun(schedule, zone, nextRunAt);
  while (next <= now && due.length < maxRunsPlanned) {
    due.push(next);
    next = nextRun(schedule, zone, next);
  }
  const latest = due.at(-1) ?? nextRunAt;
  const isInTime =
    isManual || (now.getTime() - latest.getTime() <= maxCatchUpMs && !isUpTo(restoredAt, latest));
  const scheduledFor = next > now && isInTime ? latest : null;
  const skipped = scheduledFor ? due.slice(0, -1) : due;
  const isRestored = skipped.some((run) => isUpTo(restoredAt, run));
  return { scheduledFor, missed: addMissed(missed, skipped, isRestored), nextRunAt: next };
}

const isUpTo = (restoredAt: Date | null, run: Date): boolean => restoredAt !== null && run <= restoredAt;

function addMissed(before: Missed | null, runs: readonly Date[], isRestored: boolean): Missed | null {
  const [first] = runs;
  const last = runs.at(-1);
  if (!first || !last) return before;
  const missed = { count: (before?.count ?? 0) + runs.length, first: before?.first ?? first, last };
  return isRestored || before?.isRestored ? { ...missed, isRestored: true } : missed;
}
