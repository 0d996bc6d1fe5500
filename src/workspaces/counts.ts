import { sql } from 'kysely';
import { acrossWorkspaces } from '../database/across-workspaces.ts';
import type { AllWorkspaces } from '../database/workspace-store.ts';
import { dayOf } from './call-counts.ts';

export interface WorkspaceCounts {
  /** Workspaces that have the app installed. */
  installed: number;
  /** Undefined without a budget. */
  budget?: {
    /** Requests that may still be sent today, the sum over all workspaces. */
    callsLeft: number;
    /** Workspaces that have none left. */
    exhausted: number;
  };
}

/** `now` is on the domain clock. The requests are those up to a minute ago. */
export async function readWorkspaceCounts(
  db: AllWorkspaces,
  { now, dailyCalls }: { now: Date; dailyCalls: number | undefined },
): Promise<WorkspaceCounts> {
  const { rows } = await sql<{ used: number }>`
    select coalesce(sum(call_counts.calls), 0) as used from workspaces
    left join installations on installations.id = installation_id
    left join call_counts on call_counts.workspace_id = workspaces.id and call_counts.day = ${dayOf(now.getTime())}
    where uninstalled_at is null and revoked_at is null
    group by workspaces.id ${acrossWorkspaces('metrics')}`.execute(db);
  const installed = rows.length;
  if (dailyCalls === undefined) return { installed };
  const left = rows.map(({ used }) => Math.max(0, dailyCalls - used));
  const callsLeft = left.reduce((sum, calls) => sum + calls, 0);
  return { installed, budget: { callsLeft, exhausted: left.filter((calls) => calls === 0).length } };
}
