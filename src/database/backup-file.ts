import { open, rename, rm } from 'node:fs/promises';
import { messageOf } from '../errors.ts';
import { connectDatabase, connectTool, type StoreLocation } from './connect.ts';
import { dumpDatabase, restoreDump } from './dump.ts';
import { exists, holdsSecrets } from './encryption-keys.ts';
import { StoreError } from './store-error.ts';
import type { AllWorkspaces } from './workspace-store.ts';

/**
 * Writes the whole store to a file that only its owner can read, even while the bot runs. Returns the number of rows.
 * The file appears when it is complete. Throws StoreError, also for an existing file without `overwrite`.
 */
export async function backUp(
  file: string,
  {
    overwrite = false,
    now = Date.now,
    ...location
  }: StoreLocation & { overwrite?: boolean; now?: () => number },
): Promise<number> {
  if (!overwrite && (await exists(file))) {
    throw new StoreError(`${file} already exists: name another file, or add --overwrite to replace it`);
  }
  const { db, close } = await connectTool(location, { isReadOnly: true });
  try {
    return await writeBackup(file, db, new Date(now()));
  } finally {
    await close();
  }
}

async function writeBackup(file: string, db: AllWorkspaces, now: Date): Promise<number> {
  const unwritable = (cause: unknown): never => {
    throw new StoreError(`${file} can't be written: ${messageOf(cause)}`, { cause });
  };
  const unfinished = `${file}.unfinished`;
  const handle = await open(unfinished, 'w', 0o600).catch(unwritable);
  try {
    const write = async (lines: string) => {
      await handle.write(lines).catch(unwritable);
    };
    const rows = await dumpDatabase(db, { write, now });
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

/** Fills an empty store from a backup. Secrets in it open only with the key that sealed them. Throws StoreError. */
export async function restore(
  file: string,
  { now = Date.now, ...location }: StoreLocation & { now?: () => number },
): Promise<{ rows: number; hasSecrets: boolean }> {
  const handle = await open(file).catch((cause: unknown) => {
    throw new StoreError(`${file} can't be read`, { cause });
  });
  try {
    if ((await handle.stat()).isDirectory()) throw new StoreError(`${file} is a directory, not a backup`);
    const database = await connectDatabase({ ...location, migrateTo: 'none' });
    try {
      const rows = await restoreDump(database, handle.readLines(), { now: new Date(now()) });
      return { rows, hasSecrets: await holdsSecrets(database.db) };
    } finally {
      await database.close();
    }
  } finally {
    await handle.close();
  }
}
