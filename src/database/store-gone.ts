/** The database does not answer at the moment. Does not cover a query that it refuses. */
export class StoreGoneError extends Error {
  override readonly name = 'StoreGoneError';
  readonly code = 'store-gone';
}

/** PostgreSQL's classes 08 (connection) and 57P (shut down), and what the network and the driver say. */
const goneCodes =
  /^(?:08|57P)|^E(?:CONNREFUSED|CONNRESET|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|NOTFOUND|AI_AGAIN)$/;
const goneWords =
  /connection terminated|timeout exceeded when trying to connect|pglite is closed|connection ended/i;

/** The same error, or StoreGoneError where it means that the database is away. */
export function asStoreGone(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  // The analytics client wraps what its own network says, so these come from the database alone.
  const isGone = goneCodes.test(code) || goneWords.test(error.message);
  return isGone ? new StoreGoneError('the database does not answer', { cause: error }) : error;
}
