import { AsyncLocalStorage } from 'node:async_hooks';
import type { DatabaseConnection, Dialect, QueryResult, Selectable } from 'kysely';
import { codeOf, StoreUnavailable } from '../errors.ts';
import { createFairQueue } from '../fair-queue.ts';
import { type Measure, measureNothing } from '../measure.ts';
import { sqliteResultOf } from './lock-file.ts';
import type { Schema } from './schema.ts';

/**
 * Makes a dialect take and return the schema's types, whatever the engine stores, and throw StoreUnavailable while the
 * database does not answer. Streams return rows as they are stored, for dumps.
 */
export function storeDialect(
  dialect: Dialect,
  { beforeQuery = noWait, measure = measureNothing, ...limits }: ConnectionLimits & Partial<QueryHooks>,
): Dialect {
  return {
    createAdapter: () => dialect.createAdapter(),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createDriver() {
      const driver = dialect.createDriver();
      const acquire = driver.acquireConnection.bind(driver);
      const release = driver.releaseConnection.bind(driver);
      const queue = createConnectionQueue(limits);
      const wrapped = new WeakSet<DatabaseConnection>();
      const leaveOf = new WeakMap<DatabaseConnection, () => void>();
      driver.acquireConnection = async (options) => {
        const leave = await queue.enter();
        const connection = await acquire(options).catch((error) => {
          leave();
          measure({ kind: 'query', ms: undefined, isFailed: true });
          rethrow(error);
        });
        leaveOf.set(connection, leave);
        // Drivers reuse connections.
        if (!wrapped.has(connection)) wrap(connection, { beforeQuery, measure });
        wrapped.add(connection);
        return connection;
      };
      driver.releaseConnection = async (connection, options) => {
        const leave = leaveOf.get(connection);
        await release(connection, options).finally(leave);
      };
      return driver;
    },
  };
}

const noWait = (): undefined => undefined;

interface QueryHooks {
  beforeQuery: () => Promise<void> | undefined;
  measure: Measure;
}

function wrap(connection: DatabaseConnection, { beforeQuery, measure }: QueryHooks): void {
  const execute = connection.executeQuery.bind(connection);
  connection.executeQuery = async <R>(
    ...[query, ...rest]: Parameters<DatabaseConnection['executeQuery']>
  ) => {
    await beforeQuery();
    const encoded = { ...query, parameters: encodeParameters(query.parameters) };
    const startedAt = performance.now();
    let isFailed = true;
    try {
      const result = await execute(encoded, ...rest);
      isFailed = false;
      decodeRows(result.rows);
      return result as QueryResult<R>; // `bind` loses the type parameter
    } catch (error) {
      rethrow(error);
    } finally {
      measure({ kind: 'query', ms: performance.now() - startedAt, isFailed });
    }
  };
}

/** PostgreSQL's classes 08 (connection), 53 (resources, such as a full disk) and 57P (shutdown), and the network's. */
const codes =
  /^(?:08|53|57P)|^E(?:CONNREFUSED|CONNRESET|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|NOTFOUND|AI_AGAIN)$/;
const messages =
  /connection terminated|timeout exceeded when trying to connect|query read timeout|not queryable|database is not open|connection ended/i;

/** SQLite's results for a file that is locked, can't be read or written, or has no room on its disk. */
const sqliteResults: readonly (number | undefined)[] = [5, 10, 13];

function rethrow(error: unknown): never {
  if (!(error instanceof Error)) throw error;
  const isUnavailable =
    codes.test(codeOf(error) ?? '') ||
    messages.test(error.message) ||
    sqliteResults.includes(sqliteResultOf(error));
  if (!isUnavailable) throw error;
  throw new StoreUnavailable('the database does not answer', { cause: error });
}

const background = new AsyncLocalStorage<true>();

/** For due work: its statements, and all that it begins, go behind those of commands. */
export const inBackground = <T>(work: () => Promise<T>): Promise<T> => background.run(true, work);

interface ConnectionLimits {
  max: number;
  /** At most so many are used by due work. */
  maxBackground: number;
}

/**
 * The requests for a connection. Hundreds of workspaces may have due work at once, and nobody who asks something may wait
 * for all of it: while commands wait, due work gets only one connection in 21, so it goes on however many there are.
 */
export function createConnectionQueue({ max, maxBackground }: ConnectionLimits) {
  const queue = createFairQueue({ max: () => max, maxBackground: () => maxBackground, maxInARow: 20 });
  return {
    /** Resolves to the function that gives the place back. */
    enter(): Promise<() => void> {
      const isBackground = background.getStore() === true;
      return queue.enter({ isBackground: () => isBackground });
    },
  };
}

/** What differs between SQLite and PostgreSQL, apart from opening a connection. */
export interface Engine {
  name: 'sqlite' | 'postgres';
  /** Creates SQL functions that the other engine has. */
  functions: readonly string[];
  /** The type of a primary key that the database counts up. */
  sequence: string;
  /** Selects the size of the database as `bytes`. */
  size: string;
  /** Says how many rows the planner should expect, to an engine that doesn't count them. Run after the tables exist. */
  statistics: readonly string[];
}

/** How both engines store it: a time as Unix milliseconds, JSON as text, a flag as 0 or 1. */
type Kind = 'time' | 'json' | 'flag';

type KindOf<Value> = unknown extends Value
  ? 'json'
  : NonNullable<Value> extends Date
    ? 'time'
    : NonNullable<Value> extends boolean
      ? 'flag'
      : never;

type Row = { [Table in keyof Schema]: Selectable<Schema[Table]> }[keyof Schema];
type KindsIn<Columns> = Columns extends object
  ? { [Name in keyof Columns as KindOf<Columns[Name]> extends never ? never : Name]: KindOf<Columns[Name]> }
  : never;
type ToIntersection<Union> = (Union extends object ? (value: Union) => void : never) extends (
  value: infer All,
) => void
  ? All
  : never;

/** By name, for all tables together. The type demands an entry for every such column of the schema. */
const columns: ToIntersection<KindsIn<Row>> = {
  acknowledged_at: 'time',
  closed_at: 'time',
  after: 'json',
  assigned_at: 'time',
  at: 'time',
  attempted_at: 'time',
  backed_up_at: 'time',
  baseline: 'json',
  before: 'json',
  begun_at: 'time',
  budget_alarm: 'json',
  call_limit: 'json',
  open_calls: 'json',
  created_at: 'time',
  earliest: 'time',
  latest: 'time',
  due_at: 'time',
  ended_at: 'time',
  events: 'json',
  expires_at: 'time',
  failing_since: 'time',
  installed_at: 'time',
  is_critical: 'flag',
  is_in_channel: 'flag',
  is_manual: 'flag',
  is_org_wide: 'flag',
  is_personal: 'flag',
  last_eta: 'time',
  last_run_at: 'time',
  last_used_at: 'time',
  lease_until: 'time',
  lines: 'json',
  missed: 'json',
  nearest_eta: 'time',
  notified_at: 'time',
  only_news: 'flag',
  paused_at: 'time',
  payload: 'json',
  polled_at: 'time',
  ports: 'json',
  predictions: 'json',
  readings: 'json',
  refused_until: 'time',
  reminded_at: 'time',
  removed_at: 'time',
  revoked_at: 'time',
  references: 'json',
  restored_at: 'time',
  restored_from: 'time',
  rules: 'json',
  schedule: 'json',
  scopes: 'json',
  snooze: 'json',
  condition: 'json',
  state: 'json',
  token_expires_at: 'time',
  uninstalled_at: 'time',
  imported_at: 'time',
  updated_at: 'time',
  work_paused_at: 'time',
  work_paused_until: 'time',
};

/** The columns that are stored otherwise than they are read, by name. */
export const columnKinds: ReadonlyMap<string, Kind> = new Map(Object.entries(columns));

/** Leaves only numbers, text and null, as both engines accept them: PostgreSQL takes no text with a NUL. */
export function encodeParameters(values: readonly unknown[]): readonly unknown[] {
  return values.map((value) => {
    if (value instanceof Date) return value.getTime();
    if (typeof value === 'boolean') return Number(value);
    return typeof value === 'string' ? value.replaceAll('\0', '') : value;
  });
}

/** Changes the rows of a result in place. JSON that can't be parsed stays text, which no schema accepts. */
function decodeRows(rows: readonly unknown[]): void {
  // The database returns objects, all with the same columns.
  const [first] = rows as readonly Record<string, unknown>[];
  if (!first) return;
  const toDecode = Object.keys(first).flatMap((name) => {
    const kind = columnKinds.get(name);
    return kind ? [{ name, decode: decoders[kind] }] : [];
  });
  if (toDecode.length === 0) return;
  for (const row of rows as readonly Record<string, unknown>[]) {
    for (const { name, decode } of toDecode) if (row[name] !== null) row[name] = decode(row[name]);
  }
}

const decoders: Record<Kind, (value: unknown) => unknown> = {
  time: (value) => new Date(Number(value)),
  json: (value) => parseJson(String(value)),
  flag: Boolean,
};

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
