import { sql } from 'kysely';
import { acrossWorkspaces } from '../database/across-workspaces.ts';
import type { AllWorkspaces } from '../database/workspace-store.ts';

/** Those of messages that were not sent. */
export const unsentStates = ['pending', 'sending', 'held', 'failed'] as const;

export interface UnsentMessages {
  state: string;
  count: number;
  /** When the oldest was written, on the domain clock. */
  oldest: Date;
}

/**
 * The messages of all workspaces that were not sent, by their state; a state without any is left out. What waits in a
 * workspace for which no work may be done counts as held.
 */
export async function readUnsentMessages(db: AllWorkspaces): Promise<UnsentMessages[]> {
  const { rows } = await sql<{ state: string; count: number; created_at: Date }>`
    select
      case
        when status <> 'failed'
          and (paused_at is not null or uninstalled_at is not null or revoked_at is not null) then 'held'
        else status
      end as state,
      count(*) as count, min(outbox.created_at) as created_at
    from outbox
    join workspaces on workspaces.id = outbox.workspace_id
    left join installations on installations.id = installation_id
    where status <> 'sent' group by 1 ${acrossWorkspaces('metrics')}`.execute(db);
  return rows.map(({ state, count, created_at: oldest }) => ({ state, count, oldest }));
}
