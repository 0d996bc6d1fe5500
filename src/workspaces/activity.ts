import { sql } from 'kysely';
import type { CallCause } from '../analytics/answers.ts';
import { inChunks, valuesList } from '../database/batches.ts';
import type { AllWorkspaces } from '../database/workspace-store.ts';
import { createFairQueue } from '../fair-queue.ts';
import { addCalls, type CallCount, countedCause, dayOf } from './call-counts.ts';

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
