import type { WorkspaceStore } from '../database/workspace-store.ts';
import { type AuditedTransaction, type Change, lockWorkspace } from './audit.ts';

/** While it lasts, Landfall polls nothing, posts no digest and reminds nobody; people who ask are answered. */
export interface WorkPause {
  /** The admin. */
  by: string;
  /** A time of the domain clock, as `until`. A pause that is planned begins in the future. */
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

  /** The one that goes on, or is planned. */
  async function next(now: Date): Promise<WorkPause | undefined> {
    const pause = await readPause(store);
    return pause && isOver(pause, now) ? undefined : pause;
  }

  return {
    /** The pause that goes on at this time; undefined if there is none. */
    async at(now: Date): Promise<WorkPause | undefined> {
      const pause = await next(now);
      return pause && hasBegun(pause, now) ? pause : undefined;
    },
    next,
    /**
     * Begins a pause, now or at `from`, or changes the one that there is, with `work` in the same transaction. One that goes
     * on keeps its beginning. Returns it.
     */
    begin: (
      { from, until, ...change }: Change & { from?: Date | undefined; until: Date | null },
      work: (transaction: WorkspaceStore) => Promise<void>,
    ): Promise<WorkPause> =>
      audited(async (transaction, record) => {
        await lockWorkspace(transaction);
        const former = await readPause(transaction);
        const before = former && !isOver(former, change.now) ? former : undefined;
        const since = before && hasBegun(before, change.now) ? before.since : (from ?? change.now);
        if (before && isSamePause(before, { since, until })) return before;
        const pause = { by: change.actorId, since, until };
        await transaction
          .updateTable('workspaces')
          .set({ work_paused_at: pause.since, work_paused_until: until, work_paused_by: pause.by })
          .execute();
        await work(transaction);
        await record({
          ...entry(change, 'workspace.pause'),
          ...(before && { before: timesOf(before, change.now) }),
          after: timesOf(pause, change.now),
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
        if (hasBegun(pause, by.now)) await work(transaction);
        await record(entry(by, hasBegun(pause, by.now) ? 'workspace.resume' : 'workspace.cancel-pause'));
        return pause;
      }),
    /** Whether one was to end before this time, and hasn't been ended yet. */
    async isOver(now: Date): Promise<boolean> {
      const pause = await readPause(store);
      return pause !== undefined && isOver(pause, now);
    },
  };
}

export const hasBegun = ({ since }: Pick<WorkPause, 'since'>, now: Date): boolean => since <= now;

type Times = Pick<WorkPause, 'since' | 'until'>;

export const isSamePause = (one: Times, other: Times): boolean =>
  one.since.getTime() === other.since.getTime() && one.until?.getTime() === other.until?.getTime();

const timesOf = ({ since, until }: Times, now: Date) => ({
  ...(!hasBegun({ since }, now) && { from: since }),
  until,
});

const isOver = ({ until }: WorkPause, now: Date): boolean => until !== null && until <= now;

async function readPause(store: WorkspaceStore): Promise<WorkPause | undefined> {
  const row = await store
    .selectFrom('workspaces')
    .select(['work_paused_at', 'work_paused_until', 'work_paused_by'])
    .executeTakeFirst();
  if (!row?.work_paused_at) return undefined;
  return { by: row.work_paused_by ?? '', since: row.work_paused_at, until: row.work_paused_until };
}
