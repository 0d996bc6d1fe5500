import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { dumpDatabase, restore, restoreDump } from '../../src/database/backup-file.ts';
import { connectDatabase } from '../../src/database/connect.ts';
import { tableNames } from '../../src/database/schema.ts';
import { StoreError } from '../../src/errors.ts';
import { createTestDatabase } from '../support/create-test-database.ts';
import { contentOf, fillEveryTable } from '../support/every-table.ts';
import { failAfter } from '../support/fail-after.ts';
import { direct } from '../support/statements/direct.ts';
import { openSqlite } from '../support/store-engines.ts';
import { createStoreLogger } from '../support/store-logger.ts';
import { useDirectory } from '../support/use-directory.ts';

const logger = createStoreLogger();
const header = '{"format":"landfall-backup-3","migration":"0001-schema","at":"2026-11-23T09:00:00.000Z"}';
const context = { now: new Date('2026-11-24T09:00Z') };

async function linesOfDump(): Promise<string[]> {
  const lines: string[] = [];
  const store = await openSqlite();
  await fillEveryTable(store.database, { workspaceId: 'T1', rows: 3 });
  const write = async (text: string) => {
    lines.push(...text.split('\n').filter(Boolean));
  };
  await dumpDatabase(store.database.db, { write, now: new Date() });
  await store.close();
  return lines;
}

it.each(['sqlite', 'postgres'])('an invalid backup restores nothing, %s', async (engine) => {
  const lines = await linesOfDump();
  const url = engine === 'postgres' ? await createTestDatabase('empty') : undefined;
  const target = await connectDatabase({ url, logger, migrateTo: 'none' });
  const broken: [message: string, lines: string[]][] = [
    ['This backup was cut short: its last line is missing', lines.slice(0, -1)],
    ['This backup was cut short: its last line is missing', lines.slice(0, 9)],
    ["can't be read", [...lines.slice(0, 9), lines[9]?.slice(0, 20) ?? '']],
    [`should hold ${lines.length - 2} rows and holds ${lines.length - 3}`, lines.toSpliced(-2, 1)],
    ["Line 3 of this backup can't be read", lines.toSpliced(2, 1, '{"table":')],
    ['a table that is unknown here: pg_authid', lines.toSpliced(2, 0, '{"table":"pg_authid","row":{}}')],
    [
      'of a newer Landfall (0999): restore it with that version',
      lines.toSpliced(0, 1, header.replace('0001-schema', '0999')),
    ],
    [
      'of a newer Landfall (landfall-backup-4): restore it with that version',
      lines.toSpliced(0, 1, header.replace('backup-3', 'backup-4')),
    ],
    ["isn't a backup of Landfall", lines.toSpliced(0, 1, header.replace(/"at":".*"/, '"at":"yesterday"'))],
    ["isn't a backup of Landfall", ['hello']],
    ["isn't a backup of Landfall", []],
  ];
  for (const [message, text] of broken) {
    const error = await restoreDump(target, Readable.from(text), context).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(StoreError);
    expect(String(error)).toContain(message);
  }
  for (const [line, row] of [
    [2, '{"table":"accounts","row":{"workspace_id":"T1"}}'],
    [
      3,
      '{"table":"accounts","row":{"workspace_id":"T1","login_id":"of nobody","address":"","sealed_account":"","updated_at":1,"updated_by":""}}',
    ],
  ] as const)
    await expect(restoreDump(target, Readable.from(lines.toSpliced(line, 0, row)), context)).rejects.toThrow(
      StoreError,
    );
  for (const [table, rows] of Object.entries(await contentOf(target.db)))
    expect([table, rows]).toEqual([table, []]);

  await restoreDump(target, Readable.from(lines), context);
  const content = await contentOf(target.db);
  await expect(restoreDump(target, Readable.from(lines), context)).rejects.toThrow('This store is not empty');
  expect(await contentOf(target.db)).toEqual(content);
  await target.close();
});

it.each([
  'sqlite',
  'postgres',
])('a restore that ends at any statement leaves nothing, or all in recovery, %s', async (engine) => {
  const lines = await linesOfDump();
  const url = engine === 'postgres' ? await createTestDatabase('migrated') : undefined;
  const target = await connectDatabase({ url, logger });
  // Those of a running bot are not restored.
  const restored = tableNames.filter((table) => table !== 'leases');
  const counts = restored.map((table) => sql`(select count(*) from ${sql.table(table)})`);
  const countRows = sql<{ rows: number }>`select ${sql.join(counts, sql` + `)} as rows`;
  const rowsAfter = async (statements: number) => {
    const db = target.db.withPlugin(failAfter(statements));
    await restoreDump({ ...target, db }, Readable.from(lines), context).catch(() => undefined);
    return Number((await countRows.execute(direct(target.db))).rows[0]?.rows);
  };
  let statements = 0;
  while ((await rowsAfter(statements)) === 0) statements += 1;
  const rows = lines.filter((line) => /^{"table":"(?!leases")/.test(line));
  expect(await rowsAfter(statements)).toBe(rows.length);
  expect(await target.db.selectFrom('workspaces').select('restored_at').execute()).toEqual([
    { restored_at: context.now },
  ]);
  expect(statements).toBeGreaterThan(20);
  await target.close();
});

it('a file that is missing, or a directory, leaves no store behind', async () => {
  const home = await useDirectory();
  await expect(restore(join(home, 'missing.jsonl'), { dataDir: home, logger })).rejects.toThrow(
    "missing.jsonl can't be read",
  );
  await expect(restore(home, { dataDir: home, logger })).rejects.toThrow('is a directory, not a backup');
  expect(await readdir(home)).toEqual([]);
});
