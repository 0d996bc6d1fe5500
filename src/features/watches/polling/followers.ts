import type { Kysely } from 'kysely';
import type { Schema } from '../../../database/schema.ts';
import { type ChannelMode, readChannelMode } from '../../../workspaces/channels.ts';
import { type WatchState, watchState } from '../evaluation/state.ts';
import { readWatch, type Watch } from '../store/watch.ts';

/** A watch that follows a subject, and what its followers know of it. */
export interface Follower {
  subjectId: string;
  watch: Watch;
  mode: ChannelMode;
  state: WatchState | null;
}

/** The followers of one subject. */
export interface Followers {
  active: Follower[];
  /** One was added, or resumed, while they were locked: it has no part in this poll. */
  isLate: boolean;
}

/**
 * The active watches of these subjects, locked for this transaction: watches, subjects, followings, each in
 * the order of their ids, so that nobody who changes a watch and no other poll waits for one that waits for
 * them. Subjects whose lease is no longer ours are left out.
 */
export async function lockFollowers(
  db: Kysely<Schema>,
  { subjectIds, leaseToken }: { subjectIds: readonly string[]; leaseToken: string },
): Promise<Map<string, Followers>> {
  const followed = db.selectFrom('followings').select('watch_id').where('subject_id', 'in', subjectIds);
  const watches = await db
    .selectFrom('watches')
    .leftJoin('channels', (join) =>
      join
        .onRef('channels.workspace_id', '=', 'watches.workspace_id')
        .onRef('channels.channel_id', '=', 'watches.channel_id'),
    )
    .selectAll('watches')
    .select('channels.mode')
    .where('watches.status', '=', 'active')
    .where('watches.id', 'in', followed)
    .orderBy('watches.id')
    .forKeyShare('watches')
    .execute();
  const subjects = await db
    .selectFrom('subjects')
    .select('id')
    .where('id', 'in', subjectIds)
    .where('lease_token', '=', leaseToken)
    .orderBy('id')
    .forUpdate()
    .execute();
  const followings = await db
    .selectFrom('followings')
    .select(['watch_id', 'subject_id', 'state'])
    .where('subject_id', 'in', subjectIds)
    .orderBy('watch_id')
    .orderBy('subject_id')
    .forUpdate()
    .execute();
  const known = new Map(
    watches.map((row) => [row.id, { watch: readWatch(row), mode: readChannelMode(row.mode) }]),
  );
  const bySubject = Map.groupBy(followings, ({ subject_id }) => subject_id);
  const others = followings.map(({ watch_id }) => watch_id).filter((id) => !known.has(id));
  const late = await activeOf(db, [...new Set(others)]);
  return new Map(
    subjects.map(({ id }) => {
      const mine = bySubject.get(id) ?? [];
      const active = mine.flatMap(({ watch_id, state }) => {
        const follower = known.get(watch_id);
        return follower ? [{ ...follower, subjectId: id, state: watchState.nullable().parse(state) }] : [];
      });
      return [id, { active, isLate: mine.some(({ watch_id }) => late.has(watch_id)) }];
    }),
  );
}

/** As they are by now; not locked, since they are not notified. */
async function activeOf(db: Kysely<Schema>, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db
    .selectFrom('watches')
    .select('id')
    .where('id', 'in', [...ids])
    .where('status', '=', 'active')
    .execute();
  return new Set(rows.map(({ id }) => id));
}
