import { type SqlBool, sql } from 'kysely';
import { inChunks } from '../../../database/batches.ts';
import type { WorkspaceStore } from '../../../database/workspace-store.ts';
import {
  beginWatched,
  columnsKey,
  endWatched,
  fromColumns,
  type Subject,
  selectFollowed,
  subjectKey,
  toColumns,
} from '../../history/index.ts';
import { type WatchState, watchState } from '../../rules/evaluation/state.ts';
import type { Watch } from './watch.ts';

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
  store: WorkspaceStore,
  followings: readonly Following[],
  { droppedIds = [], newId, now }: { droppedIds?: readonly string[]; newId: () => string; now: Date },
): Promise<void> {
  const all = followings.flatMap(({ subjects }) => subjects);
  const byKey = new Map(all.map((subject) => [subjectKey(subject), subject]));
  const sorted = [...byKey].sort(([key], [otherKey]) => (key < otherKey ? -1 : 1));
  const columns = sorted.map(([, subject]) => toColumns(subject));
  await lockSubjects(store, columns, droppedIds);
  const ids = new Map<string, string>();
  for (const { kind, key } of columns) {
    const { id } = await store
      .insertInto('subjects', {
        id: newId(),
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
      watch_id: watchId,
      subject_id: ids.get(subjectKey(subject)) ?? '',
      state: null,
    })),
  );
  for (const chunk of inChunks(rows)) {
    await store
      .insertInto('followings', chunk)
      .onConflict((conflict) => conflict.columns(['watch_id', 'subject_id']).doNothing())
      .execute();
  }
  await beginWatched(store, followings, now);
}

async function lockSubjects(
  store: WorkspaceStore,
  columns: readonly { kind: string; key: string }[],
  droppedIds: readonly string[],
): Promise<void> {
  const kinds = [...new Set(columns.map(({ kind }) => kind))];
  const keys = columns.map(({ key }) => key);
  if (keys.length + droppedIds.length === 0) return;
  await store
    .selectFrom('subjects')
    .select('id')
    .where((where) => {
      const isFollowed = where.and([where('kind', 'in', kinds), where('key', 'in', keys)]);
      const isDropped = where('id', 'in', droppedIds);
      if (droppedIds.length === 0) return isFollowed;
      return keys.length === 0 ? isDropped : where.or([isFollowed, isDropped]);
    })
    .orderBy('id')
    .forUpdate()
    .execute();
}

/** Stops following every subject except `kept`. Returns all that the watch followed before, and what was dropped. */
export async function unfollow(
  store: WorkspaceStore,
  { watch, kept, now }: { watch: Watch; kept: readonly Subject[]; now: Date },
): Promise<{ before: Subject[]; droppedIds: string[]; droppedStates: WatchState[] }> {
  const keptKeys = new Set(kept.map(subjectKey));
  const followed = await selectFollowed(store)
    .select(['subject_id', 'kind', 'key', 'state'])
    .where('watch_id', '=', watch.id)
    .orderBy('kind')
    .orderBy('key')
    .execute();
  const dropped = followed.filter((row) => !keptKeys.has(columnsKey(row)));
  const droppedIds = dropped.map((row) => row.subject_id);
  if (droppedIds.length > 0) {
    await store
      .deleteFrom('followings')
      .where('watch_id', '=', watch.id)
      .where('subject_id', 'in', droppedIds)
      .execute();
    await endWatched(store, { watchId: watch.id, keys: dropped, now });
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
export async function deleteUnfollowed(store: WorkspaceStore, droppedIds: readonly string[]): Promise<void> {
  if (droppedIds.length === 0) return;
  const unfollowed = () => sql<SqlBool>`not exists (
    select 1 from followings
    where ${store.isOwn('followings')} and followings.subject_id = subjects.id
  )`;
  const locked = await store
    .selectFrom('subjects')
    .select('id')
    .where('id', 'in', droppedIds)
    .where(unfollowed())
    .orderBy('id')
    .forUpdate()
    .execute();
  if (locked.length === 0) return;
  const ids = locked.map(({ id }) => id);
  await store.deleteFrom('subjects').where('id', 'in', ids).where(unfollowed()).execute();
}

/** Makes the watch's subjects due now. Locks them in the order of their ids, so two callers don't deadlock. */
export async function pollSoon(store: WorkspaceStore, { id }: Pick<Watch, 'id'>, now: Date): Promise<void> {
  const followed = store
    .selectFrom('subjects')
    .select('id')
    .where('id', 'in', store.selectFrom('followings').select('subject_id').where('watch_id', '=', id))
    .orderBy('id')
    .forUpdate();
  await store
    .updateTable('subjects')
    .set({ due_at: sql`least(due_at, ${now})` })
    .where('id', 'in', followed)
    .execute();
}
