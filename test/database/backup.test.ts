import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { backUp, restore } from '../../src/database/backup-file.ts';
import { askForBackup, serveBackups } from '../../src/database/backup-socket.ts';
import { connectDatabase, type Database } from '../../src/database/connect.ts';
import { dumpDatabase, restoreDump, tableNames } from '../../src/database/dump.ts';
import { migrationNames } from '../../src/database/migrate.ts';
import { createSecretBox } from '../../src/database/secrets.ts';
import { createDatabaseTokenStore } from '../../src/workspaces/token-store.ts';
import { createTestDatabase } from '../support/create-test-database.ts';
import { credentialId, seedWorkspace, workspaceId } from '../support/store-engines.ts';
import { createStoreLogger } from '../support/store-logger.ts';
import { createWatchFixture } from '../support/watch-fixture.ts';
import { cypress, hour } from '../support/watch-story.ts';

const logger = createStoreLogger();
const box = createSecretBox([Buffer.alloc(32, 7)]);

describe('a backup', () => {
  let home: string;
  let blank: string;
  /** Creating an embedded store takes seconds, so each test starts with copies of one. */
  const withBlank = (...names: string[]) =>
    Promise.all(names.map((name) => cp(blank, at(name), { recursive: true })));
  beforeAll(async () => {
    blank = await mkdtemp(join(tmpdir(), 'landfall-blank-'));
    await (await connectDatabase({ dataDir: blank, logger })).close();
  });
  afterAll(() => rm(blank, { recursive: true, force: true }));
  const at = (name: string) => join(home, name);
  const place = (name: string) => ({ url: undefined, dataDir: at(name), logger });
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'landfall-backup-'));
  });
  afterEach(() => rm(home, { recursive: true, force: true }));

  it("of a running bot's embedded store goes to PostgreSQL and back without a changed row", async () => {
    await withBlank('first', 'third');
    const first = await connectDatabase({ dataDir: at('first'), logger });
    await fill(first);
    const server = await serveBackups({ db: first.db, dataDir: at('first'), logger });
    const rows = await backUp(at('one.jsonl'), place('first'));
    expect(rows).toBeGreaterThan(10);
    expect((await stat(at('one.jsonl'))).mode & 0o777).toBe(0o600);
    const content = await contentOf(first);
    await server.close();
    await first.close();

    const url = await createTestDatabase('empty');
    expect(await restore(at('one.jsonl'), { url, dataDir: undefined, logger })).toEqual({
      rows,
      hasSecrets: true,
    });
    const second = await connectDatabase({ url, logger });
    expect(await contentOf(second)).toEqual(content);
    const tokens = createDatabaseTokenStore({ db: second.db, box, workspaceId, credentialId });
    expect(await tokens.read()).toMatchObject({ token: { token: 'secret-token' } });
    await second.close();

    await backUp(at('two.jsonl'), { url, dataDir: undefined, logger });
    await restore(at('two.jsonl'), place('third'));
    const third = await connectDatabase({ dataDir: at('third'), logger });
    expect(await contentOf(third)).toEqual(content);
    // New rows continue the restored sequence.
    const fixture = createWatchFixture(third, { next: 900_000 });
    fixture.vessels.set(cypress, { BEANR: [0.9, 500] });
    expect(await fixture.at(40)).toMatchObject({ replies: 1 });
    await third.close();
  });

  it('of a stopped bot opens the store itself, and leaves only the file behind', async () => {
    await withBlank('first');
    const first = await connectDatabase({ dataDir: at('first'), logger });
    await seedWorkspace(first);
    await first.close();
    await backUp(at('one.jsonl'), place('first'));
    const [header] = (await readFile(at('one.jsonl'), 'utf8')).split('\n');
    expect(JSON.parse(header ?? '')).toMatchObject({
      format: 'landfall-backup-1',
      migration: migrationNames.at(-1),
    });
    expect((await readdir(home)).sort()).toEqual(['first', 'one.jsonl']);
  });

  it('does not delay a stop if its reader has stopped reading', async () => {
    await withBlank('first');
    const first = await connectDatabase({ dataDir: at('first'), logger });
    const server = await serveBackups({ db: first.db, dataDir: at('first'), logger, graceMs: 0 });
    const reader = await askForBackup(at('first'));
    reader?.pause().on('error', () => {});
    await server.close();
    await first.close();
    reader?.destroy();
  });

  it('of an empty directory fails, and an older backup stays as it was', async () => {
    await writeFile(at('one.jsonl'), 'the older one');
    await expect(backUp(at('one.jsonl'), { ...place('nowhere'), overwrite: true })).rejects.toThrow(
      'There is nothing to back up',
    );
    expect(await readFile(at('one.jsonl'), 'utf8')).toBe('the older one');
  });

  it('overwrites an older backup only on request', async () => {
    await withBlank('first');
    await writeFile(at('one.jsonl'), 'the older one');
    await expect(backUp(at('one.jsonl'), place('first'))).rejects.toThrow('already exists');
    expect(await readFile(at('one.jsonl'), 'utf8')).toBe('the older one');
    await backUp(at('one.jsonl'), { ...place('first'), overwrite: true });
    expect(await readFile(at('one.jsonl'), 'utf8')).toContain('landfall-backup');
  });

  it('that is incomplete, changed, from a newer version or not a backup restores nothing', async () => {
    const lines: string[] = [];
    await withBlank('first');
    const first = await connectDatabase({ dataDir: at('first'), logger });
    await fill(first);
    const write = async (text: string) => {
      lines.push(...text.split('\n').filter(Boolean));
    };
    await dumpDatabase(first.db, { write, now: new Date() });
    await first.close();
    const target = await connectDatabase({ logger, migrateTo: 'none' });
    const broken: [string, string[]][] = [
      ['was cut short', lines.slice(0, -1)],
      ['rows and holds', lines.toSpliced(-2, 1)],
      ["Line 3 of this backup can't be read", lines.toSpliced(2, 1, '{"table":')],
      ['a table that is unknown here: pg_authid', lines.toSpliced(2, 0, '{"table":"pg_authid","row":{}}')],
      ['of a newer Landfall (0999)', ['{"format":"landfall-backup-1","migration":"0999","at":""}']],
      ["isn't a backup of Landfall", ['hello']],
      ["isn't a backup of Landfall", []],
    ];
    for (const [message, text] of broken) {
      await expect(restoreDump(target.db, Readable.from(text))).rejects.toThrow(message);
    }
    await restoreDump(target.db, Readable.from(lines));
    await expect(restoreDump(target.db, Readable.from(lines))).rejects.toThrow('This store is not empty');
    await target.close();
    await expect(restore(at('missing.jsonl'), place('target'))).rejects.toThrow("can't be read");
  });

  it('works from the command line (npm run backup and restore), even after kill -9 of a bot that served backups', async () => {
    await withBlank('first/playground', 'second/playground');
    const holding = [join(import.meta.dirname, '../support/store-holder.ts'), at('first/playground')];
    const holder = spawn(process.execPath, holding, {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(holder.stdout, 'data');
    expect(await run('backup', [at('one.jsonl')], at('first'))).toMatchObject({ code: 0 });
    holder.kill('SIGKILL');
    await once(holder, 'exit');
    expect(await run('backup', [at('two.jsonl')], at('first'))).toMatchObject({ code: 0 });
    const rowsOf = async (name: string) => (await readFile(at(name), 'utf8')).split('\n').slice(1);
    expect(await rowsOf('two.jsonl')).toEqual(await rowsOf('one.jsonl'));
    expect(await run('backup', [at('one.jsonl')], at('first'))).toMatchObject({ code: 1 });
    expect(await run('backup', [at('one.jsonl'), '--overwrite'], at('first'))).toMatchObject({ code: 0 });
    const restored = await run('restore', [at('one.jsonl')], at('second'));
    expect(restored).toMatchObject({ code: 0 });
    expect(restored.output).toContain('Restored 1 row');
    expect(restored.output).not.toContain('encryption.key');
    expect(await run('backup', [], at('second'))).toMatchObject({ code: 2 });
  }, 60_000);
});

async function fill(database: Database): Promise<void> {
  await seedWorkspace(database);
  const fixture = createWatchFixture(database);
  fixture.vessels.set(cypress, { NLRTM: [0.9, 500] });
  const { id } = await fixture.watch([{ kind: 'vessel', imo: cypress }], {
    title: 'O\'Brien \u2013 \u{1F6A2} \\ "x"',
  });
  await fixture.at(0);
  fixture.vessels.set(cypress, { DEHAM: [0.9, 500] });
  await fixture.at(7);
  await fixture.store.change(id, { snooze: { kind: 'until', at: hour(12) } }, fixture.by());
  const tokens = createDatabaseTokenStore({ db: database.db, box, workspaceId, credentialId });
  await tokens.write({ credential: 'tag', token: { token: 'secret-token', obtainedAt: 1 } });
}

async function contentOf({ db }: Database): Promise<unknown[]> {
  const content: unknown[] = [];
  for (const table of tableNames) {
    // Every name in the list is a table.
    const rows = await db
      .selectFrom(table as 'workspaces')
      .selectAll()
      .execute();
    content.push([table, rows.map((row) => JSON.stringify(row)).sort()]);
  }
  return content;
}

async function run(
  script: string,
  args: string[],
  dataDir: string,
): Promise<{ code: unknown; output: string }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, `../../src/${script}.ts`), ...args], {
    env: { PATH: process.env.PATH, LANDFALL_DATA_DIR: dataDir },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const [code] = await once(child, 'close');
  return { code, output };
}
