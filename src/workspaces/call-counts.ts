import { addDays } from 'date-fns/addDays';
import { type SqlBool, sql } from 'kysely';
import { z } from 'zod';
import type { CallCause } from '../analytics/answers.ts';
import { deleteInBatches, inChunks, valuesList } from '../database/batches.ts';
import type { AllWorkspaces, WorkspaceStore } from '../database/workspace-store.ts';
import { ownLines, UserError } from '../errors.ts';
import { createFairQueue } from '../fair-queue.ts';
import type { CallLimits } from './settings.ts';

/** `other`: no cause was named; or a newer version has written a kind that this one doesn't know. */
const storedKind = z.enum(['command', 'digest', 'watch', 'other']).catch('other');

export type CallKind = z.infer<typeof storedKind>;

/** What requests were sent for. */
interface CountedCause {
  kind: CallKind;
  /** The name of a command, the id of a digest, or the subject that was polled; empty for others. */
  key: string;
  /** Null outside of channels. For a poll, the channels whose watches followed the subject: `C1,C2`. */
  channelId: string | null;
}

/** Requests of one day (UTC, domain clock), such as 2026-11-22, for one cause. */
interface CallCount extends CountedCause {
  day: string;
  calls: number;
}

/** The requests of a workspace in one month, retries included. */
export interface CallsOfMonth {
  /** By day and kind, in the order of the days. */
  days: readonly Pick<CallCount, 'day' | 'kind' | 'calls'>[];
  /** The most frequent first. */
  causes: readonly Omit<CallCount, 'day'>[];
}

export type CallCounts = ReturnType<typeof createCallCounts>;

function countedCause(cause: CallCause | undefined): CountedCause {
  switch (cause?.kind) {
    case 'command':
      return { kind: cause.kind, key: cause.name, channelId: cause.channelId };
    case 'digest':
      return { kind: cause.kind, key: cause.id, channelId: cause.channelId };
    case 'watch':
      return { kind: cause.kind, key: cause.subject, channelId: cause.channelIds.join(',') || null };
    case undefined:
      return { kind: 'other', key: '', channelId: null };
  }
}

/** Reads what has been counted for one workspace. `save` writes what this process has not written yet. */
export function createCallCounts({ store, save }: { store: WorkspaceStore; save: () => Promise<void> }) {
  const rows = store.selectFrom('call_counts');
  /** From the day `from` to the day before `before`. */
  async function ofDays(from: string, before: string): Promise<CallsOfMonth['days']> {
    const query = rows.select(['day', 'kind', 'calls']).where('day', '>=', from).where('day', '<', before);
    return (await query.orderBy('day').orderBy('kind').execute()).map(readKind);
  }
  return {
    /** `month`: such as 2026-11. Other processes may have counted more in the last minute. */
    async ofMonth(month: string): Promise<CallsOfMonth> {
      await save();
      const causes = await store
        .selectFrom('call_details')
        .select(['kind', 'key', 'channel_id', 'calls'])
        .where('month', '=', month)
        .orderBy('calls', 'desc')
        .orderBy('kind')
        .orderBy('key')
        .orderBy('channel_id')
        .execute();
      return {
        // No day is later than the 31st.
        days: await ofDays(`${month}-01`, `${month}-32`),
        causes: causes.map(({ channel_id, ...row }) => ({
          ...readKind(row),
          channelId: channel_id === '' ? null : channel_id,
        })),
      };
    },
    ofDays,
    /** The same, with the requests of the last minute of this process. */
    async ofPeriod(from: string, before: string): Promise<CallsOfMonth['days']> {
      await save();
      return await ofDays(from, before);
    },
    /** The first day with a request; undefined if there is none. */
    async since(): Promise<string | undefined> {
      const { day } = await rows.select(({ fn }) => fn.min('day').as('day')).executeTakeFirstOrThrow();
      return day ?? undefined;
    },
  };
}

const readKind = <Row extends { kind: string }>(row: Row): Row & { kind: CallKind } => ({
  ...row,
  kind: storedKind.parse(row.kind),
});

type CountOf = CallCount & { workspaceId: string };

/** In a transaction that has locked the workspaces, so that two processes write the rows in any order. */
export async function addCalls(transaction: AllWorkspaces, counts: readonly CountOf[]): Promise<void> {
  const perDay = sumBy(counts, ({ workspaceId, day, kind }) => ({ workspace_id: workspaceId, day, kind }));
  for (const chunk of inChunks(perDay))
    await transaction
      .insertInto('call_counts')
      .values(chunk)
      .onConflict((conflict) =>
        conflict
          .columns(['workspace_id', 'day', 'kind'])
          .doUpdateSet({ calls: sql<number>`call_counts.calls + excluded.calls` }),
      )
      .execute();
  const perMonth = sumBy(counts, ({ workspaceId, day, kind, key, channelId }) => ({
    ...{ workspace_id: workspaceId, month: day.slice(0, 7), kind, key, channel_id: channelId ?? '' },
  }));
  for (const chunk of inChunks(perMonth))
    await transaction
      .insertInto('call_details')
      .values(chunk)
      .onConflict((conflict) =>
        conflict
          .columns(['workspace_id', 'month', 'kind', 'key', 'channel_id'])
          .doUpdateSet({ calls: sql<number>`call_details.calls + excluded.calls` }),
      )
      .execute();
}

/** One statement must not change a row twice, so there is one row for each key. */
function sumBy<Key extends object>(counts: readonly CountOf[], keyOf: (count: CountOf) => Key) {
  const sums = new Map<string, Key & { calls: number }>();
  for (const count of counts) {
    const key = keyOf(count);
    const text = JSON.stringify(key);
    sums.set(text, { ...key, calls: (sums.get(text)?.calls ?? 0) + count.calls });
  }
  return [...sums.values()];
}

/** Deletes the counts of the days, and of the months, that ended before then. */
export async function forgetCallCounts(
  db: AllWorkspaces,
  before: Date,
  mayGoOn?: () => boolean,
): Promise<void> {
  const day = dayOf(before.getTime());
  const ofDays = sql<SqlBool>`day < ${day}`;
  await deleteInBatches(db, { work: 'retention', table: 'call_counts', where: ofDays, mayGoOn });
  const ofMonths = sql<SqlBool>`month < ${day.slice(0, 7)}`;
  await deleteInBatches(db, { work: 'retention', table: 'call_details', where: ofMonths, mayGoOn });
}

/** A date such as 2026-11-22, in UTC. */
export const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/**
 * Throws UserError for a call of a digest or an assistant once the workspace has sent as many today (UTC) as its budget
 * has. Watches keep to it by polling less often, and people are always answered.
 */
export function createCallBudget(options: {
  limit: Pick<CallLimits, 'today'>;
  calls: Pick<CallCounts, 'ofDays'>;
  /** How many of today are not in `calls` yet. */
  unsavedCalls: () => number;
  /** The domain clock. */
  now: () => Date;
}) {
  const { limit, calls, unsavedCalls, now } = options;

  async function sentToday(): Promise<number> {
    const [today, tomorrow] = [now(), addDays(now(), 1)].map((day) => dayOf(day.getTime()));
    if (!today || !tomorrow) return 0;
    const saved = await calls.ofDays(today, tomorrow);
    return saved.reduce((sum, count) => sum + count.calls, unsavedCalls());
  }

  return async (cause: CallCause | undefined): Promise<void> => {
    const today = isAutomatic(cause) ? await limit.today() : undefined;
    if (!today || (await sentToday()) < today.dailyCalls) return;
    const { dailyCalls, isOperators } = today;
    const budget = `${dailyCalls.toLocaleString('en')} ${dailyCalls === 1 ? 'call' : 'calls'}`;
    const change = isOperators
      ? 'Whoever runs Landfall can raise the budget (`ANALYTICS_DAILY_CALLS`).'
      : `A workspace admin can change the limit: /${ownLines.limit}.`;
    throw new UserError({
      code: 'over-budget',
      message: `This workspace has used up today's budget of ${budget} to the analytics service.`,
      hint: `Digests and assistants get answers again from 00:00 UTC; people who ask in Slack always do. ${change}`,
    });
  };
}

const isAutomatic = (cause: CallCause | undefined): boolean =>
  cause?.kind === 'digest' || (cause?.kind === 'command' && cause.byAssistant === true);

export type Activity = ReturnType<typeof createActivity>;

interface Unsaved {
  /** Requests to the analytics service, by day and cause. */
  calls: Map<string, CallCount>;
  /** On the real clock. */
  usedAt: number | undefined;
}

/**
 * What happens in the workspaces: requests to the analytics service per day (UTC) and cause, and when a person last asked
 * anything. Counted in memory until `save`: a process that is killed loses what it has not saved.
 */
export function createActivity({
  db,
  now,
  realNow,
}: {
  db: AllWorkspaces;
  /** The domain clock: the months are those of the service. */
  now: () => Date;
  realNow: () => number;
}) {
  const unsaved = new Map<string, Unsaved>();
  const saves = createFairQueue({ max: () => 1 });

  function of(workspaceId: string): Unsaved {
    const entry = unsaved.get(workspaceId) ?? { calls: new Map(), usedAt: undefined };
    unsaved.set(workspaceId, entry);
    return entry;
  }

  /** More may have happened while it was being saved. */
  function subtract({ workspaceId, calls, usedAt }: Saved): void {
    const entry = of(workspaceId);
    for (const [key, saved] of calls) {
      const left = (entry.calls.get(key)?.calls ?? 0) - saved.calls;
      if (left > 0) entry.calls.set(key, { ...saved, calls: left });
      else entry.calls.delete(key);
    }
    if (entry.usedAt === usedAt) entry.usedAt = undefined;
    if (entry.calls.size === 0 && entry.usedAt === undefined) unsaved.delete(workspaceId);
  }

  async function saveAll(): Promise<void> {
    const entries = [...unsaved].map(([workspaceId, { calls, usedAt }]) => ({
      workspaceId,
      calls: [...calls],
      usedAt,
    }));
    for (const chunk of inChunks(entries)) {
      await saveChunk(db, chunk);
      for (const saved of chunk) subtract(saved);
    }
  }

  return {
    countCall(workspaceId: string, cause: CallCause | undefined): void {
      const { calls } = of(workspaceId);
      const counted = countedCause(cause);
      const day = dayOf(now().getTime());
      const key = `${day} ${counted.kind} ${counted.channelId} ${counted.key}`;
      calls.set(key, { ...counted, day, calls: (calls.get(key)?.calls ?? 0) + 1 });
    },
    /** The requests of today that are not written yet. */
    unsavedToday(workspaceId: string): number {
      const today = dayOf(now().getTime());
      const calls = unsaved.get(workspaceId)?.calls.values() ?? [];
      return [...calls].reduce((sum, count) => (count.day === today ? sum + count.calls : sum), 0);
    },
    recordUse(workspaceId: string): void {
      of(workspaceId).usedAt = realNow();
    },
    /**
     * Writes what is new since the last time, one caller after the other. What can't be written stays for the next time.
     */
    save: (): Promise<void> => saves.run(saveAll),
  };
}

interface Saved {
  workspaceId: string;
  calls: [key: string, CallCount][];
  usedAt: number | undefined;
}

async function saveChunk(db: AllWorkspaces, entries: readonly Saved[]): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    // Leaves out workspaces that have been uninstalled, and locks the others in one order in all processes.
    const found = await transaction
      .selectFrom('workspaces')
      .select('id')
      .where(
        'id',
        'in',
        entries.map(({ workspaceId }) => workspaceId),
      )
      .where('uninstalled_at', 'is', null)
      .orderBy('id')
      .forNoKeyUpdate()
      .execute();
    const installed = new Set(found.map(({ id }) => id));
    const stored = entries.filter(({ workspaceId }) => installed.has(workspaceId));
    await addCalls(
      transaction,
      stored.flatMap(({ workspaceId, calls }) => calls.map(([, count]) => ({ ...count, workspaceId }))),
    );
    const uses = stored.flatMap(({ workspaceId, usedAt }) => (usedAt ? [[workspaceId, usedAt]] : []));
    if (uses.length === 0) return;
    await sql`
      update workspaces set last_used_at = greatest(last_used_at, column2)
      from (${valuesList(uses, ['text', 'bigint'])}) as used where id = column1`.execute(transaction);
  });
}
