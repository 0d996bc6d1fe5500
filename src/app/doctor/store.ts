import { join } from 'node:path';
import { sql } from 'kysely';
import type { Config } from '../../config/config.ts';
import { connectTool, type Database } from '../../database/connect.ts';
import { exists } from '../../database/encryption-keys.ts';
import { tableState } from '../../database/migrate.ts';
import { storePath } from '../../database/sqlite.ts';
import type { AllWorkspaces } from '../../database/workspace-store.ts';
import { fullMessageOf } from '../../errors.ts';
import { silentLogger } from '../../log.ts';
import { checkDirectory } from './directory.ts';
import { type Finding, fail, pass, type Section, warn } from './finding.ts';
import { checkSecrets } from './secrets.ts';

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
    if (url === undefined && dataDir !== undefined && !(await hasStore(dataDir)))
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

/** The directory `store` is that of an earlier Landfall, of which `connectTool` says more. */
const hasStore = async (dataDir: string): Promise<boolean> =>
  (await exists(storePath(dataDir))) || (await exists(join(dataDir, 'store')));

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
