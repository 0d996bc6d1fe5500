import { connectDatabase, type Database } from '../../src/database/connect.ts';
import { createTestDatabase } from './create-test-database.ts';
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
export const credentialId = 'account-1';

/** One workspace with one account, which all other tables refer to. */
export async function seedWorkspace({ db }: Database): Promise<void> {
  const at = new Date('2026-11-01T00:00:00Z');
  await db.insertInto('workspaces').values({ id: workspaceId, name: 'Test', created_at: at }).execute();
  await db
    .insertInto('credentials')
    .values({
      id: credentialId,
      workspace_id: workspaceId,
      base_url: 'http://127.0.0.1',
      sealed_account: '',
      probability_scale: null,
      daily_calls: null,
      updated_at: at,
    })
    .execute();
}

/** Ends all leases, as if their processes had died long ago. */
export async function expireLeases({ db }: Pick<Database, 'db'>): Promise<void> {
  for (const table of ['subjects', 'digests', 'outbox', 'leases'] as const) {
    // Any of these tables: they all have this column.
    const update = db.updateTable(table as 'leases').set({ lease_until: new Date(0) });
    await update.where('lease_until', 'is not', null).execute();
  }
}
