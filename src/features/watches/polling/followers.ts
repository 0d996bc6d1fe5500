import type { Kysely, Selectable } from 'kysely';
import type { Schema } from '../../../database/schema.ts';
import type { Logger } from '../../../log.ts';
import { type ChannelMode, readChannelMode } from '../../../workspaces/settings.ts';
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
  /** Some watch is active, though it may not be readable. */
  isFollowed: boolean;
  /** One was added, or resumed, while they were locked: it has no part in this poll. */
  isLate: boolean;
}

/**
 * The active watches of these subjects, locked for this transaction: watches, subjects, followings, each in
 * the order of their ids, so that nobody who changes a watch and no other poll waits for one that waits for
 * them. Subjects whose lease is no longer ours are left out, and so are watches that can't be read.
 */
export async function lockFollowers(
  db: Kysely<Schema>,
  { subjectIds, leaseToken, logger }: { subjectIds: readonly string[]; leaseToken: string; logger: Logger },
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
  const known = new Map(watches.map((row) => [row.id, readFollower(row, logger)]));
  const bySubject = Map.groupBy(followings, ({ subject_id }) => subject_id);
  const others = followings.map(({ watch_id }) => watch_id).filter((id) => !known.has(id));
  const late = await activeOf(db, [...new Set(others)]);
  return new Map(
    subjects.map(({ id }) => {
      const mine = bySubject.get(id) ?? [];
      const active = mine.flatMap(({ watch_id, state }) => {
        const follower = known.get(watch_id);
        if (!follower) return [];
        const { success, data, error } = watchState.nullable().safeParse(state);
        if (success) return [{ ...follower, subjectId: id, state: data }];
        logger.error({ watch: watch_id, subject: id, err: error }, 'the state of a watch cannot be read');
        return [];
      });
      const isFollowed = mine.some(({ watch_id }) => known.has(watch_id));
      return [id, { active, isFollowed, isLate: mine.some(({ watch_id }) => late.has(watch_id)) }];
    }),
  );
}

/** Undefined for one that can't be read: the others are notified all the same. */
function readFollower(
  row: Selectable<Schema['watches']> & { mode: string | null },
  logger: Logger,
): Pick<Follower, 'watch' | 'mode'> | undefined {
  try {
    return { watch: readWatch(row), mode: readChannelMode(row.mode) };
  } catch (error) {
    logger.error({ watch: row.id, err: error }, 'a watch cannot be read');
    return undefined;
  }
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
