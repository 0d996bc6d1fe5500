import type { WorkspaceStore } from '../database/workspace-store.ts';
import { type AuditedTransaction, type Change, lockWorkspace } from './audit.ts';

/** While it lasts, Landfall polls nothing, posts no digest and reminds nobody; people who ask are answered. */
export interface WorkPause {
  /** The admin. */
  by: string;
  /** A time of the domain clock, as `until`. */
  since: Date;
  /** Null: until an admin resumes the work. */
  until: Date | null;
}

export type WorkPauses = ReturnType<typeof createWorkPauses>;

/** What admins of one workspace have paused. The pause of the operator is another, see workspaces.ts. */
export function createWorkPauses(options: {
  store: WorkspaceStore;
  audited: AuditedTransaction;
  newId: () => string;
}) {
  const { store, audited, newId } = options;

  const entry = ({ actorId, now: at }: Change, action: string) => ({
    ...{ id: newId(), at, actorId, action },
    subject: 'all watches and digests',
  });

  return {
    /** The pause that goes on at this time; undefined if there is none. */
    async at(now: Date): Promise<WorkPause | undefined> {
      const pause = await readPause(store);
      return pause && isOver(pause, now) ? undefined : pause;
    },
    /** Begins a pause, or changes when one ends, with `work` in the same transaction. Returns it. */
    begin: (
      { until, ...change }: Change & { until: Date | null },
      work: (transaction: WorkspaceStore) => Promise<void>,
    ): Promise<WorkPause> =>
      audited(async (transaction, record) => {
        await lockWorkspace(transaction);
        const former = await readPause(transaction);
        const before = former && !isOver(former, change.now) ? former : undefined;
        if (before && before.until?.getTime() === until?.getTime()) return before;
        const pause = { by: change.actorId, since: before?.since ?? change.now, until };
        await transaction
          .updateTable('workspaces')
          .set({ work_paused_at: pause.since, work_paused_until: until, work_paused_by: pause.by })
          .execute();
        await work(transaction);
        await record({
          ...entry(change, 'workspace.pause'),
          ...(before && { before: { until: before.until } }),
          after: { until },
        });
        return pause;
      }),
    /** Ends it, with `work` in the same transaction. Undefined if there was none, or it isn't over and `onlyIfOver` is set. */
    end: (
      change: Change & { onlyIfOver?: boolean },
      work: (transaction: WorkspaceStore) => Promise<void>,
    ): Promise<WorkPause | undefined> =>
      audited(async (transaction, record) => {
        const { onlyIfOver = false, ...by } = change;
        await lockWorkspace(transaction);
        const pause = await readPause(transaction);
        if (!pause || (onlyIfOver && !isOver(pause, by.now))) return undefined;
        const none = { work_paused_at: null, work_paused_until: null, work_paused_by: null };
        await transaction.updateTable('workspaces').set(none).execute();
        await work(transaction);
        await record(entry(by, 'workspace.resume'));
        return pause;
      }),
    /** Whether one was to end before this time, and hasn't been ended yet. */
    async isOver(now: Date): Promise<boolean> {
      const pause = await readPause(store);
      return pause !== undefined && isOver(pause, now);
    },
  };
}

const isOver = ({ until }: WorkPause, now: Date): boolean => until !== null && until <= now;

async function readPause(store: WorkspaceStore): Promise<WorkPause | undefined> {
  const row = await store
    .selectFrom('workspaces')
    .select(['work_paused_at', 'work_paused_until', 'work_paused_by'])
    .executeTakeFirst();
  if (!row?.work_paused_at) return undefined;
  return { by: row.work_paused_by ?? '', since: row.work_paused_at, until: row.work_paused_until };
}
