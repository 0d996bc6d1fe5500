import { StoreUnavailable } from '../errors.ts';

/** PostgreSQL's classes 08 (connection) and 57P (shut down), and what the network and the driver say. */
const goneCodes =
  /^(?:08|57P)|^E(?:CONNREFUSED|CONNRESET|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|NOTFOUND|AI_AGAIN)$/;
const goneWords =
  /connection terminated|timeout exceeded when trying to connect|pglite is closed|connection ended/i;

/** StoreUnavailable where the error means that the database is away; otherwise the same error. */
export function asStoreUnavailable(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  // The analytics client wraps what its own network says, so these come from the database alone.
  const isGone = goneCodes.test(code) || goneWords.test(error.message);
  return isGone ? new StoreUnavailable('the database does not answer', { cause: error }) : error;
}
