import { access, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Kysely, PGliteDialect, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Logger } from '../log.ts';
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
  /** A PostgreSQL connection string. When it is given, `dataDir` is not used. */
  url?: string | undefined;
  /** Where the embedded store keeps its files; undefined: in memory, gone with the process. */
  dataDir?: string | undefined;
  logger: Logger;
  /** Connections to PostgreSQL at most; the embedded store has one. */
  maxConnections?: number;
  /** `latest` by default; a migration's name stops there, `none` leaves the store as it is (restore uses both). */
  migrateTo?: string;
}

/**
 * Opens the store and brings its tables up to date. Throws StoreError when another process has the
 * directory, when the database is newer than this code, and when it can't be reached.
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

/** Without opening it. */
export async function hasEmbeddedStore(dataDir: string | undefined): Promise<boolean> {
  if (dataDir === undefined) return false;
  return access(embeddedPath(dataDir)).then(
    () => true,
    () => false,
  );
}

/**
 * PGlite: PostgreSQL in this process. Its defaults do not sync to disk: a killed process loses nothing,
 * a power cut may. Without the smaller buffers an idle process takes twice the memory.
 */
async function openEmbedded({ dataDir }: ConnectOptions): Promise<Database> {
  if (dataDir !== undefined) await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const lock = dataDir === undefined ? undefined : await lockDirectory(dataDir);
  try {
    // With PostgreSQL it would only take room.
    const { PGlite } = await import('@electric-sql/pglite');
    const pglite = await PGlite.create({
      ...(dataDir === undefined ? {} : { dataDir: embeddedPath(dataDir) }),
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

function openPostgres(url: string, { logger, maxConnections = 10 }: ConnectOptions): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
    connectionTimeoutMillis: 10_000,
    statement_timeout: 30_000,
    application_name: 'landfall',
  });
  // One that breaks with nobody listening ends the process: the pool listens to those that are idle, and to none
  // between two statements of a transaction.
  pool.on('connect', (client) => {
    client.on('error', (error) => logger.warn({ reason: error.message }, 'a database connection broke'));
  });
  pool.on('error', () => {});
  const db = new Kysely<Schema>({ dialect: throwingStoreUnavailable(new PostgresDialect({ pool })) });
  return { db, engine: 'postgres', close: () => db.destroy() };
}
