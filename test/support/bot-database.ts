import { sql } from 'kysely';
import type { Database } from '../../src/database/connect.ts';
import { openTemplate } from './embedded-template.ts';

let opened: Promise<Database> | undefined;

/** One embedded database for all bots of a test file, emptied for each, since opening one takes seconds. */
export async function emptyDatabase(): Promise<Database> {
  opened ??= openTemplate();
  const database = await opened;
  await sql`truncate workspaces cascade`.execute(database.db);
  return { ...database, close: async () => {} };
}

/** For tests that read or change it directly. */
export async function sharedDatabase(): Promise<Database['db']> {
  if (!opened) throw new Error('no bot has been started yet');
  return (await opened).db;
}
