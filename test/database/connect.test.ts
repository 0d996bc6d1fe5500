import { access, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { connectDatabase, connectTool } from '../../src/database/connect.ts';
import { claimDue, createLease } from '../../src/database/due.ts';
import { migrationNames } from '../../src/database/migrate.ts';
import { storeOf } from '../../src/database/workspace-store.ts';
import { StoreError, StoreUnavailable } from '../../src/errors.ts';
import { pendingMessage } from '../../src/outbox/outgoing-message.ts';
import { createTestDatabase } from '../support/create-test-database.ts';
import { holdStore } from '../support/hold-store.ts';
import { direct } from '../support/statements/direct.ts';
import { createStoreLogger } from '../support/store-logger.ts';
import { useDirectory } from '../support/use-directory.ts';
import { waitUntil } from '../support/wait-until.ts';

const logger = createStoreLogger();
const at = new Date('2026-11-21T09:05:00Z');

let home: string;
beforeEach(async () => {
  home = await useDirectory();
});

const refusal = async (location: { url?: string | undefined; dataDir?: string }): Promise<string> => {
  const error = await connectDatabase({ ...location, logger }).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(StoreError);
  return String(error);
};

describe.each(['sqlite', 'postgres'] as const)('a store, %s', (engine) => {
  const place = async () => ({
    url: engine === 'postgres' ? await createTestDatabase('empty') : undefined,
    dataDir: join(home, 'data'),
  });

  it("has its rows after a restart, with dates, flags and JSON, and holds the workspace's id in every table", async () => {
    const location = { ...(await place()), logger };
    const first = await connectDatabase(location);
    await first.db.insertInto('workspaces').values({ id: 'T1', name: 'One', created_at: at }).execute();
    const message = { kind: 'x', words: 'é \u2028 🚢', list: [null, 1.5, { a: true }] };
    const pending = { id: 'm1', channelId: 'C1', message, now: at, dueAt: at };
    await storeOf(first.db, 'T1').insertInto('outbox', pendingMessage(pending)).execute();
    await first.close();
    const second = await connectDatabase(location);
    expect(await second.db.selectFrom('workspaces').selectAll().execute()).toMatchObject([
      { id: 'T1', name: 'One', created_at: at, names_revision: 0, guests: 'ask', uninstalled_at: null },
    ]);
    expect(await direct(second.db).selectFrom('outbox').selectAll().execute()).toEqual([
      { ...pendingMessage(pending), workspace_id: 'T1', sequence: 1, payload: message, is_in_channel: false },
    ]);
    // A workspace's id is its own; that of an installation is a team's or an organisation's; workspaces share logins;
    // an install has a state before it has a workspace.
    const own = ['workspaces', 'installations', 'logins', 'used_install_states'];
    const tables = (await second.db.introspection.getTables()).filter(({ name }) => !own.includes(name));
    expect(tables.length).toBeGreaterThan(10);
    for (const { name, columns } of tables) {
      expect([name, columns.map((column) => column.name)]).toEqual([
        name,
        expect.arrayContaining(['workspace_id']),
      ]);
    }
    await second.close();
  });

  it('of a newer Landfall is refused', async () => {
    const location = await place();
    const first = await connectDatabase({ ...location, logger });
    await sql`insert into kysely_migration values ('0999-tomorrow', ${at.toISOString()})`.execute(first.db);
    await first.close();
    expect(await refusal(location)).toBe(
      'StoreError: This database belongs to a newer Landfall: it has run 0999-tomorrow, which this version does not know. ' +
        'Start the newer version, or restore a backup made by this one.',
    );
  });
});

describe('on PostgreSQL', () => {
  it('migrates once when four processes start together', async () => {
    const url = await createTestDatabase('empty');
    const all = await Promise.all([1, 2, 3, 4].map(() => connectDatabase({ url, logger })));
    const done = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(
      (all[0] ?? expect.fail()).db,
    );
    expect(done.rows.map(({ name }) => name)).toEqual(migrationNames);
    await Promise.all(all.map((database) => database.close()));
  });

  it('a connection that the server ends between two statements fails its transaction, not the process', async () => {
    const own = createStoreLogger();
    const { db, close } = await connectDatabase({ url: await createTestDatabase('empty'), logger: own });
    const failed = db.transaction().execute(async (transaction) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(transaction);
      await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(db);
      await waitUntil('it is known', () =>
        own.lines.some(({ message }) => message === 'a database connection broke'),
      );
      await sql`select 1`.execute(transaction);
    });
    await expect(failed).rejects.toThrow(StoreUnavailable);
    expect((await sql`select 1`.execute(db)).rows).toHaveLength(1);
    await close();
  });

  it("throws StoreUnavailable while the server can't be reached, without its password, and leaves other errors as they are", async () => {
    const url = 'postgres://someone:hunter2@127.0.0.1:1/none';
    const error = String(await connectDatabase({ url, logger }).catch((reason: unknown) => reason));
    expect(error).toContain('ECONNREFUSED');
    expect(error).not.toContain('hunter2');
    const away = await connectDatabase({ url, logger, migrateTo: 'none' });
    const here = await connectDatabase({ url: await createTestDatabase('empty'), logger });
    await expect(sql`select 1`.execute(away.db)).rejects.toThrow(StoreUnavailable);
    const refused = await sql`select nonsense`.execute(here.db).catch((error: unknown) => error);
    expect(refused).not.toBeInstanceOf(StoreUnavailable);
    const ended = sql`select pg_terminate_backend(pg_backend_pid())`.execute(here.db);
    await expect(ended).rejects.toThrow(StoreUnavailable);
    await away.close();
    await here.close();
  });
});

describe('on SQLite', () => {
  it('refuses a second process on the directory; after kill -9, the next one clears the leases and works', async () => {
    const dataDir = join(home, 'data');
    const before = await connectDatabase({ dataDir, logger });
    await before.db.insertInto('workspaces').values({ id: 'held', name: 'Held', created_at: at }).execute();
    const pending = { channelId: 'C1', message: { kind: 'x' }, now: at, dueAt: at };
    const waits = pendingMessage({ ...pending, id: 'after a failure' });
    const later = new Date(Date.now() + 3_600_000);
    await storeOf(before.db, 'held')
      .insertInto('outbox', [
        pendingMessage({ ...pending, id: 'claimed' }),
        { ...waits, lease_until: new Date(Date.now() + 600_000) },
      ])
      .execute();
    await before.close();

    const holder = await holdStore(dataDir);
    expect(await refusal({ dataDir })).toBe(
      `StoreError: Another Landfall (process ${holder.pid}) is using ${dataDir}. ` +
        'Stop it first, or give this one a LANDFALL_DATA_DIR of its own.',
    );
    await holder.kill();

    const next = await connectDatabase({ dataDir, logger });
    const lease = createLease(storeOf(next.db, 'held'), { key: 'held', token: 'next' });
    expect(await lease.acquire(30_000)).toBe(true);
    const due = { table: 'outbox', now: later, limit: 10, leaseToken: 'next' } as const;
    const claimed = await claimDue({ store: storeOf(next.db, 'held'), ...due });
    expect(claimed.map(({ id }) => id)).toEqual(['claimed']);
    // A transaction that was cut off left nothing.
    const pairs = await direct(next.db).selectFrom('audit').select('id').orderBy('id').execute();
    const others = await direct(next.db)
      .selectFrom('digest_numbers')
      .select('channel_id as id')
      .orderBy('id')
      .execute();
    expect(pairs.length).toBeGreaterThan(0);
    expect(pairs).toEqual(others);
    await next.close();
    await (await connectDatabase({ dataDir, logger })).close();
  });

  it('can be read, but not written, by a second connection while the bot writes', async () => {
    const location = { dataDir: join(home, 'data'), logger };
    const bot = await connectDatabase(location);
    const reader = await connectTool(location, { isReadOnly: true });
    await bot.db.insertInto('workspaces').values({ id: 'T1', name: 'One', created_at: at }).execute();
    const namesIn = (db: typeof reader.db) => db.selectFrom('workspaces').select('name').execute();
    await reader.db.transaction().execute(async (transaction) => {
      expect(await namesIn(transaction)).toEqual([{ name: 'One' }]);
      await bot.db.updateTable('workspaces').set({ name: 'Two' }).execute();
      expect(await namesIn(transaction)).toEqual([{ name: 'One' }]);
    });
    expect(await namesIn(reader.db)).toEqual([{ name: 'Two' }]);
    await expect(reader.db.deleteFrom('workspaces').execute()).rejects.toThrow('readonly database');
    await reader.close();
    await bot.close();
  });

  it('keeps its files for their owner only', async () => {
    const dataDir = join(home, 'new/data');
    const { close } = await connectDatabase({ dataDir, logger });
    const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);
    const names = await readdir(dataDir);
    expect(names.sort()).toEqual(
      ['db', 'db-shm', 'db-wal', 'lock', 'pid'].map((ending) => `landfall.${ending}`),
    );
    for (const name of names) expect([name, await modeOf(join(dataDir, name))]).toEqual([name, '600']);
    expect(await modeOf(dataDir)).toBe('700');
    await close();
  });

  it("names the place if it can't be opened or read", async () => {
    await mkdir(join(home, 'taken/landfall.db'), { recursive: true });
    expect(await refusal({ dataDir: join(home, 'taken') })).toContain(
      `The store in ${join(home, 'taken')} could not be opened`,
    );
    await mkdir(join(home, 'broken'));
    await writeFile(join(home, 'broken/landfall.db'), 'not a database'.repeat(100));
    expect(await refusal({ dataDir: join(home, 'broken') })).toContain(
      'could not be opened: file is not a database',
    );
    // After a refusal the lock is free.
    await rm(join(home, 'broken/landfall.db'));
    await (await connectDatabase({ dataDir: join(home, 'broken'), logger })).close();
    await expect(access(join(home, 'broken/landfall.pid'))).rejects.toThrow('ENOENT');
  });

  it('throws StoreUnavailable while the disk is full, keeps what it has, and goes on afterwards', async () => {
    const { db, close } = await connectDatabase({ dataDir: join(home, 'data'), logger });
    const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(db);
    const limitPages = (pages: number) => sql`pragma max_page_count = ${sql.lit(pages)}`.execute(db);
    await limitPages((rows[0]?.page_count ?? 0) + 2);
    const write = (id: string, to = db) =>
      to
        .insertInto('workspaces')
        .values({ id, name: 'x'.repeat(100_000), created_at: at })
        .execute();
    // SQLite may end a transaction at once.
    const writeTogether = () => db.transaction().execute((transaction) => write('T1', transaction));
    for (const tryToWrite of [() => write('T1'), writeTogether]) {
      const error = await tryToWrite().catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(StoreUnavailable);
      expect(error).toMatchObject({ cause: { message: 'database or disk is full' } });
    }
    expect(await db.selectFrom('workspaces').select('id').execute()).toEqual([]);
    await limitPages(1_000_000);
    await write('T1');
    await close();
  });
});
