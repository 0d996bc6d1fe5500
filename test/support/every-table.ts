import fc from 'fast-check';
import { type ColumnMetadata, type Kysely, sql } from 'kysely';
import type { Database } from '../../src/database/connect.ts';
import { columnKinds } from '../../src/database/dialect.ts';
import { primaryKeys, type Schema, type TableName, tableNames } from '../../src/database/schema.ts';
import { anyCharacter } from './any-character.ts';
import { direct } from './statements/direct.ts';

type Stored = Record<string, string | number | null>;

/** Without NUL, which PostgreSQL refuses in text, and without halves of surrogate pairs, which UTF-8 can't hold. */
const text = fc.oneof(
  fc.constantFrom('O\'Brien – 🚢 \\ "x"', '{"end":1}', '\\N', '\u2028', 'a\r\n\tb', '', 'null', "'; --"),
  fc.string({ unit: anyCharacter }).map((unit) => unit.replaceAll('\0', '')),
);
const json = fc.oneof(
  fc.json(),
  fc.constant(JSON.stringify({ nul: '\0', half: '\ud83d', line: '\u2028', big: 2 ** 53 })),
);
const time = fc.integer({ min: -8.64e15, max: 8.64e15 });
const integer = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
const double = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);

/** Columns that refer to a row of another table, or that must be unique. */
const references: Record<string, TableName> = {
  watch_id: 'watches',
  subject_id: 'subjects',
  fleet_key: 'fleets',
};
/** Of a column. In larger tables they repeat, since generating them takes longer than all else. */
const maxSamples = 60;

const uniqueColumns = ['id', 'hash', 'key', 'number', 'channel_id'];

/** Writes `rows` rows into every table for one new workspace, with unusual values as they are stored. */
export async function fillEveryTable(
  { db }: Pick<Database, 'db'>,
  { workspaceId, rows = 20 }: { workspaceId: string; rows?: number },
): Promise<void> {
  const columnsOf = new Map(
    (await db.introspection.getTables()).map(({ name, columns }) => [name, columns] as const),
  );
  for (const table of tableNames) {
    const columns = (columnsOf.get(table) ?? []).filter(({ name }) => name !== 'sequence');
    const generated = generateRows(table, columns, { workspaceId, rows: hasOneRow(table) ? 1 : rows });
    // Any of the tables: the database checks the columns.
    await db
      .insertInto(table as 'workspaces')
      .values(generated as never)
      .execute();
  }
}

/** Those with rows of a workspace. */
export const tablesOfWorkspaces = tableNames.filter((table) => table !== 'used_install_states');

/** Tables with one row for a workspace, whose primary key is the workspace's id. */
const idIsTheWorkspace = (table: TableName) =>
  table === 'workspaces' || table === 'installations' || table === 'logins';
const hasOneRow = (table: TableName) => idIsTheWorkspace(table) || table === 'accounts';

function generateRows(
  table: TableName,
  columns: readonly ColumnMetadata[],
  { workspaceId, rows }: { workspaceId: string; rows: number },
): Stored[] {
  const generated: Stored[] = Array.from({ length: rows }, () => ({}));
  for (const [position, { name, dataType, isNullable }] of columns.entries()) {
    const isKey = uniqueColumns.includes(name) || (primaryKeys[table] as readonly string[]).includes(name);
    const samples = fc.sample(arbitraryOf(name, dataType), {
      numRuns: Math.min(rows, maxSamples),
      seed: position + table.length,
    });
    for (const [index, row] of generated.entries()) {
      const referred = references[name];
      if (['workspace_id', 'installation_id', 'login_id'].includes(name)) row[name] = workspaceId;
      else if (idIsTheWorkspace(table) && name === 'id') row[name] = workspaceId;
      else if (name === 'is_org_wide') row[name] = 0;
      // No lease and no uninstall under way: both are removed when a bot starts.
      else if (name === 'lease_token' || name === 'uninstalled_at') row[name] = null;
      else if (referred !== undefined) row[name] = `${workspaceId} ${referred} ${index}`;
      else if (isKey) row[name] = /text/i.test(dataType) ? `${workspaceId} ${table} ${index}` : index;
      else row[name] = isNullable && index % 3 === 0 ? null : (samples[index % samples.length] ?? null);
    }
  }
  return generated;
}

function arbitraryOf(name: string, dataType: string): fc.Arbitrary<string | number> {
  const kind = columnKinds.get(name);
  if (kind === 'json') return json;
  if (kind === 'time') return time;
  if (kind === 'flag') return fc.constantFrom(0, 1);
  if (/text/i.test(dataType)) return text;
  return /double|float/i.test(dataType) ? double : integer;
}

/**
 * All rows as they are stored, sorted; those of the outbox in their order, without the number. Leases are left out:
 * they belong to the processes that use the store.
 */
export async function contentOf(db: Kysely<Schema>): Promise<Record<string, string[]>> {
  const content: Record<string, string[]> = {};
  for (const table of tableNames) {
    if (table === 'leases') continue;
    const rows: string[] = [];
    const inOrder = direct(db)
      .selectFrom(table as 'workspaces')
      .selectAll(); // any of the tables
    const query = table === 'outbox' ? inOrder.orderBy(sql`sequence`) : inOrder;
    // A stream returns values as they are stored.
    for await (const { sequence: _, ...row } of query.stream() as AsyncIterable<Stored>)
      rows.push(JSON.stringify(row));
    content[table] = table === 'outbox' ? rows : rows.sort();
  }
  return content;
}

/** The number of rows of each table that belong to a workspace. */
export async function countRows(db: Kysely<Schema>, workspaceId: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of tablesOfWorkspaces) {
    const column = idIsTheWorkspace(table) ? 'id' : 'workspace_id';
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from ${sql.table(table)} where ${sql.ref(column)} = ${workspaceId}`.execute(
      db,
    );
    counts[table] = rows[0]?.count ?? 0;
  }
  return counts;
}
