import { createRollbackCheck, type DueRows, dueWorkspaces } from '../database/due.ts';
import { dueRows } from '../features/index.ts';
import { dueMessages } from '../outbox/outbox.ts';
import type { Store } from './store.ts';
import type { DueWork } from './turns.ts';

/** The latest time that a Date can hold. */
const endOfTime = new Date(8.64e15);

/** By the name of the job: the work of the features, then the messages that it writes. */
export const rowsByJob: Record<string, DueRows> = { ...dueRows, messages: dueMessages };

/** The kinds of work that workspaces have. */
export const createDueWork = ({ db }: Pick<Store, 'db'>, realNow: () => number): DueWork[] =>
  Object.entries(rowsByJob).map(([name, rows]) => {
    const hasRolledBack = createRollbackCheck();
    return {
      name,
      async findDue(domainNow) {
        const now = rows.clock === 'real' ? new Date(realNow()) : domainNow;
        // Then each job looks whether its work is planned too late.
        return dueWorkspaces(db, { ...rows, now: hasRolledBack(now) ? endOfTime : now });
      },
    };
  });
