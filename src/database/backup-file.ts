import { open, rename, rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { Kysely } from 'kysely';
import type { Logger } from '../log.ts';
import { askForBackup } from './backup-socket.ts';
import { connectDatabase, hasEmbeddedStore } from './connect.ts';
import { dumpDatabase, restoreDump } from './dump.ts';
import { exists, holdsSecrets } from './encryption-keys.ts';
import type { Schema } from './schema.ts';
import { StoreError } from './store-error.ts';

interface StoreLocation {
  url: string | undefined;
  dataDir: string | undefined;
  logger: Logger;
}

/**
 * Writes the whole store to a file that only its owner can read, even while the bot runs. Returns the number of rows.
 * The file appears when it is complete. Throws StoreError, also for an existing file without `overwrite`.
 */
export async function backUp(
  file: string,
  { overwrite = false, ...location }: StoreLocation & { overwrite?: boolean },
): Promise<number> {
  const { url, dataDir } = location;
  if (!overwrite && (await exists(file))) {
    throw new StoreError(`${file} already exists: name another file, or add --overwrite to replace it`);
  }
  const runningDump = url === undefined ? await askRunningBot(dataDir) : undefined;
  const unfinished = `${file}.unfinished`;
  const handle = await open(unfinished, 'w', 0o600);
  try {
    const write = async (lines: string) => {
      await handle.write(lines);
    };
    const rows = runningDump
      ? await copyDump(runningDump, write)
      : await inDatabase(location, (db) => dumpDatabase(db, { write, now: new Date() }));
    await handle.sync();
    await handle.close();
    await rename(unfinished, file);
    return rows;
  } catch (error) {
    await handle.close();
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** The dump of a running bot; undefined if the embedded store is not in use. */
async function askRunningBot(dataDir: string | undefined): Promise<Readable | undefined> {
  if (dataDir === undefined) throw new StoreError('A store in memory has no backup');
  const runningDump = await askForBackup(dataDir);
  // Connecting to an embedded store that does not exist would create one.
  if (runningDump || (await hasEmbeddedStore(dataDir))) return runningDump;
  throw new StoreError(`There is nothing to back up in ${dataDir}`);
}

/** Fills an empty store from a backup. Secrets in it open only with the key that sealed them. Throws StoreError. */
export async function restore(
  file: string,
  location: StoreLocation,
): Promise<{ rows: number; hasSecrets: boolean }> {
  const handle = await open(file).catch((cause: unknown) => {
    throw new StoreError(`${file} can't be read`, { cause });
  });
  try {
    return await inDatabase(location, async (db) => ({
      rows: await restoreDump(db, handle.readLines()),
      hasSecrets: await holdsSecrets(db),
    }));
  } finally {
    await handle.close();
  }
}

async function inDatabase<Result>(
  location: StoreLocation,
  work: (db: Kysely<Schema>) => Promise<Result>,
): Promise<Result> {
  const database = await connectDatabase({ ...location, migrateTo: 'none' });
  try {
    return await work(database.db);
  } finally {
    await database.close();
  }
}

/** A dump without its last line is incomplete. */
async function copyDump(source: Readable, write: (lines: string) => Promise<void>): Promise<number> {
  let rows: number | undefined;
  for await (const line of createInterface({ input: source, crlfDelay: Infinity })) {
    const end = /^\{"end":(\d+)\}$/.exec(line)?.[1];
    if (end !== undefined) rows = Number(end);
    await write(`${line}\n`);
  }
  if (rows === undefined) throw new StoreError('The running Landfall stopped the backup: see its log');
  return rows;
}
