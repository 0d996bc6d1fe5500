import {
  type AliasedExpression,
  type ColumnType,
  type DeleteQueryBuilder,
  type DeleteResult,
  type InsertObject,
  type InsertQueryBuilder,
  type InsertResult,
  type JoinBuilder,
  type Kysely,
  type QueryExecutorProvider,
  type RawBuilder,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
  type UpdateQueryBuilder,
  type UpdateResult,
} from 'kysely';
import type { Schema } from './schema.ts';

/** The store of all workspaces, for work that isn't one workspace's: see `AcrossWorkspaces`. */
export type AllWorkspaces = Kysely<Schema>;

/** The tables whose rows belong to a workspace. Nobody can write whose a row is: the store does. */
export type WorkspaceTables = {
  [Table in keyof Schema as Schema[Table] extends { workspace_id: string } ? Table : never]: Omit<
    Schema[Table],
    'workspace_id'
  > & { workspace_id: ColumnType<string, never, never> };
};
type Table = keyof WorkspaceTables;

/** Also the workspace's own row, which is neither inserted nor deleted here. */
type Tables = WorkspaceTables & Pick<Schema, 'workspaces'>;

/** A table, or one under another name: `alerts as due`. */
type Source = keyof Tables | `${keyof Tables} as ${string}`;
type TableIn<Of extends Source> = Of extends `${infer Named extends keyof Tables} as ${string}`
  ? Named
  : Extract<Of, keyof Tables>;
type Known<Of extends Source> = {
  [Each in Of as Each extends `${string} as ${infer Alias}` ? Alias : Each]: Tables[TableIn<Each>];
};

type Column<Of extends Table> = { [Each in Of]: `${Each}.${keyof WorkspaceTables[Each] & string}` }[Of];
type Join<Of extends Table> = [
  table: AliasedExpression<WorkspaceTables[Of], Of>,
  on: <Db, Joined extends keyof Db>(join: JoinBuilder<Db, Joined>) => JoinBuilder<Db, Joined>,
];

/** A row before its columns are selected. */
type NoColumns = Record<never, never>;

/**
 * The rows of one workspace: every statement gets its condition here. The builders know only the tables that they were
 * asked for, so what is joined or selected within must come from the store too. raw SQL uses `isOwn`, and a
 * test reads all statements.
 */
export interface WorkspaceStore extends QueryExecutorProvider {
  readonly workspaceId: string;
  /** The same database, or transaction, for rows that belong to no workspace, such as logins. */
  readonly allWorkspaces: AllWorkspaces;
  selectFrom<Of extends Source>(from: Of): SelectQueryBuilder<Known<Of>, keyof Known<Of>, NoColumns>;
  insertInto<Of extends Table>(
    table: Of,
    rows: InsertObject<WorkspaceTables, Of> | readonly InsertObject<WorkspaceTables, Of>[],
  ): InsertQueryBuilder<Pick<WorkspaceTables, Of>, Of, InsertResult>;
  updateTable<Of extends Source>(
    table: Of,
  ): UpdateQueryBuilder<Known<Of>, keyof Known<Of>, keyof Known<Of>, UpdateResult>;
  deleteFrom<Of extends Table>(table: Of): DeleteQueryBuilder<Pick<WorkspaceTables, Of>, Of, DeleteResult>;
  /** For `innerJoin(...store.join('watches', 'watches.id', 'followings.watch_id'))`, or `leftJoin`. */
  join<Of extends Table>(table: Of, column: Column<Of>, equals: Column<Table>): Join<Of>;
  /** The condition for the rows of a table, by its name in the statement. */
  isOwn(name: string): RawBuilder<SqlBool>;
  transaction<Result>(work: (store: WorkspaceStore) => Promise<Result>): Promise<Result>;
}

export function storeOf(db: AllWorkspaces, workspaceId: string): WorkspaceStore {
  const isOwn = (name: string) =>
    sql<SqlBool>`${sql.ref(`${name}.${name === 'workspaces' ? 'id' : 'workspace_id'}`)} = ${workspaceId}`;
  const nameOf = (source: string) => source.split(' as ').at(-1) ?? source;
  // One table stands for all, since these methods do the same with each. The interface has the types of each.
  const like = (table: string) => table as 'watches';
  const methods: Record<'selectFrom' | 'insertInto' | 'updateTable' | 'deleteFrom' | 'join', unknown> = {
    selectFrom: (from: string) => db.selectFrom(like(from)).where(isOwn(nameOf(from))),
    insertInto(table: string, rows: object | readonly object[]) {
      const own = [rows].flat().map((row) => ({ ...row, workspace_id: workspaceId }));
      return db.insertInto(like(table)).values(own as never);
    },
    updateTable: (table: string) => db.updateTable(like(table)).where(isOwn(nameOf(table))),
    deleteFrom: (table: string) => db.deleteFrom(like(table)).where(isOwn(table)),
    join(table: string, column: string, equals: string) {
      const isSame = sql<SqlBool>`${sql.ref(column)} = ${sql.ref(equals)}`;
      return [
        sql.table(table).as(table),
        (join: JoinBuilder<Schema, 'watches'>) => join.on(isOwn(table)).on(isSame),
      ];
    },
  };
  return {
    ...(methods as Pick<WorkspaceStore, keyof typeof methods>),
    workspaceId,
    allWorkspaces: db,
    isOwn,
    transaction: (work) => db.transaction().execute((transaction) => work(storeOf(transaction, workspaceId))),
    getExecutor: () => db.getExecutor(),
  };
}

/** The work that is not for one workspace. A test refuses every other statement that names none. */
export type AcrossWorkspaces =
  | 'retention'
  | 'uninstall'
  | 'leases'
  | 'seals'
  | 'backup'
  | 'restore'
  | 'migrations'
  | 'due workspaces'
  | 'overview'
  | 'metrics'
  | 'logins'
  | 'assistant tokens';

/** A comment that names this work. Put it at the front of a select, or the end of another statement, that names no workspace. */
export const acrossWorkspaces = (work: AcrossWorkspaces): RawBuilder<unknown> =>
  sql.raw(`/* across workspaces: ${work} */`);
