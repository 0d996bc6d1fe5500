import { sql } from 'kysely';
import { connectDatabase, type Database } from '../../src/database/connect.ts';
import { maxLeaseMs } from '../../src/database/due.ts';
import { createTestDatabase } from './create-test-database.ts';
import { direct } from './statements/direct.ts';
import { createStoreLogger } from './store-logger.ts';

export interface TestStore {
  database: Database;
  /** Another connection pool to the same store, like another process; a SQLite store has only one. */
  another(): Promise<Database>;
  close(): Promise<void>;
}

/** Both engines, for `describe.each`. */
export const engines: { engine: 'sqlite' | 'postgres'; open: () => Promise<TestStore> }[] = [
  { engine: 'sqlite', open: openSqlite },
  { engine: 'postgres', open: openPostgres },
];

export async function openSqlite(): Promise<TestStore> {
  const database = await connectDatabase({ logger: createStoreLogger() });
  return { database, another: async () => database, close: () => database.close() };
}

export async function openPostgres(): Promise<TestStore> {
  const url = await createTestDatabase('migrated');
  const opened: Database[] = [];
  const connect = async () => {
    const database = await connectDatabase({ url, logger: createStoreLogger() });
    opened.push(database);
    return database;
  };
  return {
    database: await connect(),
    another: connect,
    async close() {
      await Promise.all(opened.map((database) => database.close()));
    },
  };
}

export const workspaceId = 'T1';
export const loginId = 'login-1';

/** One workspace with one account, whose login other tests may use. */
export async function seedWorkspace({ db }: Database): Promise<void> {
  const at = new Date('2026-11-01T00:00:00Z');
  await db.insertInto('workspaces').values({ id: workspaceId, name: 'Test', created_at: at }).execute();
  await db
    .insertInto('logins')
    .values({
      id: loginId,
      sealed_record: null,
      probability_scale: null,
      lease_until: null,
      lease_token: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const account = { workspace_id: workspaceId, login_id: loginId, address: 'sandbox', sealed_account: '' };
  await db
    .insertInto('accounts')
    .values({ ...account, updated_at: at, updated_by: 'U1' })
    .execute();
}

/**
 * Leases and back-offs end `ms` sooner, as if that time had passed on the database's clock. A negative time turns that
 * clock back.
 */
export async function passLeaseTime({ db }: Pick<Database, 'db'>, ms: number): Promise<void> {
  for (const table of ['subjects', 'digests', 'outbox', 'leases', 'installations', 'logins'] as const)
    await sql`update ${sql.table(table)} set lease_until = lease_until - ${ms}`.execute(direct(db));
}

/** Ends all leases and back-offs, as if their processes had died long ago. */
export const expireLeases = (database: Pick<Database, 'db'>): Promise<void> =>
  passLeaseTime(database, maxLeaseMs);

/** The clock of the leases, in Unix milliseconds. */
export async function databaseNow({ db }: Pick<Database, 'db'>): Promise<number> {
  const { rows } = await sql<{ ms: number }>`select now_ms() as ms`.execute(db);
  return rows[0]?.ms ?? Number.NaN;
}
