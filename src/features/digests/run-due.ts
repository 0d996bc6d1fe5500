import { type Kysely, type Selectable, type SqlBool, sql } from 'kysely';
import { backOff, claimDue, defaultLeaseMs, holdLease, settleAll } from '../../database/due.ts';
import type { Schema } from '../../database/schema.ts';
import type { Logger } from '../../log.ts';
import { type Digest, readDigest, readMemory } from './digest.ts';
import { planRun } from './plan-run.ts';
import { type RunInput, type RunResult, runDigest, toMessages } from './run-digest.ts';
import type { ExplainFailure, RunLine } from './run-line.ts';

interface DigestRunnerOptions {
  db: Kysely<Schema>;
  /** Only its digests: others may share the database. All workspaces where left out. */
  workspaceId?: string;
  runLine: RunLine;
  explain: ExplainFailure;
  realNow: () => number;
  newId: () => string;
  logger: Logger;
  /** Renewed while the lines are asked. */
  leaseMs?: number;
  /** Digests under way at once. */
  concurrency?: number;
}

interface DigestReport {
  /** Written to the outbox. */
  sent: number;
  /** Nothing was new. */
  quiet: number;
  /** Too old to be caught up. */
  missed: number;
  /** Changed, or taken over by somebody else, meanwhile: nothing was stored. */
  lost: number;
  /** Can't be read, run or stored: tried again after a back-off. */
  failed: number;
}

export interface DigestRunner {
  /**
   * Runs every digest that is due at `now`, on the domain clock: its message goes to the outbox in the
   * transaction that moves its next run. A run is (digest, scheduled for), and is written once.
   */
  runDue(now: Date): Promise<DigestReport>;
}

type DigestRow = Selectable<Schema['digests']>;

/** A digest is due again later than `now`, so this ends long before; it bounds a clock gone mad. */
const maxRounds = 10_000;

const isRun = sql<SqlBool>`(status = 'active' or is_manual) and removed_at is null`;

export function createDigestRunner(options: DigestRunnerOptions): DigestRunner {
  const { db, realNow, newId, logger, leaseMs = defaultLeaseMs, concurrency = 4 } = options;
  const { workspaceId } = options;
  const isOurs = workspaceId === undefined ? isRun : sql<SqlBool>`${isRun} and workspace_id = ${workspaceId}`;

  return {
    async runDue(now) {
      const report: DigestReport = { sent: 0, quiet: 0, missed: 0, lost: 0, failed: 0 };
      for (let round = 0; round < maxRounds; round += 1) {
        const leaseToken = newId();
        const rows = await claimDue({
          db,
          table: 'digests',
          now,
          realNow: new Date(realNow()),
          limit: concurrency,
          leaseMs,
          leaseToken,
          where: isOurs,
        });
        const lease = { db, table: 'digests', leaseToken, realNow, logger, leaseMs } as const;
        const count = async (row: DigestRow) => {
          report[await tryOne(row, { now, leaseToken })] += 1;
        };
        await holdLease(lease, () => settleAll(rows.map(count)));
        if (rows.length === 0) break;
      }
      return report;
    },
  };

  /** One that fails rests for a while; the others go on. */
  async function tryOne(row: DigestRow, run: { now: Date; leaseToken: string }): Promise<keyof DigestReport> {
    try {
      return await runOne(row, run);
    } catch (error) {
      const attempts = row.attempts + 1;
      logger.error({ digest: row.id, attempts, err: error }, 'a digest could not be run');
      const { leaseToken } = run;
      await backOff(db, {
        table: 'digests',
        id: row.id,
        leaseToken,
        attempts,
        realNow: new Date(realNow()),
        leaseMs,
      });
      return 'failed';
    }
  }

  async function runOne(row: DigestRow, run: { now: Date; leaseToken: string }): Promise<keyof DigestReport> {
    const digest = readDigest(row);
    const memory = readMemory(row);
    const plan = planRun(digest, memory.missed, run.now);
    const { scheduledFor, nextRunAt } = plan;
    const input: RunInput = { digest, ...memory, ...plan, now: run.now };
    const result = scheduledFor
      ? await runDigest(row.is_manual ? asManual(input) : input, options)
      : undefined;
    const isSent = Boolean(result?.message);
    return db.transaction().execute(async (transaction) => {
      const moved = await transaction
        .updateTable('digests')
        .set({
          due_at: nextRunAt,
          baseline: asJson(result?.baseline ?? memory.baseline),
          // Reported in this message, or stored for the next.
          missed: asJson(isSent ? null : plan.missed),
          ...(scheduledFor && { last_run_at: scheduledFor }),
          is_manual: false,
          attempts: 0,
          lease_until: null,
          lease_token: null,
        })
        .where('id', '=', row.id)
        .where('lease_token', '=', run.leaseToken)
        .executeTakeFirst();
      if (moved.numUpdatedRows === 0n) return 'lost';
      if (!result || !scheduledFor) return 'missed';
      const id = row.is_manual ? `${digest.id}@now/${newId()}` : `${digest.id}@${scheduledFor.toISOString()}`;
      await write(transaction, result, { id, digest, now: run.now });
      return isSent ? 'sent' : 'quiet';
    });
  }

  /** A run that is written already, before a clock was set back, stays as it was. */
  async function write(
    transaction: Kysely<Schema>,
    result: RunResult,
    message: { id: string; digest: Digest; now: Date },
  ): Promise<void> {
    const rows = toMessages(result, { ...message, realNow: new Date(realNow()) });
    if (rows.length === 0) return;
    await transaction
      .insertInto('outbox')
      .values(rows)
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute();
  }
}

/** Sent even when nothing is new, and never late; one that is paused stays so. */
function asManual(input: RunInput): RunInput {
  const { digest, nextRunAt } = input;
  return {
    ...input,
    digest: { ...digest, onlyNews: false },
    scheduledFor: null,
    nextRunAt: digest.status === 'active' ? nextRunAt : null,
  };
}

const asJson = (value: object | null): string | null => (value ? JSON.stringify(value) : null);
