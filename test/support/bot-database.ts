import { connectDatabase, type Database } from '../../src/database/connect.ts';
import { createStoreLogger } from './store-logger.ts';

let opened: Promise<Database> | undefined;

/** A new store in memory, which its bot does not close. */
export async function emptyDatabase(): Promise<Database> {
  await (await opened)?.close();
  opened = connectDatabase({ logger: createStoreLogger() });
  return { ...(await opened), close: async () => {} };
}

/** The store of the last bot, for tests that read or change it directly. */
export async function sharedDatabase(): Promise<Database['db']> {
  if (!opened) throw new Error('no bot has been started yet');
  return (await opened).db;
}
