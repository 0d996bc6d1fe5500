import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { checkDirectory } from '../../../src/app/doctor/store.ts';
import { connectDatabase, type Database, type StoreLocation } from '../../../src/database/connect.ts';
import { migrationNames, tableState } from '../../../src/database/migrate.ts';
import {
  createSecretBox,
  keyPath,
  loadEncryptionKeys,
  parseEncryptionKeys,
} from '../../../src/database/secrets.ts';
import { silentLogger } from '../../../src/log.ts';
import { createTestDatabase } from '../../support/create-test-database.ts';
import { linesOf, report, wrong } from '../../support/doctor.ts';
import { freePort } from '../../support/free-port.ts';
import { seedWorkspace, workspaceId } from '../../support/store-engines.ts';
import { useDirectory } from '../../support/use-directory.ts';
import { untilTestEnds } from '../../support/use-started.ts';

const encryptionKey = Buffer.alloc(32, 1).toString('base64');
const otherKey = Buffer.alloc(32, 2).toString('base64');

const storeLines = async (env: Record<string, string>) => linesOf(await report(env), 'Store');

/** The bot that uses the store, which stays open beside the doctor. */
async function openStore(location: Omit<StoreLocation, 'logger'>): Promise<Database> {
  const database = untilTestEnds(await connectDatabase({ ...location, logger: silentLogger }));
  return database;
}

async function storeSecret(database: Database, keys: [Buffer, ...Buffer[]]): Promise<void> {
  await seedWorkspace(database);
  const place = { table: 'accounts', row: workspaceId, column: 'sealed_account' };
  const sealed = createSecretBox(keys).seal('hunter2', place);
  await database.db
    .updateTable('accounts')
    .set({ sealed_account: sealed })
    .where('workspace_id', '=', workspaceId)
    .execute();
}

interface Place {
  /** The settings with which the bot finds the store. */
  env: Record<string, string>;
  location: Omit<StoreLocation, 'logger'>;
  name: RegExp;
}

const places: { engine: string; create: (kind: 'empty' | 'migrated') => Promise<Place> }[] = [
  {
    engine: 'SQLite',
    async create() {
      const dir = await useDirectory();
      const dataDir = join(dir, 'playground');
      await mkdir(dataDir);
      return { env: { LANDFALL_DATA_DIR: dir }, location: { dataDir }, name: /SQLite in \S+/ };
    },
  },
  {
    engine: 'PostgreSQL',
    async create(kind) {
      const url = await createTestDatabase(kind);
      return { env: { DATABASE_URL: url }, location: { url }, name: /PostgreSQL [\d.]+/ };
    },
  },
];

describe.each(places)('$engine', ({ create }) => {
  let place: Place;
  let database: Database;
  let env: Record<string, string>;
  beforeEach(async () => {
    place = await create('migrated');
    database = await openStore(place.location);
    env = { ...place.env, LANDFALL_ENCRYPTION_KEY: encryptionKey };
  });

  test('a store in use, and the key that opens its secrets', async () => {
    await storeSecret(database, parseEncryptionKeys(encryptionKey));
    const reports = await report(env);
    expect(wrong(reports)).toEqual([]);
    const [tables, secrets] = linesOf(reports, 'Store').slice(-2);
    expect(tables).toMatch(new RegExp(`^✓ ${place.name.source} has the tables of this version$`));
    expect(secrets).toBe('✓ The encryption key opens the stored secret');
  });

  test('another key, until the old one is added', async () => {
    await storeSecret(database, parseEncryptionKeys(encryptionKey));
    expect((await storeLines({ ...env, LANDFALL_ENCRYPTION_KEY: otherKey })).at(-1)).toBe(
      '✗ The encryption key opens only 0 of 1 stored secrets',
    );
    const both = `${otherKey},${encryptionKey}`;
    expect((await storeLines({ ...env, LANDFALL_ENCRYPTION_KEY: both })).at(-1)).toBe(
      '✓ The encryption key opens the stored secret',
    );
  });

  test('tables of a newer version', async () => {
    await sql`insert into kysely_migration (name, timestamp) values ('9999-later', '')`.execute(database.db);
    const [finding] = wrong(await report(env));
    expect(finding?.text).toMatch(/has tables of a newer Landfall, on which this version refuses to start$/);
    expect(finding?.level).toBe('failure');
  });

  test('tables of an older version, and none', async () => {
    expect(await tableState(database.db, [...migrationNames, '9999-later'])).toBe('older');
    expect(await tableState(database.db)).toBe('current');
    await sql`delete from kysely_migration`.execute(database.db);
    expect((await storeLines(env)).join('\n')).toMatch(/is empty: the first start creates the tables/);
  });
});

describe('the directory of SQLite', () => {
  test('before the first start: nothing is created', async () => {
    const dir = await useDirectory();
    const lines = await storeLines({ LANDFALL_DATA_DIR: join(dir, 'data') });
    const dataDir = join(dir, 'data', 'playground');
    expect(lines).toEqual([
      expect.stringMatching(/^✓ \S+ can be written, with [\d,]+ [MG]B free$/),
      `✓ The first start creates the store in ${dataDir}`,
      '✓ The next start creates the encryption key; store a copy apart from the backups',
    ]);
    expect(await readdir(dir)).toEqual([]);
  });

  test('a place that is not a directory', async () => {
    const file = join(await useDirectory(), 'file');
    await writeFile(file, '');
    const [finding] = wrong(await report({ LANDFALL_DATA_DIR: file }));
    expect(finding?.text).toMatch(/^Landfall can't write to \S+: /);
    expect(finding?.remedy).toContain('LANDFALL_DATA_DIR');
  });

  test('little space is a warning, no space a failure', async () => {
    const dir = await useDirectory();
    const at = async (megabytes: number) => {
      const [finding] = await checkDirectory(dir, async () => megabytes * 1024 * 1024);
      return `${finding?.level}: ${finding?.text.replace(dir, 'it')}`;
    };
    expect(await at(20)).toBe('failure: it has 20 MB of free disk space');
    expect(await at(400)).toBe('warning: it has 400 MB of free disk space');
    expect(await at(9_000)).toBe('ok: it can be written, with 8 GB free');
  });

  test('the key file: readable by others, unreadable as a key, missing', async () => {
    const dir = await useDirectory();
    const dataDir = join(dir, 'playground');
    const env = { LANDFALL_DATA_DIR: dir };
    const database = await openStore({ dataDir });
    const keys = await loadEncryptionKeys({
      dataDir,
      hasSecrets: async () => false,
      logger: silentLogger,
    });
    await storeSecret(database, keys);
    const path = keyPath(dataDir);
    const key = await readFile(path, 'utf8');
    expect((await storeLines(env)).at(-1)).toBe('✓ The encryption key opens the stored secret');

    await chmod(path, 0o644);
    const [finding] = wrong(await report(env));
    expect(finding).toMatchObject({
      text: `Other users of this machine can read ${path} (mode 644)`,
      remedy: `chmod 600 ${path}`,
    });

    await writeFile(path, 'not a key');
    expect((await storeLines(env)).at(-1)).toMatch(/^✗ \S+ does not hold a key of 32 bytes/);

    await rm(path);
    const missing = await report(env);
    expect(linesOf(missing, 'Store').at(-1)).toBe(`✗ Secrets are stored, and their key ${path} is missing`);
    expect(await readdir(dataDir)).not.toContain('encryption.key');
    expect(JSON.stringify(missing)).not.toContain(key.trim());
  });
});

test('PostgreSQL that is not there, or that refuses the user, without the password', async () => {
  const port = await freePort();
  const url = `postgres://landfall:s3cret-pass@127.0.0.1:${port}/landfall`;
  const settings = { LANDFALL_ENCRYPTION_KEY: encryptionKey };
  const reports = await report({ ...settings, DATABASE_URL: url });
  expect(linesOf(reports, 'Store')).toEqual([
    `✗ The database does not answer: connect ECONNREFUSED 127.0.0.1:${port}`,
  ]);
  expect(JSON.stringify(reports)).not.toContain('s3cret-pass');
  const there = new URL(await createTestDatabase('empty'));
  there.pathname = '/no-such-database';
  const [line] = await storeLines({ ...settings, DATABASE_URL: there.href });
  expect(line).toMatch(/^✗ .*database "no-such-database" does not exist$/);
});
