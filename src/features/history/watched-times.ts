import { sql } from 'kysely';
import { inChunks, valuesList } from '../../database/batches.ts';
import type { WorkspaceStore } from '../../database/workspace-store.ts';
import { matchesScope, type ScopeFilter } from '../owned/scope.ts';
import { columnsKey, type Subject, type SubjectColumns, toColumns } from './subject.ts';

/** A time in which a subject was watched, without its end, which is null while it still is. */
export interface WatchedTime {
  begin: Date;
  end: Date | null;
}

/** Who may see the watch may see what is polled from now on. A paused watch watches nothing until it is resumed. */
export async function beginWatched(
  store: WorkspaceStore,
  followings: readonly { watchId: string; subjects: readonly Subject[] }[],
  now: Date,
): Promise<void> {
  const wanted = followings.flatMap(({ watchId, subjects }) =>
    subjects.map(toColumns).map(({ kind, key }) => [watchId, kind, key]),
  );
  for (const chunk of inChunks(wanted)) {
    await sql`
      insert into watched_times (workspace_id, watch_id, kind, key, begun_at, ended_at, channel_id, owner_id)
      select watches.workspace_id, watches.id, column2, column3, cast(${now} as bigint), null, channel_id, owner_id
      from (${valuesList(chunk, ['text', 'text', 'text'])}) as wanted
      join watches on ${store.isOwn('watches')} and watches.id = column1 and watches.status = 'active'
      where not exists (
        select 1 from watched_times where ${store.isOwn('watched_times')}
          and watched_times.kind = column2 and watched_times.key = column3
          and watched_times.watch_id = column1 and ended_at is null
      )
      on conflict (workspace_id, kind, key, watch_id, begun_at) do update set ended_at = null`.execute(store);
  }
}

/** Of these subjects, or of all that the watch follows. */
export async function endWatched(
  store: WorkspaceStore,
  { watchId, keys, now }: { watchId: string; keys?: readonly SubjectColumns[]; now: Date },
): Promise<void> {
  const all = store
    .updateTable('watched_times')
    .set({ ended_at: now })
    .where('watch_id', '=', watchId)
    .where('ended_at', 'is', null);
  if (!keys) return void (await all.execute());
  for (const chunk of inChunks(keys))
    await all.where(sql<string>`kind || ' ' || key`, 'in', chunk.map(columnsKey)).execute();
}

export async function changeWatchedOwner(
  store: WorkspaceStore,
  { id, ownerId }: { id: string; ownerId: string },
): Promise<void> {
  await store.updateTable('watched_times').set({ owner_id: ownerId }).where('watch_id', '=', id).execute();
}

/** By the subject's key: when it was watched by watches that the filter matches. Merged, the earliest first. */
export type WatchedTimes = ReadonlyMap<string, readonly WatchedTime[]>;

/**
 * The one place that decides which polls a person may see: those made while a watch that they may list followed the
 * subject. Every other poll was made for somebody else. Of these subjects, and of all lists.
 */
export async function readWatchedTimes(
  store: WorkspaceStore,
  { subjects, filter }: { subjects: readonly Subject[]; filter: ScopeFilter },
): Promise<WatchedTimes> {
  const rows: (SubjectColumns & { begun_at: Date; ended_at: Date | null })[] = [];
  const select = () =>
    store
      .selectFrom('watched_times')
      .select(['kind', 'key', 'begun_at', 'ended_at'])
      .where(matchesScope(filter));
  rows.push(...(await select().where('kind', '=', 'shiplist').execute()));
  for (const kind of ['vessel', 'port'] as const) {
    const keys = subjects.filter((subject) => subject.kind === kind).map((subject) => toColumns(subject).key);
    for (const chunk of inChunks([...new Set(keys)]))
      rows.push(...(await select().where('kind', '=', kind).where('key', 'in', chunk).execute()));
  }
  return new Map(
    [...Map.groupBy(rows, columnsKey)].map(([key, times]) => [
      key,
      merged(times.map(({ begun_at: begin, ended_at: end }) => ({ begin, end }))),
    ]),
  );
}

function merged(times: readonly WatchedTime[]): WatchedTime[] {
  const sorted = times.toSorted((one, other) => one.begin.getTime() - other.begin.getTime());
  const result: WatchedTime[] = [];
  for (const time of sorted) {
    const last = result.at(-1);
    if (!last || (last.end && last.end < time.begin)) result.push({ ...time });
    else if (last.end && (!time.end || time.end > last.end)) last.end = time.end;
  }
  return result;
}

/** The time that holds this moment. */
export const watchedAt = (times: readonly WatchedTime[] = [], at: Date): WatchedTime | undefined =>
  times.find(({ begin, end }) => begin <= at && (!end || at < end));
