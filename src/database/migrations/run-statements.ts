import { type Kysely, sql } from 'kysely';

/** One by one: SQLite prepares one statement at a time. */
export async function runStatements(db: Kysely<unknown>, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
