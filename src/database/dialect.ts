import { AsyncLocalStorage } from 'node:async_hooks';
import type { DatabaseConnection, Dialect, QueryResult } from 'kysely';
import { codeOf, StoreUnavailable } from '../errors.ts';
import { createFairQueue } from '../fair-queue.ts';
import { type Measure, measureNothing } from '../measure.ts';
import { decodeRows, encodeParameters } from './column-values.ts';

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
const sqliteResults: readonly unknown[] = [5, 10, 13];

function rethrow(error: unknown): never {
  if (!(error instanceof Error)) throw error;
  // The last byte of an extended result.
  const result = 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : undefined;
  const isUnavailable =
    codes.test(codeOf(error) ?? '') || messages.test(error.message) || sqliteResults.includes(result);
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
