import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { checkStatement } from '../support/statements/check-statement.ts';
import { direct } from '../support/statements/direct.ts';
import { reportStatements } from '../support/statements/watch-statements.ts';
import { engines, seedWorkspace, workspaceId } from '../support/store-engines.ts';

const tables = new Set(['watches', 'subjects', 'followings', 'outbox']);
const check = (statement: string) => checkStatement(statement, { tables, across: ['retention'] });

describe('a statement that names its workspace', () => {
  it.each([
    'select * from watches where workspace_id = ?',
    'select * from watches as w where (id = ? and (w.workspace_id = ?)) for update of "w"',
    'select * from watches where (workspace_id = ? and id = ?) or (workspace_id = ? and title = ?)',
    'select case when id = ? then 1 else 0 end from watches where ? = workspace_id group by id having count(*) > 3',
    'select * from channels where id = ?',
    'select 1',
    // Joins.
    'select * from watches w join followings f on f.watch_id = w.id and f.workspace_id = w.workspace_id where w.workspace_id = ?',
    'select * from followings f, watches w where f.workspace_id = w.workspace_id and f.workspace_id = ?',
    'select * from watches w left join outbox o on o.thread_key = w.id and o.workspace_id = w.workspace_id where w.workspace_id = ?',
    'select * from watches w join workspaces on workspaces.id = w.workspace_id where workspaces.id = ?',
    // Subqueries.
    'select * from watches where workspace_id = ? and id in (select watch_id from followings where workspace_id = ?)',
    'select * from (select * from watches where workspace_id = ?) as found',
    'select (select count(*) from watches w where w.workspace_id = workspaces.id) from workspaces where workspaces.id = ?',
    'select * from watches where workspace_id = ? union all select * from watches where workspace_id = ?',
    // CTEs.
    'with claimed as materialized (select id from outbox as due where due.workspace_id = ?) update outbox set ts = ? where workspace_id = ? and id in (select id from claimed) returning *',
    'with recursive n (id) as (select 1 union all select id + 1 from n) select id from n',
    // Lists of values.
    'update followings set state = column3 from (values (?, cast(? as text), ?)) as changed where workspace_id = ? and watch_id = column1',
    // Writes.
    'delete from watches where id = ? and workspace_id = ?',
    'insert into watches (id, workspace_id) values (?, ?), (?, ?) returning *',
    'insert into watches (id, workspace_id) values (?, ?) on conflict (id) do update set title = ? where watches.workspace_id = excluded.workspace_id',
    'insert into watches (id, workspace_id) select id, workspace_id from outbox where workspace_id = ?',
    // Exempt, or not about rows.
    'delete from outbox where created_at < ? /* across workspaces: retention */',
    'create table watches (id text)',
  ])('%s', (statement) => {
    expect(check(statement)).toBeNull();
  });
});

describe('a statement that names none', () => {
  it.each([
    ['select * from watches', 'watches has no workspace'],
    ['select * from watches where workspace_id = ? or id = ?', 'watches has no workspace'],
    ['select * from watches where not (workspace_id = ?)', 'watches has no workspace'],
    ['select * from watches where workspace_id <> ?', 'watches has no workspace'],
    ['select * from watches where workspace_id = id', 'watches has no workspace'],
    ['select * from watches where channel_id = ? and workspace_id is not null', 'watches has no workspace'],
    ['select \'-- workspace_id = ?\', "workspace_id = ?" from watches', 'watches has no workspace'],
    ['select * from watches -- where workspace_id = ?', 'watches has no workspace'],
    // Joins.
    [
      'select * from watches w join followings f on f.watch_id = w.id where w.workspace_id = ?',
      'f has no workspace',
    ],
    ['select * from watches w join followings f on f.workspace_id = w.workspace_id', 'w has no workspace'],
    [
      'select * from watches w left join outbox o on o.thread_key = w.id where w.workspace_id = ?',
      'o has no workspace',
    ],
    [
      'select * from watches w left join outbox o on o.workspace_id = ? and w.workspace_id = ?',
      'w has no workspace',
    ],
    // Subqueries.
    [
      'select * from watches where workspace_id = ? and id in (select watch_id from followings)',
      'followings has no workspace',
    ],
    ['select * from watches where workspace_id in (select id from workspaces)', 'watches has no workspace'],
    [
      'select (select count(*) from watches where watches.workspace_id = workspaces.id) from workspaces',
      'watches has no workspace',
    ],
    ['select * from watches where workspace_id = ? union select * from outbox', 'outbox has no workspace'],
    // CTEs.
    [
      'with claimed as (select id from outbox where workspace_id = ?) delete from outbox where id in (select id from claimed)',
      'outbox has no workspace',
    ],
    // Lists of values.
    [
      'update followings set state = column2 from (values (?, ?)) as changed where watch_id = column1',
      'followings has no workspace',
    ],
    // Writes.
    ['update watches as w set title = ?', 'w has no workspace'],
    ['delete from "watches" where "id" = $1 returning "workspace_id"', 'watches has no workspace'],
    ['insert into watches (id, title) values (?, ?)', 'watches gets no workspace'],
    ['insert into watches (id, workspace_id) select id, workspace_id from outbox', 'outbox has no workspace'],
    ['insert into notes (id) values ((select id from watches limit 1))', 'watches has no workspace'],
    [
      'insert into watches (id, workspace_id) values (?, ?) on conflict (id) do update set title = excluded.title',
      'watches may change a row of another workspace',
    ],
    [
      'delete from outbox /* across workspaces: curiosity */',
      'nothing called curiosity may read all workspaces',
    ],
  ])('%s', (statement, problem) => {
    expect(check(statement)).toBe(problem);
  });
});

it('refuses what it cannot read', () => {
  expect(() => check('select (1 from watches')).toThrow(SyntaxError);
  expect(() => check('select 1) from watches')).toThrow(SyntaxError);
  expect(() => check("select 'open from watches")).toThrow(SyntaxError);
});

describe.each(engines)('all statements that a test runs, $engine', ({ open }) => {
  it('are checked, even if their errors are caught, in transactions and in streams', async () => {
    const store = await open();
    const { db } = store.database;
    await seedWorkspace(store.database);
    reportStatements();
    const ofWatch = db.updateTable('watches').set({ title: 'x' }).where('id', '=', 'w');
    await ofWatch.execute();
    expect(reportStatements).toThrow(
      /^A statement must name.*\n\nwatches has no workspace: update "watches" /,
    );
    await sql`delete from outbox where nothing = 1`.execute(db).catch(() => undefined);
    expect(reportStatements).toThrow('outbox has no workspace: delete from outbox');
    await db.transaction().execute(async (transaction) => {
      for await (const _ of transaction.selectFrom('audit').selectAll().stream(1)) expect.fail();
    });
    expect(reportStatements).toThrow('audit has no workspace: select * from "audit"');
    await ofWatch.where('workspace_id', '=', workspaceId).execute();
    await direct(db).deleteFrom('watches').execute();
    reportStatements();
    await store.close();
  });
});
