import { access, constants, stat, statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { sql } from 'kysely';
import type { Config } from '../../config/config.ts';
import { connectTool, type Database } from '../../database/connect.ts';
import { tableState } from '../../database/migrate.ts';
import {
  countSecrets,
  createSecretBox,
  exists,
  holdsSecrets,
  keyPath,
  readEncryptionKeys,
} from '../../database/secrets.ts';
import { storePath } from '../../database/sqlite.ts';
import type { AllWorkspaces } from '../../database/workspace-store.ts';
import { codeOf, fullMessageOf, messageOf, StoreError } from '../../errors.ts';
import { silentLogger } from '../../log.ts';
import { type Finding, fail, pass, type Section, warn } from './finding.ts';

/** Looks into the store as a second connection, which takes no lock and changes nothing. */
export const checkStore: Section = async ({ config }) => {
  const { databaseUrl, storeDir } = config;
  if (databaseUrl !== undefined) return await checkDatabase(config);
  if (storeDir === undefined) return [pass('Nothing is stored: LANDFALL_DATA_DIR is :memory:')];
  const directory = await checkDirectory(storeDir);
  if (directory.some(({ level }) => level === 'failure')) return directory;
  return [...directory, ...(await checkDatabase(config))];
};

async function checkDatabase(config: Config): Promise<Finding[]> {
  const { databaseUrl: url, storeDir: dataDir } = config;
  let database: Database | undefined;
  try {
    if (url === undefined && dataDir !== undefined && !(await exists(storePath(dataDir))))
      return [pass(`The first start creates the store in ${dataDir}`), ...(await checkSecrets(config))];
    database = await connectTool({ url, dataDir, logger: silentLogger }, { isReadOnly: true });
    return await look(database, config);
  } catch (error) {
    const remedy =
      url === undefined ? 'See docs/store.md.' : 'Check DATABASE_URL, and whether PostgreSQL runs.';
    return [fail(fullMessageOf(error), remedy)];
  } finally {
    await database?.close();
  }
}

async function look({ db, engine }: Database, config: Config): Promise<Finding[]> {
  const name = engine.name === 'sqlite' ? `SQLite in ${config.storeDir}` : await postgresName(db);
  switch (await tableState(db)) {
    case 'none':
      return [pass(`${name} is empty: the first start creates the tables`), ...(await checkSecrets(config))];
    case 'older':
      return [
        warn(
          `${name} has tables of an older Landfall: the next start brings them up to date`,
          'Make a backup before: npm run backup -- FILE',
        ),
      ];
    case 'newer':
      return [
        fail(
          `${name} has tables of a newer Landfall, on which this version refuses to start`,
          'Start the newer version, or restore a backup made by this one.',
        ),
      ];
    case 'current':
      return [pass(`${name} has the tables of this version`), ...(await checkSecrets(config, db))];
  }
}

async function postgresName(db: AllWorkspaces): Promise<string> {
  const { rows } = await sql<{ server_version: string }>`show server_version`.execute(db);
  return `PostgreSQL ${rows[0]?.server_version.split(' ')[0] ?? ''}`;
}

const megabyte = 1024 * 1024;
const tooFull = 50 * megabyte;
const almostFull = 500 * megabyte;

/** Whether the store can be written there, also if the directory does not exist yet. */
export async function checkDirectory(
  path: string,
  freeBytesOf: (path: string) => Promise<number> = freeBytes,
): Promise<Finding[]> {
  try {
    const existing = await nearestExisting(resolve(path));
    await access(existing, constants.W_OK | constants.X_OK);
    return [checkSpace(path, await freeBytesOf(existing))];
  } catch (error) {
    return [
      fail(
        `Landfall can't write to ${path}: ${messageOf(error)}`,
        'Set LANDFALL_DATA_DIR to a directory that the user running Landfall may write to.',
      ),
    ];
  }
}

async function nearestExisting(path: string): Promise<string> {
  try {
    if ((await stat(path)).isDirectory()) return path;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return await nearestExisting(dirname(path));
    throw error;
  }
  throw new Error(`${path} is not a directory`);
}

function checkSpace(path: string, bytes: number): Finding {
  const text = `${path} has ${sizeInWords(bytes)} of free disk space`;
  const remedy = 'Free some space; history takes most (HISTORY_DAYS).';
  if (bytes < tooFull) return fail(text, remedy);
  return bytes < almostFull
    ? warn(text, remedy)
    : pass(`${path} can be written, with ${sizeInWords(bytes)} free`);
}

const sizeInWords = (bytes: number): string =>
  bytes >= 1024 * megabyte
    ? `${Math.floor(bytes / (1024 * megabyte)).toLocaleString('en')} GB`
    : `${Math.floor(bytes / megabyte)} MB`;

async function freeBytes(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(path);
  return bavail * bsize;
}

/** Whether the encryption key opens what is stored. Without a database, only the key itself is read. */
async function checkSecrets(config: Config, db?: AllWorkspaces): Promise<Finding[]> {
  const { encryptionKey: setting, databaseUrl, storeDir } = config;
  const dataDir = databaseUrl === undefined ? storeDir : undefined;
  const path = setting === undefined && dataDir !== undefined ? keyPath(dataDir) : undefined;
  try {
    const keys = await readEncryptionKeys({ setting, dataDir });
    const file = path !== undefined && (await exists(path)) ? await checkFile(path) : [];
    if (keys) return [...file, ...(db ? [await tryKeys(db, keys)] : [])];
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return [fail(error.message, restore)];
  }
  if (db && (await holdsSecrets(db)))
    return [fail(`Secrets are stored, and their key ${path ?? ''} is missing`, restore)];
  return [pass('The next start creates the encryption key; store a copy apart from the backups')];
}

const restore =
  'Copy the encryption.key of that time back, or add the old key to LANDFALL_ENCRYPTION_KEY after the new one, with a comma between.';

async function tryKeys(db: AllWorkspaces, keys: [Buffer, ...Buffer[]]): Promise<Finding> {
  const { stored, unreadable } = await countSecrets(db, createSecretBox(keys));
  if (unreadable > 0)
    return fail(`The encryption key opens only ${stored - unreadable} of ${stored} stored secrets`, restore);
  if (stored === 0) return pass('The encryption key is there; no secrets are stored yet');
  return pass(
    `The encryption key opens ${stored === 1 ? 'the stored secret' : `all ${stored} stored secrets`}`,
  );
}

/** Windows has no such permissions. */
async function checkFile(path: string): Promise<Finding[]> {
  const { mode } = await stat(path);
  if (process.platform === 'win32' || (mode & 0o077) === 0) return [];
  const octal = (mode & 0o777).toString(8).padStart(3, '0');
  return [warn(`Other users of this machine can read ${path} (mode ${octal})`, `chmod 600 ${path}`)];
}
