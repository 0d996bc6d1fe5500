import { type Kysely, sql } from 'kysely';

/** One by one: PGlite takes one statement per query. */
export async function runStatements(db: Kysely<unknown>, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
