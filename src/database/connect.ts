import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Kysely, PGliteDialect, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Logger } from '../log.ts';
import { exists } from './encryption-keys.ts';
import { lockDirectory } from './lock-directory.ts';
import { migrate } from './migrate.ts';
import type { Schema } from './schema.ts';
import { StoreError } from './store-error.ts';
import { throwingStoreUnavailable } from './store-unavailable.ts';

export interface Database {
  db: Kysely<Schema>;
  engine: 'embedded' | 'postgres';
  close(): Promise<void>;
}

interface ConnectOptions {
  /** A PostgreSQL connection string. If it is given, `dataDir` is not used. */
  url?: string | undefined;
  /** The embedded store's directory. If undefined, the store is in memory. */
  dataDir?: string | undefined;
  logger: Logger;
  /** `latest` (the default), `none`, or the name of the last migration to run. */
  migrateTo?: string;
}

/**
 * Opens the store and migrates it. Throws StoreError if another process uses the directory, if the database is newer
 * than this code, or if it can't be reached.
 */
export async function connectDatabase(options: ConnectOptions): Promise<Database> {
  const database =
    options.url === undefined ? await openEmbedded(options) : openPostgres(options.url, options);
  try {
    if (options.migrateTo !== 'none') await migrate(database.db, options.migrateTo);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

const embeddedPath = (dataDir: string) => join(dataDir, 'store');

export const hasEmbeddedStore = (dataDir: string): Promise<boolean> => exists(embeddedPath(dataDir));

/**
 * PGlite: PostgreSQL in this process. By default it does not sync to disk, so a power cut may lose data but a killed
 * process does not. The smaller buffers halve the memory of an idle process.
 */
async function openEmbedded({ dataDir }: ConnectOptions): Promise<Database> {
  if (dataDir !== undefined) await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const lock = dataDir === undefined ? undefined : await lockDirectory(dataDir);
  try {
    // Imported here so that a bot on PostgreSQL does not load it.
    const { PGlite } = await import('@electric-sql/pglite');
    const pglite = await PGlite.create({
      ...(dataDir !== undefined && { dataDir: embeddedPath(dataDir) }),
      startParams: [...PGlite.defaultStartParams, '-c', 'shared_buffers=16MB'],
    });
    const db = new Kysely<Schema>({ dialect: throwingStoreUnavailable(new PGliteDialect({ pglite })) });
    return {
      db,
      engine: 'embedded',
      async close() {
        await db.destroy();
        if (!pglite.closed) await pglite.close();
        await lock?.release();
      },
    };
  } catch (error) {
    await lock?.release();
    throw new StoreError(`The embedded store in ${dataDir ?? 'memory'} could not be opened`, {
      cause: error,
    });
  }
}

function openPostgres(url: string, { logger }: ConnectOptions): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: 10_000,
    statement_timeout: 30_000,
    application_name: 'landfall',
  });
  // A connection error without a listener ends the process. The pool itself listens to idle connections only, not to
  // a connection between two statements of a transaction.
  pool.on('connect', (client) => {
    client.on('error', (error) => logger.warn({ reason: error.message }, 'a database connection broke'));
  });
  pool.on('error', () => {});
  const db = new Kysely<Schema>({ dialect: throwingStoreUnavailable(new PostgresDialect({ pool })) });
  return { db, engine: 'postgres', close: () => db.destroy() };
}
