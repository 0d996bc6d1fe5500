/** Columns that several tables have. */
export const workspaceId = 'workspace_id text not null references workspaces on delete cascade';
export const lease = 'lease_until bigint, lease_token text';
export const due = `due_at bigint not null, ${lease}, attempts integer not null default 0`;
