import { type Schema, type TableName, tableNames } from '../../../src/database/schema.ts';

type OfNoWorkspace = {
  [Table in TableName]: 'workspace_id' extends keyof Schema[Table] ? never : Table;
}[TableName];

/** The type demands every table without `workspace_id`. */
const ofNoWorkspace: Record<OfNoWorkspace, true> = {
  installations: true,
  logins: true,
  used_install_states: true,
  workspaces: true,
};

/** The tables whose rows belong to a workspace. */
export const tables: ReadonlySet<string> = new Set(tableNames.filter((table) => !(table in ofNoWorkspace)));

/** Why a statement may be about all workspaces, see workspace-store.ts. A further name needs a good reason. */
export const across = [
  'metrics',
  'retention',
  'uninstall',
  'leases',
  'seals',
  'backup',
  'restore',
  'migrations',
  'due workspaces',
  'overview',
  'logins',
  // Whose token it is shows only when it is found.
  'assistant tokens',
] as const;
