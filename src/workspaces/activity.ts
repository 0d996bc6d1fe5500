import { type Kysely, type SqlBool, sql } from 'kysely';
import { deleteInBatches } from '../database/delete-in-batches.ts';
import { inChunks } from '../database/in-chunks.ts';
import type { Schema } from '../database/schema.ts';
import { valuesList } from '../database/values-list.ts';

export type Activity = ReturnType<typeof createActivity>;

interface Unsaved {
  /** Requests to the analytics service, by day. */
  calls: Map<string, number>;
  /** On the real clock. */
  usedAt: number | undefined;
}

/**
 * What the operator sees of the workspaces' activity: requests to the analytics service per day (UTC), and when a person
 * last asked anything. Counted in memory until `save`: a process that is killed loses what it has not saved.
 */
export function createActivity({ db, realNow }: { db: Kysely<Schema>; realNow: () => number }) {
  const unsaved = new Map<string, Unsaved>();

  function of(workspaceId: string): Unsaved {
    const entry = unsaved.get(workspaceId) ?? { calls: new Map(), usedAt: undefined };
    unsaved.set(workspaceId, entry);
    return entry;
  }

  /** More may have happened while it was being saved. */
  function subtract({ workspaceId, calls, usedAt }: Saved): void {
    const entry = of(workspaceId);
    for (const [day, saved] of calls) {
      const left = (entry.calls.get(day) ?? 0) - saved;
      if (left > 0) entry.calls.set(day, left);
      else entry.calls.delete(day);
    }
    if (entry.usedAt === usedAt) entry.usedAt = undefined;
    if (entry.calls.size === 0 && entry.usedAt === undefined) unsaved.delete(workspaceId);
  }

  return {
    countCall(workspaceId: string): void {
      const { calls } = of(workspaceId);
      const day = dayOf(realNow());
      calls.set(day, (calls.get(day) ?? 0) + 1);
    },
    recordUse(workspaceId: string): void {
      of(workspaceId).usedAt = realNow();
    },
    /** Writes what is new since the last time. What can't be written stays for the next time. */
    async save(): Promise<void> {
      const entries = [...unsaved].map(([workspaceId, { calls, usedAt }]) => ({
        workspaceId,
        calls: [...calls],
        usedAt,
      }));
      for (const chunk of inChunks(entries)) {
        await saveChunk(db, chunk);
        for (const saved of chunk) subtract(saved);
      }
    },
  };
}

interface Saved {
  workspaceId: string;
  calls: [day: string, calls: number][];
  usedAt: number | undefined;
}

async function saveChunk(db: Kysely<Schema>, entries: readonly Saved[]): Promise<void> {
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
    const counts = stored.flatMap(({ workspaceId: workspace_id, calls: ofDays }) =>
      ofDays.map(([day, calls]) => ({ workspace_id, day, calls })),
    );
    for (const chunk of inChunks(counts)) {
      await transaction
        .insertInto('call_counts')
        .values(chunk)
        .onConflict((conflict) =>
          conflict
            .columns(['workspace_id', 'day'])
            .doUpdateSet({ calls: sql<number>`call_counts.calls + excluded.calls` }),
        )
        .execute();
    }
    const uses = stored.flatMap(({ workspaceId, usedAt }) => (usedAt ? [[workspaceId, usedAt]] : []));
    if (uses.length === 0) return;
    await sql`
      update workspaces set last_used_at = greatest(last_used_at, column2)
      from (${valuesList(uses, ['text', 'bigint'])}) as used where id = column1`.execute(transaction);
  });
}

/** A date such as 2026-11-22, in UTC. */
export const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

export async function forgetCallCounts(
  db: Kysely<Schema>,
  before: Date,
  mayGoOn?: () => boolean,
): Promise<void> {
  const where = sql<SqlBool>`day < ${dayOf(before.getTime())}`;
  await deleteInBatches(db, { work: 'retention', table: 'call_counts', where, mayGoOn });
}
