import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { acrossWorkspaces } from '../workspace-store.ts';
import { runStatements, workspaceId } from './0001-schema.ts';

/** Due dates were a rule of a watch. Each becomes a promise of the watch and its vessel. */
export const promises = (): Migration => ({
  async up(db) {
    await runStatements(db, [
      `create table promises (
        ${workspaceId},
        id text not null,
        imo integer not null,
        port text not null,
        earliest bigint,
        latest bigint not null,
        minimum double precision,
        reference text,
        watch_id text references watches on delete cascade,
        owner_id text not null,
        channel_id text not null,
        created_at bigint not null,
        primary key (workspace_id, id)
      )`,
      'create index promises_by_vessel on promises (workspace_id, imo)',
      'create index promises_by_watch on promises (watch_id) where watch_id is not null',
      'create index promises_by_age on promises (latest)',
    ]);
    await moveDueDates(db);
  },
});

interface WatchRow {
  id: string;
  workspace_id: string;
  rules: unknown;
  owner_id: string;
  channel_id: string;
  created_at: unknown;
}

async function moveDueDates(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<WatchRow>`
    ${acrossWorkspaces('migrations')} select id, workspace_id, rules, owner_id, channel_id, created_at from watches`.execute(
    db,
  );
  for (const { id, workspace_id, rules: column, owner_id, channel_id, created_at } of rows) {
    const { due, ...rules } = objectIn(column);
    if (due === undefined) continue;
    const dates = Array.isArray(due) ? due.map(objectIn) : [];
    const vessels = dates.length === 0 ? [] : await vesselsOf(db, id);
    for (const [index, { port, at }] of dates.entries()) {
      const time = Date.parse(String(at));
      if (typeof port !== 'string' || Number.isNaN(time)) continue;
      const key = `${port} ${new Date(time).toISOString()}`;
      for (const imo of promisedVessels(vessels, key)) {
        await sql`
          insert into promises
            (workspace_id, id, imo, port, latest, watch_id, owner_id, channel_id, created_at)
          values (${workspace_id}, ${`${id} ${imo} ${index}`}, ${imo}, ${port}, ${time}, ${id}, ${owner_id},
            ${channel_id}, ${Number(created_at)})`.execute(db);
      }
    }
    await sql`${acrossWorkspaces('migrations')} update watches set rules = ${JSON.stringify(rules)} where id = ${id}`.execute(
      db,
    );
  }
}

interface Followed {
  imo: number;
  /** What its rule remembers, by port and time. */
  memory: Record<string, unknown>;
}

async function vesselsOf(db: Kysely<unknown>, watchId: string): Promise<Followed[]> {
  const { rows } = await sql<{ kind: string; key: string; state: unknown }>`
    ${acrossWorkspaces('migrations')} select subjects.kind, subjects.key, followings.state from followings
    join subjects on subjects.id = followings.subject_id where followings.watch_id = ${watchId}`.execute(db);
  return rows.flatMap(({ kind, key, state }) => {
    const vessels = objectIn(objectIn(state).vessels);
    const imos = kind === 'vessel' ? [key] : kind === 'shiplist' ? Object.keys(vessels) : [];
    return imos.map((imo) => ({
      imo: Number(imo),
      memory: objectIn(objectIn(objectIn(vessels[imo]).memory).due),
    }));
  });
}

/** A date of a fleet or list was about the vessels that have called there with an ETA; a promise names them. */
const promisedVessels = (vessels: readonly Followed[], key: string): number[] =>
  vessels
    .filter(({ memory }) => vessels.length === 1 || Boolean(objectIn(memory[key]).eta))
    .map(({ imo }) => imo);

function objectIn(column: unknown): Record<string, unknown> {
  try {
    const value: unknown = typeof column === 'string' ? JSON.parse(column) : column;
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
