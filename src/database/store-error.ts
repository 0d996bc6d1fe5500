/**
 * The store can't be opened, read or restored. The message says what to do, and holds no secret. Does not
 * cover a database that fails later, in use.
 */
export class StoreError extends Error {
  override readonly name = 'StoreError';
}
