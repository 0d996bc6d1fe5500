import { type Kysely, sql } from 'kysely';

/** One by one: SQLite prepares one statement at a time. */
export async function runStatements(db: Kysely<unknown>, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

/** Columns that several tables have. */
export const workspaceId = 'workspace_id text not null references workspaces on delete cascade';
export const lease = 'lease_until bigint, lease_token text';
export const due = `due_at bigint not null, ${lease}, attempts integer not null default 0`;
