import pg from 'pg';
import type { Logger } from '../log.ts';

const statementTimeoutMs = 30_000;
/** Longer than the server's own, so a server that answers decides. */
const queryTimeoutMs = 35_000;

const maxConnections = 10;
/** The pool itself makes requests wait. Two connections are left for commands. */
export const postgresLimits = { max: Number.POSITIVE_INFINITY, maxBackground: maxConnections - 2 };

/** 64-bit integers: our times and counters, all below 2^53. */
const int8 = 20;

export interface PoolOptions {
  /** For migrations and backups: a statement may take as long as it needs, whatever limit the role or database sets. */
  isUnlimited?: boolean;
}

/**
 * Connections to PostgreSQL, opened when needed. A server that goes silent fails a query after 35 s and a login after
 * 10 s; what the query did is then unknown. The failed connection is not used again. `isUnlimited` waits for ever.
 */
export function createPool(url: string, logger: Logger, { isUnlimited = false }: PoolOptions = {}): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    Client: DiscardingClient,
    max: maxConnections,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 30_000,
    application_name: 'landfall',
    types: { getTypeParser: (id, format) => (id === int8 ? Number : pg.types.getTypeParser(id, format)) },
    ...(isUnlimited
      ? { onConnect: withoutStatementTimeout }
      : { statement_timeout: statementTimeoutMs, query_timeout: queryTimeoutMs }),
  });
  // A connection error without a listener ends the process. The pool itself listens to idle connections only, not to
  // a connection between two statements of a transaction.
  pool.on('connect', (client) => {
    client.on('error', (error) => logger.warn({ reason: error.message }, 'a database connection broke'));
  });
  pool.on('error', () => {});
  return pool;
}

/** In SQL, since the role or the database may have a limit, and pg sends no zero. The pool waits for it. */
async function withoutStatementTimeout(client: pg.ClientBase): Promise<void> {
  await client.query('set statement_timeout = 0');
}

/**
 * After a timeout, pg keeps waiting for the answer, and the next query on that connection, such as the rollback, waits
 * behind it. So this ends the connection: further queries fail at once, and the pool removes it.
 */
class DiscardingClient extends pg.Client {
  // Arguments and result pass through, so all overloads hold.
  override query = ((...args: unknown[]): unknown => {
    const result: unknown = Reflect.apply(super.query, this, args);
    // Without a promise there is a callback: the pool's own queries, whose connections it removes after any error.
    if (result instanceof Promise) result.catch((error: unknown) => this.#discardAfterTimeout(error));
    return result;
  }) as pg.Client['query'];

  #discardAfterTimeout(error: unknown): void {
    if (!(error instanceof Error) || error.message !== 'Query read timeout') return;
    this.emit('error', error);
    void this.end();
  }
}
