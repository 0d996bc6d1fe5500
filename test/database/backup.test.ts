import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { backUp, dumpDatabase, restore } from '../../src/database/backup-file.ts';
import { connectDatabase, connectTool, type Database } from '../../src/database/connect.ts';
import { migrationNames } from '../../src/database/migrate.ts';
import { createSecretBox } from '../../src/database/secrets.ts';
import { createDatabaseTokenStore } from '../../src/workspaces/accounts.ts';
import { createTestDatabase } from '../support/create-test-database.ts';
import { contentOf, fillEveryTable } from '../support/every-table.ts';
import { holdStore, type StoreHolder } from '../support/hold-store.ts';
import { runScript } from '../support/run-script.ts';
import { direct } from '../support/statements/direct.ts';
import { loginId, seedWorkspace } from '../support/store-engines.ts';
import { createStoreLogger } from '../support/store-logger.ts';
import { useDirectory } from '../support/use-directory.ts';
import { createWatchFixture } from '../support/watch-fixture.ts';
import { cypress, hour } from '../support/watch-story.ts';

const logger = createStoreLogger();
const box = createSecretBox([Buffer.alloc(32, 7)]);

let home: string;
const at = (name: string) => join(home, name);
const place = (name: string) => ({ dataDir: at(name), logger });
const bots: StoreHolder[] = [];
const startBot = async (storePlace: string) => {
  const bot = await holdStore(storePlace);
  bots.push(bot);
  return bot;
};
beforeEach(async () => {
  home = await useDirectory();
});
afterEach(() => Promise.all(bots.splice(0).map((bot) => bot.kill())));

describe('a backup', () => {
  it("of a running bot's store moves all tables from SQLite to PostgreSQL and back", async () => {
    const first = await connectDatabase(place('first'));
    await fill(first);
    const content = await contentOf(first.db);
    await first.close();
    for (const [table, rows] of Object.entries(content)) expect(rows, table).not.toEqual([]);

    const bot = await startBot(at('first'));
    const backedUpAt = new Date('2026-11-23T09:00:00Z');
    const rows = await backUp(at('one.jsonl'), { ...place('first'), now: () => backedUpAt.getTime() });
    await bot.written(1);
    await expect(restore(at('one.jsonl'), place('first'))).rejects.toThrow(
      `Another Landfall (process ${bot.pid}) is using ${at('first')}`,
    );
    await bot.kill();

    const url = await createTestDatabase('empty');
    const restoredAt = new Date('2026-11-24T08:30:00Z');
    const now = () => restoredAt.getTime();
    expect(await restore(at('one.jsonl'), { url, logger, now })).toEqual({ rows, hasSecrets: true });
    const second = await connectDatabase({ url, logger });
    const moved = withoutMarks(await contentOf(second.db));
    for (const [table, stored] of Object.entries(withoutMarks(content))) {
      const found = new Set(moved[table]);
      expect([table, stored.filter((row) => !found.has(row))]).toEqual([table, []]);
    }
    expect(moved.outbox).toEqual(withoutMarks(content).outbox);
    const windows = direct(second.db).selectFrom('workspaces').select(['backed_up_at', 'restored_at']);
    expect(new Set((await windows.execute()).map((window) => JSON.stringify(window)))).toEqual(
      new Set([JSON.stringify({ backed_up_at: backedUpAt, restored_at: restoredAt })]),
    );
    expect(await direct(second.db).selectFrom('leases').selectAll().execute()).toEqual([]);
    const tokens = createDatabaseTokenStore({ db: second.db, box, loginId });
    expect(await tokens.read()).toMatchObject({ token: { token: 'secret-token' } });
    await second.close();

    await backUp(at('two.jsonl'), { url, logger });
    await restore(at('two.jsonl'), place('third'));
    const third = await connectDatabase(place('third'));
    expect(withoutMarks(await contentOf(third.db))).toEqual(moved);
    // New messages continue the restored order.
    const fixture = createWatchFixture(third, { next: 900_000 });
    fixture.vessels.set(cypress, { BEANR: [0.9, 500] });
    expect(await fixture.at(40)).toMatchObject({ replies: 1 });
    const sequences = direct(third.db)
      .selectFrom('outbox')
      .select(['id', 'sequence'])
      .orderBy('sequence', 'desc');
    expect((await sequences.executeTakeFirst())?.id).toMatch(/^id-9/);
    await third.close();
  });

  it('of a stopped bot holds the version of its tables, in a file for its owner only', async () => {
    await (await connectDatabase(place('first'))).close();
    expect(await backUp(at('one.jsonl'), place('first'))).toBe(0);
    const [header] = (await readFile(at('one.jsonl'), 'utf8')).split('\n');
    expect(JSON.parse(header ?? '')).toMatchObject({
      format: 'landfall-backup-3',
      migration: migrationNames.at(-1),
    });
    expect(await modeOf(at('one.jsonl'))).toBe('600');
    expect((await readdir(home)).sort()).toEqual(['first', 'one.jsonl']);
  });

  it('of a place without a store fails, and an older backup stays as it was', async () => {
    await writeFile(at('one.jsonl'), 'the older one');
    const old = { ...place('old'), overwrite: true };
    await expect(backUp(at('one.jsonl'), { ...place('nowhere'), overwrite: true })).rejects.toThrow(
      `There is no store in ${at('nowhere')}`,
    );
    await expect(backUp(at('one.jsonl'), { logger, overwrite: true })).rejects.toThrow('a store in memory');
    const url = await createTestDatabase('empty');
    await expect(backUp(at('one.jsonl'), { url, logger, overwrite: true })).rejects.toThrow(
      'the store has no tables yet',
    );
    await (await connectDatabase({ ...old, migrateTo: 'none' })).close();
    await expect(backUp(at('one.jsonl'), old)).rejects.toThrow('the store has no tables yet');
    expect(await readFile(at('one.jsonl'), 'utf8')).toBe('the older one');
    expect(await readdir(home)).not.toContain('one.jsonl.unfinished');
  });

  it('overwrites an older backup only on request', async () => {
    await (await connectDatabase(place('first'))).close();
    await writeFile(at('one.jsonl'), 'the older one');
    await expect(backUp(at('one.jsonl'), place('first'))).rejects.toThrow('already exists');
    await expect(backUp(at('none/one.jsonl'), place('first'))).rejects.toThrow(
      `${at('none/one.jsonl')} can't be written: ENOENT`,
    );
    expect(await readFile(at('one.jsonl'), 'utf8')).toBe('the older one');
    await backUp(at('one.jsonl'), { ...place('first'), overwrite: true });
    expect(await readFile(at('one.jsonl'), 'utf8')).toContain('landfall-backup');
  });

  it('works from the command line, while a bot runs and after kill -9', async () => {
    const bot = await startBot(at('first/playground'));
    expect(await run('backup', [at('one.jsonl')], at('first'))).toMatchObject({ code: 0 });
    await bot.written(1);
    await bot.kill();
    expect(await run('backup', [at('one.jsonl')], at('first'))).toMatchObject({ code: 1 });
    const one = await rowsOf('one.jsonl');
    expect(await run('backup', [at('one.jsonl'), '--overwrite'], at('first'))).toMatchObject({ code: 0 });
    const two = await rowsOf('one.jsonl');
    expect(two.length).toBeGreaterThan(one.length);
    expect(two).toEqual(expect.arrayContaining(one));
    expect(await run('restore', [at('one.jsonl')], at('second'))).toMatchObject({
      code: 0,
      output: expect.stringMatching(new RegExp(`Restored ${two.length} rows(?!.*encryption\\.key)`, 's')),
    });
    expect(await run('restore', [at('one.jsonl')], at('second'))).toMatchObject({
      code: 1,
      output: expect.stringContaining('This store is not empty'),
    });
    expect(await run('backup', [], at('second'))).toMatchObject({ code: 2 });
    const unreachable = {
      DATABASE_URL: 'postgres://127.0.0.1:1/none',
      LANDFALL_ENCRYPTION_KEY: 'a'.repeat(64),
    };
    expect(await run('backup', [at('three.jsonl')], at('second'), unreachable)).toEqual({
      code: 1,
      output: 'The database does not answer: connect ECONNREFUSED 127.0.0.1:1\n',
    });
    expect(await modeOf(at('second/playground'))).toBe('700');
    expect(await modeOf(at('second/playground/landfall.db'))).toBe('600');
  });
});

describe.each(['sqlite', 'postgres'] as const)('a dump of a store that a bot writes, %s', (engine) => {
  it('is of one moment, and holds up no write, even if its reader stops reading', async () => {
    const url = engine === 'postgres' ? await createTestDatabase('empty') : undefined;
    const bot = await startBot(url ?? at('first'));
    const { db, close } = await connectTool({ url, dataDir: at('first'), logger }, { isReadOnly: true });
    const lines: string[] = [];
    let before = 0;
    await dumpDatabase(db, {
      now: new Date(),
      async write(text) {
        lines.push(...text.split('\n').filter(Boolean));
        if (before > 0) return;
        before = await countPairs({ url, dataDir: at('first'), logger });
        // The reader goes on only when the bot has committed more.
        await bot.written(20);
      },
    });
    await close();
    const rows: { table?: string; row: Record<string, unknown> }[] = lines.map((line) => JSON.parse(line));
    const ids = (name: string, column: string) =>
      rows.flatMap(({ table, row }) => (table === name ? [row[column]] : [])).sort();
    const pairs = ids('audit', 'id');
    expect(pairs.length).toBeGreaterThan(0);
    expect(pairs.length).toBeLessThanOrEqual(before);
    expect(ids('digest_numbers', 'channel_id')).toEqual(pairs);
  });
});

const marks = new Set(['backed_up_at', 'restored_at', 'restored_from', 'attempted_at']);

/** Leaves out what a restore changes: the marks of what may have happened after the backup. */
function withoutMarks(content: Record<string, string[]>): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(content).map(([table, rows]) => {
      const unmarked = rows.map((text) =>
        JSON.stringify(JSON.parse(text), (key, value) => (marks.has(key) ? undefined : value)),
      );
      return [table, table === 'outbox' ? unmarked : unmarked.sort()];
    }),
  );
}

async function countPairs(location: Parameters<typeof connectTool>[0]): Promise<number> {
  const { db, close } = await connectTool(location, { isReadOnly: true });
  const rows = await direct(db).selectFrom('audit').select('id').execute();
  await close();
  return rows.length;
}

async function fill(database: Database): Promise<void> {
  await fillEveryTable(database, { workspaceId: 'T7' });
  await fillEveryTable(database, { workspaceId: 'T8', rows: 501 });
  await seedWorkspace(database);
  const fixture = createWatchFixture(database);
  fixture.vessels.set(cypress, { NLRTM: [0.9, 500] });
  const { id } = await fixture.watch([{ kind: 'vessel', imo: cypress }]);
  await fixture.at(0);
  fixture.vessels.set(cypress, { DEHAM: [0.9, 500] });
  await fixture.at(7);
  await fixture.store.change(id, { snooze: { kind: 'until', at: hour(12) } }, fixture.by());
  const tokens = createDatabaseTokenStore({ db: database.db, box, loginId });
  await tokens.write({ credential: 'tag', token: { token: 'secret-token', obtainedAt: 1 } });
}

const rowsOf = async (name: string) =>
  (await readFile(at(name), 'utf8')).split('\n').filter((line) => line.includes('"row"'));
const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

async function run(
  script: string,
  args: string[],
  dataDir: string,
  settings: Record<string, string> = {},
): Promise<{ code: unknown; output: string }> {
  const { code, output } = await runScript(script, args, { LANDFALL_DATA_DIR: dataDir, ...settings }).ended;
  return { code, output };
}
