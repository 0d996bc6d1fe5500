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
import { createYieldToEventLoop } from './batches.ts';
import { type Engine, storeDialect } from './dialect.ts';
import { createPrivate } from './lock-file.ts';
import type { AllWorkspaces } from './workspace-store.ts';

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

/**
 * Rows of an index, then rows that share its first column, its first two, and so on. Without these, SQLite expects ten
 * rows in a workspace, and would read them all instead of a few by their ids. Fixed numbers keep the plans the same in
 * every store, see query-plans.test.ts. Tables have more rows than SQLite expects of a list of values (a million).
 */
const rowsOf: Record<string, Record<string, string>> = {
  subjects: {
    sqlite_autoindex_subjects_1: '10000000 1',
    sqlite_autoindex_subjects_2: '10000000 10000 5000 1',
    subjects_by_due: '10000000 10000 2 1',
  },
  watches: {
    sqlite_autoindex_watches_1: '10000000 1',
    watches_by_channel: '10000000 10000 50',
    watches_by_owner: '10000000 10000 100',
    watches_by_fleet: '1000000 1000 5 1',
  },
  followings: {
    sqlite_autoindex_followings_1: '10000000 2 1',
    followings_by_subject: '10000000 5',
  },
  alerts: {
    sqlite_autoindex_alerts_1: '10000000 1',
    alerts_by_watch: '10000000 20 10 2',
    alerts_by_message: '10000000 1',
    alerts_by_edit_key: '100000 2 1',
    alerts_by_age: '10000000 2',
    alerts_by_assignee: '1000 100 5 1',
    alerts_by_due: '1000 100 2 1',
  },
  history: {
    sqlite_autoindex_history_1: '10000000 1000000 500000 1000 1',
    history_by_age: '10000000 5',
  },
  finished_calls: {
    sqlite_autoindex_finished_calls_1: '10000000 100000 100 50 1',
    finished_calls_by_age: '10000000 2',
  },
  watched_times: {
    sqlite_autoindex_watched_times_1: '10000000 10000 5000 5 2 1',
    watched_times_by_watch: '10000000 10000 5',
    watched_times_by_age: '5000000 2',
  },
  digests: {
    sqlite_autoindex_digests_1: '10000000 1',
    sqlite_autoindex_digests_2: '10000000 1000 5 1',
    digests_by_due: '10000 1000 5 1',
    digests_by_owner: '10000000 1000 20',
    digests_by_removal: '100 2',
  },
  outbox: {
    sqlite_autoindex_outbox_1: '10000000 1',
    outbox_by_due: '1000 500 2 1',
    outbox_by_thread: '10000000 20 20 1',
    outbox_by_next: '100 2',
    outbox_replies_by_thread: '500 300 5',
    outbox_replies_by_channel: '500 300 20',
    outbox_one_card_update: '500 1',
    outbox_one_reply_update: '500 1',
    outbox_in_channel: '100000 10000 100 1',
    outbox_by_age: '10000000 2',
    outbox_unsent: '2000 500 2',
    outbox_by_channel: '10000000 100000 30000 300',
  },
  audit: {
    sqlite_autoindex_audit_1: '10000000 1',
    audit_by_time: '10000000 100000 2',
    audit_by_channel: '10000000 100000 1000 2',
    audit_by_actor: '10000000 100000 1000 2',
    audit_by_age: '10000000 2',
  },
};

const rows = Object.entries(rowsOf).flatMap(([table, indexes]) =>
  Object.entries(indexes).map(([index, counts]) => `('${table}', '${index}', '${counts}')`),
);

/** The first statement creates SQLite's table of statistics, the last one makes this connection read it. */
const sqliteStatistics: readonly string[] = [
  'analyze',
  'delete from sqlite_stat1',
  `insert into sqlite_stat1 (tbl, idx, stat) values ${rows.join(', ')}`,
  'analyze sqlite_schema',
];

export const sqliteEngine: Engine = {
  name: 'sqlite',
  functions: [],
  sequence: 'integer primary key autoincrement',
  size: 'select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()',
  statistics: sqliteStatistics,
};
