import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { acrossWorkspaces } from '../workspace-store.ts';
import { runStatements, workspaceId } from './0001-schema.ts';

/**
 * When what was watched, and whose watch it was. A poll of a list gets rows of its own in the history, and its calls
 * too: somebody who watches a vessel alone may not know of the list.
 */
export const watchedTimes = (): Migration => ({
  async up(db) {
    await runStatements(db, [
      `create table watched_times (
        ${workspaceId},
        watch_id text not null,
        kind text not null,
        key text not null,
        begun_at bigint not null,
        ended_at bigint,
        channel_id text not null,
        owner_id text not null,
        primary key (workspace_id, kind, key, watch_id, begun_at)
      )`,
      'create index watched_times_by_watch on watched_times (workspace_id, watch_id)',
      'create index watched_times_by_age on watched_times (ended_at) where ended_at is not null',
      `insert into watched_times
        (workspace_id, watch_id, kind, key, begun_at, ended_at, channel_id, owner_id)
        select watches.workspace_id, watches.id, subjects.kind, subjects.key, watches.created_at, null,
          watches.channel_id, watches.owner_id
        from followings join watches on watches.id = followings.watch_id
        join subjects on subjects.id = followings.subject_id
        where watches.status <> 'ended' /* across workspaces: migrations */`,
      `create table finished_calls_by_list (
        ${workspaceId},
        imo integer not null,
        list text not null,
        number integer not null,
        previous_port text,
        port text not null,
        last_eta bigint not null,
        ended_at bigint not null,
        readings text not null,
        primary key (workspace_id, imo, list, number)
      )`,
      `insert into finished_calls_by_list
        select workspace_id, imo, '', number, previous_port, port, last_eta, ended_at, readings
        from finished_calls /* across workspaces: migrations */`,
      'drop table finished_calls',
      'alter table finished_calls_by_list rename to finished_calls',
      'create index finished_calls_by_age on finished_calls (ended_at)',
    ]);
    await copyToLists(db);
  },
});

/** Until now it wasn't stored which poll a vessel's history came from: that of a list may be the vessel's, too. */
async function copyToLists(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ workspace_id: string; key: string; open_calls: unknown }>`
    ${acrossWorkspaces('migrations')} select workspace_id, key, open_calls from subjects where kind = 'shiplist' and open_calls is not null`.execute(
    db,
  );
  for (const { workspace_id, key: list, open_calls: column } of rows) {
    for (const imo of vesselsIn(column)) {
      await sql`
        insert into history (workspace_id, kind, key, polled_at, predictions)
        select workspace_id, 'listed', key || ' ' || ${list}, polled_at, predictions from history
        where workspace_id = ${workspace_id} and kind = 'vessel' and key = ${imo}`.execute(db);
      await sql`
        ${acrossWorkspaces('migrations')} insert into finished_calls
        select workspace_id, imo, ${list}, number, previous_port, port, last_eta, ended_at, readings
        from finished_calls
        where workspace_id = ${workspace_id} and imo = ${Number(imo)} and list = ''`.execute(db);
    }
  }
}

/** Their IMO numbers. What can't be read begins anew. */
function vesselsIn(column: unknown): string[] {
  try {
    const calls: unknown = typeof column === 'string' ? JSON.parse(column) : column;
    const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
    if (!isObject(calls) || !('vessels' in calls) || !isObject(calls.vessels)) return [];
    return Object.keys(calls.vessels).filter((imo) => /^\d{7}$/.test(imo));
  } catch {
    return [];
  }
}
