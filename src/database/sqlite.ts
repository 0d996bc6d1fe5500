import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import {
  Kysely,
  type KyselyPlugin,
  OperationNodeTransformer,
  type QueryId,
  type SelectQueryNode,
  SqliteAdapter,
  SqliteDialect,
  type SqliteStatement,
} from 'kysely';
import { createCache } from '../cache.ts';
import { measureNothing } from '../measure.ts';
import { type Engine, storeDialect } from './dialect.ts';
import { createPrivate } from './lock-file.ts';
import { sqliteStatistics } from './sqlite-statistics.ts';
import type { AllWorkspaces } from './workspace-store.ts';
import { createYieldToEventLoop } from './yield-to-event-loop.ts';

export const sqliteEngine: Engine = {
  name: 'sqlite',
  functions: [],
  sequence: 'integer primary key autoincrement',
  size: 'select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()',
  statistics: sqliteStatistics,
};

export const storePath = (dataDir: string): string => join(dataDir, 'landfall.db');

/** How long a statement waits for the lock of another connection, such as a tool's. */
const busyMs = 5_000;
const maxStatements = 300;
const maxLogBytes = 16 * 1024 * 1024;

/** The wall clock, even while a test replaces `Date`. */
const { now: wallClock } = Date;

/**
 * One connection to the file in `dataDir`, or to a store in memory. Creates the file, for its owner only.
 * `synchronous=full` with a write-ahead log loses no commit, even in a power cut.
 */
export function openSqlite(dataDir: string | undefined, { isReadOnly = false } = {}): DatabaseSync {
  const path = dataDir === undefined ? ':memory:' : storePath(dataDir);
  // SQLite gives its further files the permissions of this one.
  if (dataDir !== undefined && !isReadOnly) createPrivate(path);
  const database = new DatabaseSync(path, { timeout: busyMs, readOnly: isReadOnly });
  try {
    if (!isReadOnly) database.exec('pragma journal_mode = wal');
    database.exec('pragma synchronous = full; pragma foreign_keys = on; pragma temp_store = memory');
    // The log grows while a tool holds a snapshot; afterwards it shrinks to this.
    database.exec(`pragma journal_size_limit = ${maxLogBytes}`);
    addFunctions(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** The functions of PostgreSQL that our statements use; `now_ms` is ours on both engines. */
function addFunctions(database: DatabaseSync): void {
  database.function('now_ms', () => wallClock());
  const options = { deterministic: true, varargs: true };
  database.function('least', options, (...values) => pick(values, (value, best) => value < best));
  database.function('greatest', options, (...values) => pick(values, (value, best) => value > best));
}

/** As in PostgreSQL, null is returned only if all values are null. */
function pick(
  values: SQLInputValue[],
  isBetter: (value: number | bigint, best: number | bigint) => boolean,
): SQLInputValue {
  const numbers = values.filter((value) => typeof value === 'number' || typeof value === 'bigint');
  const [first = null, ...others] = numbers;
  return others.reduce<number | bigint | null>(
    (best, value) => (best === null || isBetter(value, best) ? value : best),
    first,
  );
}

/** Kysely's own dialect. Only what `node:sqlite` names differently is adapted. */
export function sqliteDialect(database: DatabaseSync, { isReadOnly = false } = {}): SqliteDialect {
  const statements = createCache<SqliteStatement>({ max: maxStatements });
  const dialect = new SqliteDialect({
    database: {
      close: () => database.close(),
      prepare(query) {
        // A transaction that reads before it writes must not find that another connection has written in between.
        const text = query === 'begin' && !isReadOnly ? 'begin immediate' : query;
        const statement = statements.get(text) ?? adapt(database.prepare(text));
        statements.set(text, statement);
        // A full disk has ended the transaction, and a failed rollback would hide that error.
        if (query === 'rollback' && !database.isTransaction) return nothing;
        return statement;
      },
    },
  });
  dialect.createAdapter = () => new StoreAdapter();
  return dialect;
}

const nothing: SqliteStatement = {
  reader: false,
  all: () => [],
  run: () => ({ changes: 0, lastInsertRowid: 0 }),
  iterate: () => [].values(),
};

export const createSqliteDb = (dialect: SqliteDialect, measure = measureNothing): AllWorkspaces =>
  new Kysely({
    dialect: storeDialect(dialect, {
      max: 1,
      maxBackground: 1,
      beforeQuery: createYieldToEventLoop(),
      measure,
    }),
    plugins: [withoutRowLocks],
  });

function adapt(statement: StatementSync): SqliteStatement {
  // encodeParameters and Kysely leave only values that SQLite takes.
  const values = (parameters: readonly unknown[]) => parameters as SQLInputValue[];
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => statement.all(...values(parameters)),
    run: (parameters) => statement.run(...values(parameters)),
    iterate: (parameters) => statement.iterate(...values(parameters)),
  };
}

class StoreAdapter extends SqliteAdapter {
  /** The store's own queue shares the one connection: see dialect.ts. */
  override get supportsMultipleConnections(): boolean {
    return true;
  }

  /** Runs all migrations in one transaction, which SQLite can do. */
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/** SQLite has no row locks: its transactions run one after another. So `for update` and `skip locked` are left out. */
export const withoutRowLocks: KyselyPlugin = {
  transformQuery: ({ node, queryId }) => lockRemover.transformNode(node, queryId),
  transformResult: async ({ result }) => result,
};

class LockRemover extends OperationNodeTransformer {
  protected override transformSelectQuery(node: SelectQueryNode, queryId: QueryId): SelectQueryNode {
    const { endModifiers: _, ...query } = super.transformSelectQuery(node, queryId);
    return query;
  }
}

const lockRemover = new LockRemover();
