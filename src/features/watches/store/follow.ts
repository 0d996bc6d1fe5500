import { type Kysely, type SqlBool, sql } from 'kysely';
import { inChunks } from '../../../database/in-chunks.ts';
import type { Schema } from '../../../database/schema.ts';
import { type WatchState, watchState } from '../evaluation/state.ts';
import { columnsKey, fromColumns, type Subject, subjectKey, toColumns } from './subject.ts';
import type { Watch } from './watch.ts';
import { beginWatched, endWatched } from './watched-times.ts';

interface Following {
  watchId: string;
  subjects: readonly Subject[];
}

/**
 * Makes watches follow subjects, and polls these at once, since the watches need their first answers. To avoid
 * deadlocks, it first locks those that exist, and those of `droppedIds`, in the order of their ids, as polls do. Then it
 * inserts the others in the order of their keys.
 */
export async function follow(
  db: Kysely<Schema>,
  followings: readonly Following[],
  {
    workspaceId,
    droppedIds = [],
    newId,
    now,
  }: { workspaceId: string; droppedIds?: readonly string[]; newId: () => string; now: Date },
): Promise<void> {
  const all = followings.flatMap(({ subjects }) => subjects);
  const byKey = new Map(all.map((subject) => [subjectKey(subject), subject]));
  const sorted = [...byKey].sort(([key], [otherKey]) => (key < otherKey ? -1 : 1));
  const columns = sorted.map(([, subject]) => toColumns(subject));
  await lockSubjects(db, { workspaceId, columns, droppedIds });
  const ids = new Map<string, string>();
  for (const { kind, key } of columns) {
    const { id } = await db
      .insertInto('subjects')
      .values({
        id: newId(),
        workspace_id: workspaceId,
        kind,
        key,
        // Until the first poll computes it.
        interval_minutes: 15,
        polled_at: null,
        failing_since: null,
        nearest_eta: null,
        open_calls: null,
        due_at: now,
        lease_until: null,
        lease_token: null,
        attempts: 0,
      })
      .onConflict((conflict) =>
        conflict.columns(['workspace_id', 'kind', 'key']).doUpdateSet({ due_at: now }),
      )
      .returning('id')
      .executeTakeFirstOrThrow();
    ids.set(columnsKey({ kind, key }), id);
  }
  const rows = followings.flatMap(({ watchId, subjects }) =>
    subjects.map((subject) => ({
      workspace_id: workspaceId,
      watch_id: watchId,
      subject_id: ids.get(subjectKey(subject)) ?? '',
      state: null,
    })),
  );
  for (const chunk of inChunks(rows)) {
    await db
      .insertInto('followings')
      .values(chunk)
      .onConflict((conflict) => conflict.columns(['watch_id', 'subject_id']).doNothing())
      .execute();
  }
  await beginWatched(db, followings, { workspaceId, now });
}

async function lockSubjects(
  db: Kysely<Schema>,
  {
    workspaceId,
    columns,
    droppedIds,
  }: {
    workspaceId: string;
    columns: readonly { kind: string; key: string }[];
    droppedIds: readonly string[];
  },
): Promise<void> {
  const kinds = [...new Set(columns.map(({ kind }) => kind))];
  const keys = columns.map(({ key }) => key);
  if (keys.length + droppedIds.length === 0) return;
  await db
    .selectFrom('subjects')
    .select('id')
    .where((where) => {
      // Both with the workspace, so that SQLite finds either by an index.
      const isOfWorkspace = where('workspace_id', '=', workspaceId);
      const isFollowed = where.and([isOfWorkspace, where('kind', 'in', kinds), where('key', 'in', keys)]);
      const isDropped = where.and([isOfWorkspace, where('id', 'in', droppedIds)]);
      if (droppedIds.length === 0) return isFollowed;
      return keys.length === 0 ? isDropped : where.or([isFollowed, isDropped]);
    })
    .orderBy('id')
    .forUpdate()
    .execute();
}

/** The subjects that watches of a workspace follow, with their states. */
export const selectFollowed = (db: Kysely<Schema>, workspaceId: string) =>
  db
    .selectFrom('followings')
    .innerJoin('subjects', (join) =>
      join
        .onRef('subjects.workspace_id', '=', 'followings.workspace_id')
        .onRef('subjects.id', '=', 'followings.subject_id'),
    )
    .where('followings.workspace_id', '=', workspaceId);

/** Stops following every subject except `kept`. Returns all that the watch followed before, and what was dropped. */
export async function unfollow(
  db: Kysely<Schema>,
  { watch, kept, now }: { watch: Watch; kept: readonly Subject[]; now: Date },
): Promise<{ before: Subject[]; droppedIds: string[]; droppedStates: WatchState[] }> {
  const keptKeys = new Set(kept.map(subjectKey));
  const followed = await selectFollowed(db, watch.workspaceId)
    .select(['subject_id', 'kind', 'key', 'state'])
    .where('watch_id', '=', watch.id)
    .orderBy('kind')
    .orderBy('key')
    .execute();
  const dropped = followed.filter((row) => !keptKeys.has(columnsKey(row)));
  const droppedIds = dropped.map((row) => row.subject_id);
  if (droppedIds.length > 0) {
    await db
      .deleteFrom('followings')
      .where('workspace_id', '=', watch.workspaceId)
      .where('watch_id', '=', watch.id)
      .where('subject_id', 'in', droppedIds)
      .execute();
    await endWatched(db, { workspaceId: watch.workspaceId, watchId: watch.id, keys: dropped, now });
  }
  return {
    before: followed.flatMap((row) => fromColumns(row) ?? []),
    droppedIds,
    droppedStates: dropped.flatMap(({ state }) => watchState.safeParse(state).data ?? []),
  };
}

/**
 * Deletes those subjects that no watch follows any more, so they are no longer polled. It locks them and then checks
 * them again, because another watch may have begun to follow one before the lock.
 */
export async function deleteUnfollowed(
  db: Kysely<Schema>,
  { workspaceId, droppedIds }: { workspaceId: string; droppedIds: readonly string[] },
): Promise<void> {
  if (droppedIds.length === 0) return;
  const unfollowed = () => sql<SqlBool>`not exists (
    select 1 from followings
    where followings.workspace_id = subjects.workspace_id and followings.subject_id = subjects.id
  )`;
  const locked = await db
    .selectFrom('subjects')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', droppedIds)
    .where(unfollowed())
    .orderBy('id')
    .forUpdate()
    .execute();
  if (locked.length === 0) return;
  const ids = locked.map(({ id }) => id);
  await db
    .deleteFrom('subjects')
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', ids)
    .where(unfollowed())
    .execute();
}

/** Makes the watch's subjects due now. Locks them in the order of their ids, so two callers don't deadlock. */
export async function pollSoon(
  db: Kysely<Schema>,
  { workspaceId, id }: Pick<Watch, 'workspaceId' | 'id'>,
  now: Date,
): Promise<void> {
  const followed = db
    .selectFrom('subjects')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', (query) =>
      query
        .selectFrom('followings')
        .select('subject_id')
        .where('workspace_id', '=', workspaceId)
        .where('watch_id', '=', id),
    )
    .orderBy('id')
    .forUpdate();
  await db
    .updateTable('subjects')
    .set({ due_at: sql`least(due_at, ${now})` })
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', followed)
    .execute();
}
