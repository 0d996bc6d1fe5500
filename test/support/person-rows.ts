import { sql } from 'kysely';
import type { Database } from '../../src/database/connect.ts';
import { columnKinds } from '../../src/database/dialect.ts';
import { primaryKeys, type TableName, tableNames } from '../../src/database/schema.ts';
import { workspaceId } from './store-engines.ts';

const references: Record<string, TableName> = {
  watch_id: 'watches',
  subject_id: 'subjects',
  fleet_key: 'fleets',
};

/** Whose row it is. */
const owners = ['owner_id', 'channel_id', 'person_id', 'user_id'];
const secrets = /^(?:sealed_\w+|hash|lease_token)$/;

export const secretMark = 'S-E-C-R-E-T';

/**
 * A row in every table, or in some, with `person` in each column of text that can hold it, and in each JSON. `owner`: in the columns that
 * say whose row it is.
 */
export async function fillWithPerson(
  { db }: Pick<Database, 'db'>,
  {
    person,
    owner,
    row,
    tables = tableNames,
  }: { person: string; owner: string; row: number; tables?: readonly TableName[] },
): Promise<void> {
  const described = await db.introspection.getTables();
  for (const table of tables) {
    if (table === 'logins' || table === 'used_install_states') continue;
    const isSingle = table === 'workspaces' || table === 'installations' || table === 'accounts';
    if (isSingle && row > 0) continue;
    const columns = described.find(({ name }) => name === table)?.columns ?? [];
    const isKey = (name: string) => (primaryKeys[table] as readonly string[]).includes(name);
    const filledIn = (name: string, dataType: string) => {
      const isText = /text/i.test(dataType);
      const kind = columnKinds.get(name);
      if (['workspace_id', 'installation_id'].includes(name) || (isSingle && name === 'id'))
        return workspaceId;
      if (name === 'login_id') return 'login-1';
      if (name === 'uninstalled_at') return null;
      if (secrets.test(name)) return `${secretMark} ${table} ${name} ${row}`;
      const referred = references[name];
      if (referred) return `${referred} ${row}`;
      if (owners.includes(name)) return owner;
      if (isKey(name) || name === 'id') return isText ? `${table} ${row}` : row;
      // It is unique to a subject.
      if (name === 'key') return `${person} ${row}`;
      if (kind === 'json') return JSON.stringify({ person, other: `${person}2` });
      if (isText) return person;
      return kind === 'flag' ? 1 : row;
    };
    const filled = Object.fromEntries(
      columns
        .filter(({ name }) => name !== 'sequence')
        .map(({ name, dataType }) => [name, filledIn(name, dataType)]),
    );
    await db
      .insertInto(table as 'workspaces') // any of the tables: the database checks the columns
      .values(filled as never)
      .execute();
  }
}

/** `table.column` where the text has the id, as a whole word. */
export async function columnsWith({ db }: Pick<Database, 'db'>, id: string): Promise<string[]> {
  const found: string[] = [];
  for (const { name: table, columns } of await db.introspection.getTables()) {
    if (!(tableNames as readonly string[]).includes(table)) continue;
    for (const { name, dataType } of columns) {
      if (!/text/i.test(dataType)) continue;
      const { rows } = await sql<{ text: string | null }>`
        select ${sql.ref(name)} as text from ${sql.table(table)} /* across workspaces: overview */`.execute(
        db,
      );
      if (rows.some(({ text }) => new RegExp(`\\b${id}\\b`).test(text ?? ''))) found.push(`${table}.${name}`);
    }
  }
  return found.sort();
}
