import type { Kysely } from 'kysely';
import type { Schema } from '../database/schema.ts';
import type { WorkspaceState } from './workspaces.ts';

/** A workspace as its operator sees it. Holds no secrets. */
export interface WorkspaceOverview {
  id: string;
  name: string;
  /** `name` is known only of an organisation that installed the app for all its workspaces. */
  organisation: { id: string; name: string | null } | null;
  installedAt: Date;
  /** When a person last asked anything, to the minute. */
  lastUsedAt: Date | null;
  watches: number;
  digests: number;
  /** Requests to the analytics service, up to a minute ago. */
  callsToday: number;
  /** `revoked`: Slack no longer accepts its token. */
  state: WorkspaceState | 'revoked';
  pausedAt: Date | null;
}

/** All workspaces, the oldest first. Needs no encryption key. `today`: a date in UTC, such as 2026-11-22. */
export async function readOverview(
  db: Kysely<Schema>,
  { today }: { today: string },
): Promise<WorkspaceOverview[]> {
  const rows = await db
    .selectFrom('workspaces')
    .leftJoin('installations', 'installations.id', 'workspaces.installation_id')
    .leftJoin('installations as organisation', 'organisation.id', 'workspaces.enterprise_id')
    .leftJoin('call_counts', (join) =>
      join.onRef('call_counts.workspace_id', '=', 'workspaces.id').on('call_counts.day', '=', today),
    )
    .select((select) => [
      'workspaces.id',
      'workspaces.name',
      'workspaces.enterprise_id',
      'workspaces.created_at',
      'workspaces.last_used_at',
      'workspaces.paused_at',
      'workspaces.uninstalled_at',
      'installations.installed_at',
      'installations.revoked_at',
      'organisation.name as organisation_name',
      'call_counts.calls',
      select
        .selectFrom('watches')
        .select((count) => count.fn.countAll<number>().as('count'))
        .whereRef('watches.workspace_id', '=', 'workspaces.id')
        .where('watches.status', '<>', 'ended')
        .as('watches'),
      select
        .selectFrom('digests')
        .select((count) => count.fn.countAll<number>().as('count'))
        .whereRef('digests.workspace_id', '=', 'workspaces.id')
        .where('digests.removed_at', 'is', null)
        .as('digests'),
    ])
    .orderBy('workspaces.created_at')
    .orderBy('workspaces.id')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    organisation: row.enterprise_id === null ? null : { id: row.enterprise_id, name: row.organisation_name },
    installedAt: row.installed_at ?? row.created_at,
    lastUsedAt: row.last_used_at,
    watches: row.watches ?? 0,
    digests: row.digests ?? 0,
    callsToday: row.calls ?? 0,
    state: stateOf(row),
    pausedAt: row.paused_at,
  }));
}

function stateOf(row: {
  uninstalled_at: Date | null;
  revoked_at: Date | null;
  paused_at: Date | null;
}): WorkspaceOverview['state'] {
  if (row.uninstalled_at) return 'being removed';
  if (row.revoked_at) return 'revoked';
  return row.paused_at ? 'paused' : 'active';
}
