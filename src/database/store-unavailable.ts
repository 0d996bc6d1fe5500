import type { DatabaseConnection, Dialect, QueryResult } from 'kysely';
import { codeOf, StoreUnavailable } from '../errors.ts';

/** Makes a dialect's queries throw StoreUnavailable while the database does not answer. */
export function throwingStoreUnavailable(dialect: Dialect): Dialect {
  return {
    createAdapter: () => dialect.createAdapter(),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createDriver() {
      const driver = dialect.createDriver();
      const acquire = driver.acquireConnection.bind(driver);
      const wrapped = new WeakSet<DatabaseConnection>();
      driver.acquireConnection = async (options) => {
        const connection = await acquire(options).catch(rethrow);
        // Drivers reuse connections.
        if (!wrapped.has(connection)) wrap(connection);
        wrapped.add(connection);
        return connection;
      };
      return driver;
    },
  };
}

function wrap(connection: DatabaseConnection): void {
  const execute = connection.executeQuery.bind(connection);
  connection.executeQuery = async <R>(...query: Parameters<DatabaseConnection['executeQuery']>) =>
    (await execute(...query).catch(rethrow)) as QueryResult<R>; // `bind` loses the type parameter
}

/** PostgreSQL's classes 08 (connection) and 57P (shutdown), and the codes of the network. */
const codes =
  /^(?:08|57P)|^E(?:CONNREFUSED|CONNRESET|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|NOTFOUND|AI_AGAIN)$/;
const messages =
  /connection terminated|timeout exceeded when trying to connect|query read timeout|not queryable|pglite is closed|connection ended/i;

function rethrow(error: unknown): never {
  if (!(error instanceof Error)) throw error;
  if (!codes.test(codeOf(error) ?? '') && !messages.test(error.message)) throw error;
  throw new StoreUnavailable('the database does not answer', { cause: error });
}
