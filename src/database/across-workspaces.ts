import { type RawBuilder, sql } from 'kysely';

/** The work that is not for one workspace. A test refuses every other statement that names none. */
export type AcrossWorkspaces =
  | 'retention'
  | 'uninstall'
  | 'leases'
  | 'seals'
  | 'backup'
  | 'restore'
  | 'migrations'
  | 'due workspaces'
  | 'overview'
  | 'metrics'
  | 'logins'
  | 'assistant tokens';

/** A comment that names this work. Put it at the front of a select, or the end of another statement, that names no workspace. */
export const acrossWorkspaces = (work: AcrossWorkspaces): RawBuilder<unknown> =>
  sql.raw(`/* across workspaces: ${work} */`);
