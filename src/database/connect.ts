import { Kysely } from 'kysely';
import { messageOf, StoreError } from '../errors.ts';
import type { Logger } from '../log.ts';
import { type Measure, measureNothing } from '../measure.ts';
import { type Engine, storeDialect } from './dialect.ts';
import { clearLeases } from './due.ts';
import { lockDirectory } from './lock-file.ts';
import { migrate } from './migrate.ts';
import { type PoolOptions, postgresDialect, postgresEngine, postgresLimits } from './postgres.ts';
import type { Schema } from './schema.ts';
import { exists } from './secrets.ts';
import { createSqliteDb, openSqlite, sqliteDialect, sqliteEngine, storePath } from './sqlite.ts';
import type { AllWorkspaces } from './workspace-store.ts';

export interface Database {
  db: AllWorkspaces;
  engine: Engine;
  close(): Promise<void>;
}

export interface StoreLocation {
  /** A PostgreSQL connection string. If it is given, `dataDir` is not used. */
  url?: string | undefined;
  /** The directory of the SQLite file. If undefined, the store is in memory. */
  dataDir?: string | undefined;
  logger: Logger;
  measure?: Measure | undefined;
}

/**
 * Opens the store for a bot. Throws StoreError if another process uses the directory, if the database belongs to
 * another version of this code, or if it can't be reached.
 */
export async function connectDatabase({
  migrateTo = 'latest',
  ...location
}: StoreLocation & {
  /** `none` is for restoring: then no statement has a time limit either. */
  migrateTo?: 'latest' | 'none';
}): Promise<Database> {
  const { url, dataDir, logger, measure } = location;
  if (url === undefined) {
    const database = await openAlone(dataDir, measure);
    return migrateTo === 'none' ? database : await closedOnError(database, prepareFile);
  }
  const unlimited = openPostgres(url, logger, { isUnlimited: true });
  if (migrateTo === 'none') return unlimited;
  await closedOnError(unlimited, migrate);
  await unlimited.close();
  return openPostgres(url, logger, { measure });
}

async function prepareFile(database: Database): Promise<void> {
  await migrate(database);
  // Nobody else uses the file, so a lease in it is of a process that has ended.
  await clearLeases(database.db);
}

async function closedOnError(
  database: Database,
  work: (database: Database) => Promise<void>,
): Promise<Database> {
  try {
    await work(database);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/**
 * A connection for tools, also while the bot runs; it migrates nothing. The transactions of a read-only one hold up
 * nobody; on SQLite they are snapshots. Throws StoreError if there is no store.
 */
export async function connectTool(
  { url, dataDir, logger }: StoreLocation,
  { isReadOnly = false } = {},
): Promise<Database> {
  if (url !== undefined) return openPostgres(url, logger, { isUnlimited: isReadOnly });
  if (dataDir === undefined) throw new StoreError('Only its own process can use a store in memory');
  if (!(await exists(storePath(dataDir)))) throw new StoreError(`There is no store in ${dataDir}`);
  return openFile(dataDir, { isReadOnly });
}

/** Locks the directory until `close`. */
async function openAlone(dataDir: string | undefined, measure: Measure | undefined): Promise<Database> {
  if (dataDir === undefined) return openFile(undefined, { measure });
  const lock = lockDirectory(dataDir);
  try {
    const database = openFile(dataDir, { measure });
    return {
      ...database,
      async close() {
        await database.close();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

interface OpenOptions {
  isReadOnly?: boolean;
  measure?: Measure | undefined;
}

function openFile(dataDir: string | undefined, { measure, ...options }: OpenOptions): Database {
  try {
    const db = createSqliteDb(sqliteDialect(openSqlite(dataDir, options), options), measure);
    return { db, engine: sqliteEngine, close: () => db.destroy() };
  } catch (cause) {
    throw new StoreError(`The store in ${dataDir ?? 'memory'} could not be opened: ${messageOf(cause)}`, {
      cause,
    });
  }
}

function openPostgres(
  url: string,
  logger: Logger,
  { measure = measureNothing, ...limits }: PoolOptions & { measure?: Measure | undefined } = {},
): Database {
  const dialect = postgresDialect(url, logger, limits);
  const db = new Kysely<Schema>({ dialect: storeDialect(dialect, { ...postgresLimits, measure }) });
  return { db, engine: postgresEngine, close: () => db.destroy() };
}
