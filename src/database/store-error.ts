/**
 * The store can't be opened, read or restored as it is: the message says what to do, for the person who
 * runs Landfall, and holds no secret. Does not cover a database that fails later, while it is used.
 */
export class StoreError extends Error {
  override readonly name = 'StoreError';
}
