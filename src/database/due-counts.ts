import { type SqlBool, sql } from 'kysely';
import { acrossWorkspaces } from './across-workspaces.ts';
import type { DueRows } from './due.ts';
import type { AllWorkspaces } from './workspace-store.ts';

/** Due rows of one kind, of all workspaces for which work may be done. */
export interface DueCounts {
  due: number;
  late: number;
  /** Since when the oldest has been due; null if none is. */
  oldest: Date | null;
}

/** `now` is on the clock of the rows; those due for more than `lateMs` are late. Claimed rows count too. */
export async function readDueCounts(
  db: AllWorkspaces,
  {
    table,
    where = sql<SqlBool>`true`,
    now,
    lateMs,
  }: Pick<DueRows, 'table' | 'where'> & { now: Date; lateMs: number },
): Promise<DueCounts> {
  const late = new Date(now.getTime() - lateMs);
  const { rows } = await sql<{ due: number; late: number | null; due_at: Date | null }>`
    select count(*) as due, sum(case when due.due_at < ${late} then 1 else 0 end) as late, min(due.due_at) as due_at
    from workspaces
    join ${sql.table(table)} as due on due.workspace_id = workspaces.id and due.due_at <= ${now}
    left join installations on installations.id = installation_id
    where paused_at is null and uninstalled_at is null and revoked_at is null and ${where}
    ${acrossWorkspaces('metrics')}`.execute(db);
  const [found] = rows;
  return { due: found?.due ?? 0, late: found?.late ?? 0, oldest: found?.due_at ?? null };
}
