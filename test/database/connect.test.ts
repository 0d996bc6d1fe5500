import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectDatabase } from '../../src/database/connect.ts';
import { migrationNames } from '../../src/database/migrate.ts';
import { StoreError } from '../../src/database/store-error.ts';
import { StoreUnavailable } from '../../src/errors.ts';
import { watchState } from '../../src/features/watches/evaluation/state.ts';
import { reply } from '../../src/features/watches/messages/messages.ts';
import { readWatch } from '../../src/features/watches/store/watch.ts';
import { readChannelSettings } from '../../src/workspaces/settings.ts';
import { createTestDatabase } from '../support/create-test-database.ts';
import { createStoreLogger } from '../support/store-logger.ts';
import { waitUntil } from '../support/wait-until.ts';

const logger = createStoreLogger();
const at = new Date('2026-11-21T09:05:00Z');

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

  it('refuses a database that is newer than the code', async () => {
    const url = await createTestDatabase('empty');
    const first = await connectDatabase({ url, logger });
    await sql`insert into kysely_migration values ('0999-tomorrow', ${at.toISOString()})`.execute(first.db);
    await first.close();
    const error = await connectDatabase({ url, logger }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(StoreError);
    expect(String(error)).toContain('belongs to a newer Landfall: it has run 0999-tomorrow');
  });

  it('brings a store of version 4 up to date, with defaults for new columns', async () => {
    await upgradeFrom4({ url: await createTestDatabase('empty') });
  });

  it("removes the account's user id, which a store of version 7 holds unsealed", async () => {
    await upgradeFrom7({ url: await createTestDatabase('empty') });
  });

  it('tells channels from direct messages in a store of version 9', async () => {
    await upgradeFrom9({ url: await createTestDatabase('empty') });
  });

  it('reads the memory of watches and the pending messages of version 11', async () => {
    await upgradeFrom11({ url: await createTestDatabase('empty') });
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

  it("throws StoreUnavailable while the server can't be reached, and leaves other errors as they are", async () => {
    const away = await connectDatabase({ url: 'postgres://127.0.0.1:1/none', logger, migrateTo: 'none' });
    const here = await connectDatabase({ url: await createTestDatabase('empty'), logger });
    await expect(sql`select 1`.execute(away.db)).rejects.toThrow(StoreUnavailable);
    const refused = await sql`select nonsense`.execute(here.db).catch((error: unknown) => error);
    expect(refused).not.toBeInstanceOf(StoreUnavailable);
    const ended = sql`select pg_terminate_backend(pg_backend_pid())`.execute(here.db);
    await expect(ended).rejects.toThrow(StoreUnavailable);
    await away.close();
    await here.close();
  });

  it("shows no password if the server can't be reached", async () => {
    const url = 'postgres://someone:hunter2@127.0.0.1:1/none';
    const error = await connectDatabase({ url, logger }).catch((reason: unknown) => reason);
    expect(String(error)).toContain('ECONNREFUSED');
    expect(String(error)).not.toContain('hunter2');
  });
});

describe('embedded', () => {
  let dataDir: string;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'landfall-store-'));
  });
  afterAll(() => rm(dataDir, { recursive: true, force: true }));

  it("has its rows after a restart, reads times as dates, and holds the workspace's id in every table", async () => {
    const first = await connectDatabase({ dataDir, logger });
    await first.db.insertInto('workspaces').values({ id: 'T1', name: 'One', created_at: at }).execute();
    await first.close();
    const second = await connectDatabase({ dataDir, logger });
    expect(await second.db.selectFrom('workspaces').selectAll().execute()).toEqual([
      { id: 'T1', name: 'One', created_at: at, names_revision: 0, guests: 'ask' },
    ]);
    const tables = (await second.db.introspection.getTables()).filter(({ name }) => name !== 'workspaces');
    for (const { name, columns } of tables) {
      expect([name, columns.map((column) => column.name)]).toEqual([
        name,
        expect.arrayContaining(['workspace_id']),
      ]);
    }
    await second.close();
  });

  it('brings a store of version 4 up to date, with defaults for new columns', async () => {
    await upgradeFrom4({ dataDir: join(dataDir, 'version-4') });
  });

  it("removes the account's user id, which a store of version 7 holds unsealed", async () => {
    await upgradeFrom7({ dataDir: join(dataDir, 'version-7') });
  });

  it('tells channels from direct messages in a store of version 9', async () => {
    await upgradeFrom9({ dataDir: join(dataDir, 'version-9') });
  });

  it('reads the memory of watches and the pending messages of version 11', async () => {
    await upgradeFrom11({ dataDir: join(dataDir, 'version-11') });
  });

  it('refuses a second process on the directory, and starts again after kill -9', async () => {
    const holder = spawn(
      process.execPath,
      [join(import.meta.dirname, '../support/store-holder.ts'), dataDir],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    await once(holder.stdout, 'data');
    const error = await connectDatabase({ dataDir, logger }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(StoreError);
    expect(String(error)).toContain(`Another Landfall (process ${holder.pid}) is using ${dataDir}`);
    holder.kill('SIGKILL');
    await once(holder, 'exit');
    const next = await connectDatabase({ dataDir, logger });
    const rows = await next.db.selectFrom('workspaces').select('id').orderBy('id').execute();
    expect(rows.map(({ id }) => id)).toEqual(['T1', 'T2']);
    await next.close();
    expect((await readdir(dataDir)).filter((name) => name.startsWith('in-use'))).toEqual([]);
  });

  it('is not blocked by a process number that has been reused', async () => {
    const stale = {
      pid: process.pid,
      startedAt: '1',
      bootId: await bootId(),
      pidNamespace: await namespace(),
    };
    await writeFile(join(dataDir, `in-use.${process.pid}-x.json`), JSON.stringify(stale));
    await (await connectDatabase({ dataDir, logger })).close();
  });
});

/** In this version channels have only a mode, and the subjects of audit rows name the channel. */
async function upgradeFrom4(place: { url: string } | { dataDir: string }): Promise<void> {
  const old = await connectDatabase({ ...place, logger, migrateTo: '0004-digests' });
  for (const statement of [
    sql`insert into workspaces (id, name, created_at) values ('T1', 'One', ${at})`,
    sql`insert into channels values ('T1', 'C1', 'thread', ${at}, 'U1')`,
    sql`insert into audit (id, workspace_id, at, actor_id, action, subject) values
      ('a', 'T1', ${at}, 'U1', 'watch.stop', 'NORTH in UK in C024BE7LR'), ('b', 'T1', ${at}, 'U1', 'x', 'in words')`,
  ]) {
    await statement.execute(old.db);
  }
  await old.close();
  const { db, close } = await connectDatabase({ ...place, logger });
  expect(await readChannelSettings(db, { workspaceId: 'T1', channelId: 'C1' })).toEqual({
    mode: 'thread',
    visibility: 'private',
    whoMayAdd: 'members',
  });
  const rows = await db.selectFrom('audit').select(['subject', 'channel_id']).orderBy('id').execute();
  expect(rows).toEqual([
    { subject: 'NORTH in UK', channel_id: 'C024BE7LR' },
    { subject: 'in words', channel_id: null },
  ]);
  await close();
}

/** In this version the account's user id is unsealed in a separate column. */
async function upgradeFrom7(place: { url: string } | { dataDir: string }): Promise<void> {
  const old = await connectDatabase({ ...place, logger, migrateTo: '0007-digest-numbers' });
  for (const statement of [
    sql`insert into workspaces (id, name, created_at) values ('T1', 'One', ${at})`,
    sql`insert into credentials (id, workspace_id, label, base_url, sealed_account, updated_at)
      values ('c1', 'T1', 'user-of-the-account', 'https://a.example', 'sealed', ${at})`,
  ]) {
    await statement.execute(old.db);
  }
  await old.close();
  const { db, close } = await connectDatabase({ ...place, logger });
  const rows = await db.selectFrom('credentials').selectAll().execute();
  expect(rows).toMatchObject([{ id: 'c1', sealed_account: 'sealed' }]);
  expect(JSON.stringify(rows)).not.toContain('user-of-the-account');
  await close();
}

/** In this version the first letter of an id distinguished channels from direct messages. */
async function upgradeFrom9(place: { url: string } | { dataDir: string }): Promise<void> {
  const old = await connectDatabase({ ...place, logger, migrateTo: '0009-guests' });
  await sql`insert into workspaces (id, name, created_at) values ('T1', 'One', ${at})`.execute(old.db);
  await sql`insert into credentials (id, workspace_id, base_url, sealed_account, updated_at)
    values ('c1', 'T1', 'https://a.example', 'sealed', ${at})`.execute(old.db);
  for (const id of ['C1', 'D1', 'G1', 'U1']) {
    const notice = JSON.stringify({ kind: 'digest-notice', channelId: id });
    for (const statement of [
      sql`insert into watches (id, workspace_id, credential_id, channel_id, owner_id, title, rules, status, created_at)
        values (${id}, 'T1', 'c1', ${id}, 'U1', 'x', '{}', 'active', ${at})`,
      sql`insert into digests (id, workspace_id, channel_id, number, owner_id, title, lines, schedule, zone, only_news,
        status, created_at, due_at) values (${id}, 'T1', ${id}, 1, 'U1', 'x', '[]', '{}', 'UTC', false, 'active', ${at}, ${at})`,
      sql`insert into outbox (id, workspace_id, channel_id, kind, payload, status, created_at, due_at) values
        (${`${id}@1`}, 'T1', ${id}, 'digest', '{"kind":"digest"}', 'pending', ${at}, ${at}),
        (${`${id}@2`}, 'T1', 'U1', 'digest-notice', ${notice}, 'pending', ${at}, ${at})`,
    ]) {
      await statement.execute(old.db);
    }
  }
  await old.close();
  const { db, close } = await connectDatabase({ ...place, logger });
  const kinds = ['channel', 'direct-message', 'channel', 'direct-message'];
  for (const table of ['watches', 'digests'] as const) {
    const rows = await db.selectFrom(table).select('destination').orderBy('id').execute();
    expect(rows.map(({ destination }) => destination)).toEqual(kinds);
  }
  const waiting = await db.selectFrom('outbox').select('payload').orderBy('kind').orderBy('id').execute();
  expect(waiting.map(({ payload }) => payload)).toMatchObject(
    [...kinds, ...kinds].map((destination) => ({ destination })),
  );
  await close();
}

/** The form in which they were written while one file held all rules. */
async function upgradeFrom11(place: { url: string } | { dataDir: string }): Promise<void> {
  const told = { port: 'NLRTM', probability: 0.82, eta: at, at };
  const state = {
    kind: 'vessels',
    snapshotAt: at,
    stale: false,
    vessels: {
      9461477: {
        scale: 'fraction',
        told,
        challenged: 0,
        previous: null,
        wavering: null,
        calls: { NLRTM: { sequence: 1, passed: [72], overdue: true } },
        nextCall: 2,
        belowArmed: true,
        due: { 'NLRTM x': { lateArmed: true, unlikelyArmed: false, eta: at } },
        emptyPolls: 0,
        lost: false,
        ended: false,
      },
    },
  };
  const event = { kind: 'no-longer-listed', imo: 9461477, was: told, next: { ...told, port: 'BEANR' } };
  const rules = { nextPort: true, noLongerListed: false };
  const old = await connectDatabase({ ...place, logger, migrateTo: '0011-destinations' });
  const json = (value: unknown) => JSON.stringify(value);
  for (const statement of [
    sql`insert into workspaces (id, name, created_at) values ('T1', 'One', ${at})`,
    sql`insert into credentials (id, workspace_id, base_url, sealed_account, updated_at)
      values ('c1', 'T1', 'https://a.example', 'sealed', ${at})`,
    sql`insert into watches (id, workspace_id, credential_id, channel_id, owner_id, title, rules, news, status, created_at)
      values ('w1', 'T1', 'c1', 'C1', 'U1', 'x', ${json(rules)}, ${json({ at, events: [event] })}, 'active', ${at})`,
    sql`insert into subjects (id, workspace_id, credential_id, kind, key, interval_minutes, due_at)
      values ('s1', 'T1', 'c1', 'vessel', '9461477', 15, ${at})`,
    sql`insert into followings (workspace_id, watch_id, subject_id, state) values ('T1', 'w1', 's1', ${json(state)})`,
    sql`insert into outbox (id, workspace_id, channel_id, kind, payload, status, created_at, due_at)
      values ('m1', 'T1', 'C1', 'reply', ${json({ kind: 'reply', events: [event], subjects: [], place: 'thread' })}, 'pending', ${at}, ${at})`,
  ]) {
    await statement.execute(old.db);
  }
  await old.close();
  const { db, close } = await connectDatabase({ ...place, logger });
  const following = await db.selectFrom('followings').selectAll().executeTakeFirstOrThrow();
  const baseline = { ...told, eta: at, at };
  expect(watchState.parse(following.state)).toMatchObject({
    vessels: {
      9461477: {
        baseline,
        memory: { due: { 'NLRTM x': { lateArmed: true, unlikelyArmed: false } } },
        calls: { NLRTM: { sequence: 1, memory: { arrivingHours: [72], overdueHours: true, below: true } } },
      },
    },
  });
  const watch = readWatch(await db.selectFrom('watches').selectAll().executeTakeFirstOrThrow());
  expect(watch.rules.noLongerPredicted).toBe(false);
  expect(watch.news?.events).toMatchObject([{ kind: 'no-longer-predicted', was: baseline }]);
  const { payload } = await db.selectFrom('outbox').select('payload').executeTakeFirstOrThrow();
  expect(reply.parse(payload).events).toMatchObject([{ kind: 'no-longer-predicted' }]);
  await close();
}

async function bootId(): Promise<string> {
  const { readFile } = await import('node:fs/promises');
  return (await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '')).trim();
}

async function namespace(): Promise<string> {
  const { readlink } = await import('node:fs/promises');
  return readlink('/proc/self/ns/pid').catch(() => '');
}
