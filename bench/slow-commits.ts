import type { DatabaseSync } from 'node:sqlite';
import type { DatabaseConnection, Kysely } from 'kysely';
import type { Schema } from '../src/database/schema.ts';
import { createSqliteDb, openSqlite, sqliteDialect } from '../src/database/sqlite.ts';

/** The SQLite store in `dataDir` on a slower disk: each commit holds the thread for `commitMs` more. */
export function openWithSlowCommits(dataDir: string, commitMs: number): Kysely<Schema> {
  const database = openSqlite(dataDir);
  const dialect = sqliteDialect(database);
  const createDriver = dialect.createDriver.bind(dialect);
  dialect.createDriver = () => {
    const driver = createDriver();
    const acquire = driver.acquireConnection.bind(driver);
    const slowed = new WeakSet<DatabaseConnection>();
    driver.acquireConnection = async (options) => {
      const connection = await acquire(options);
      if (!slowed.has(connection)) slowDown(connection, { database, commitMs });
      slowed.add(connection);
      return connection;
    };
    return driver;
  };
  return createSqliteDb(dialect);
}

function slowDown(
  connection: DatabaseConnection,
  { database, commitMs }: { database: DatabaseSync; commitMs: number },
): void {
  const execute = connection.executeQuery.bind(connection);
  const clock = new Int32Array(new SharedArrayBuffer(4));
  connection.executeQuery = async (...args) => {
    const result = await execute<never>(...args);
    // Outside a transaction, each statement that writes is a commit.
    const isCommit = !database.isTransaction && !args[0].sql.startsWith('select');
    if (isCommit) Atomics.wait(clock, 0, 0, commitMs);
    return result;
  };
}
