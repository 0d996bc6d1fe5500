import { createYieldToEventLoop } from '../../../database/batches.ts';
import type { WorkspaceStore } from '../../../database/workspace-store.ts';
import type { Logger } from '../../../log.ts';
import { type ChannelMode, readChannelMode } from '../../../workspaces/settings.ts';
import { type WatchState, watchState } from '../../rules/evaluation/state.ts';
import { readWatch, type Watch } from '../store/watch.ts';

/** A watch that follows a subject, and its state for that subject. */
export interface Follower {
  subjectId: string;
  watch: Watch;
  mode: ChannelMode;
  state: WatchState | null;
  /** The time of the backup, if the store was restored since the last evaluation. */
  restoredFrom: Date | null;
}

/** The followers of one subject. */
export interface Followers {
  active: Follower[];
  /** At least one watch is active, even if it can't be read. */
  isFollowed: boolean;
  /** A watch was added or resumed after the active ones were locked, so it misses this poll. */
  hasLateFollower: boolean;
}

/**
 * Locks the active watches of these subjects and then the subjects, each in the order of their ids, as changes of watches
 * do. Whoever changes what a watch follows has locked the watch. Leaves out subjects whose lease has been taken over, and
 * watches that can't be read.
 */
export async function lockFollowers(
  store: WorkspaceStore,
  { subjectIds, leaseToken, logger }: { subjectIds: readonly string[]; leaseToken: string; logger: Logger },
): Promise<Map<string, Followers>> {
  const followed = store.selectFrom('followings').select('watch_id').where('subject_id', 'in', subjectIds);
  const watches = await store
    .selectFrom('watches')
    .leftJoin(...store.join('channels', 'channels.channel_id', 'watches.channel_id'))
    .selectAll('watches')
    .select('channels.mode')
    .where('watches.status', '=', 'active')
    .where('watches.id', 'in', followed)
    .orderBy('watches.id')
    .forKeyShare('watches')
    .execute();
  const subjects = await store
    .selectFrom('subjects')
    .select('id')
    .where('id', 'in', subjectIds)
    .where('lease_token', '=', leaseToken)
    .orderBy('id')
    .forUpdate()
    .execute();
  const followings = await store
    .selectFrom('followings')
    .innerJoin(...store.join('watches', 'watches.id', 'followings.watch_id'))
    .select(['followings.watch_id', 'followings.subject_id', 'followings.state', 'followings.restored_from'])
    .select('watches.status')
    .where('followings.subject_id', 'in', subjectIds)
    .orderBy('followings.watch_id')
    .orderBy('followings.subject_id')
    .execute();
  // Hundreds of followers take a while to read.
  const yieldToEventLoop = createYieldToEventLoop();
  await yieldToEventLoop();
  const lockedWatches = new Map(
    watches.map((row) => [
      row.id,
      readOrLog(
        () => ({ watch: readWatch(row), mode: readChannelMode(row.mode) }),
        { watch: row.id },
        logger,
      ),
    ]),
  );
  const bySubject = Map.groupBy(followings, ({ subject_id }) => subject_id);
  const followers = new Map<string, Followers>();
  for (const { id: subjectId } of subjects) {
    const ofSubject = bySubject.get(subjectId) ?? [];
    const active: Follower[] = [];
    for (const { watch_id, state, restored_from: restoredFrom } of ofSubject) {
      await yieldToEventLoop();
      const watch = lockedWatches.get(watch_id);
      if (!watch) continue;
      const read = () => ({ ...watch, subjectId, state: storedState.parse(state), restoredFrom });
      const follower = readOrLog(read, { watch: watch_id, subject: subjectId }, logger);
      if (follower) active.push(follower);
    }
    const isFollowed = ofSubject.some(({ watch_id }) => lockedWatches.has(watch_id));
    const hasLateFollower = ofSubject.some(
      ({ watch_id, status }) => status === 'active' && !lockedWatches.has(watch_id),
    );
    followers.set(subjectId, { active, isFollowed, hasLateFollower });
  }
  return followers;
}

/** Their next alerts don't come after a restore any more. */
export async function endRecovery(store: WorkspaceStore, followers: readonly Follower[]): Promise<void> {
  for (const { watch, subjectId } of followers) {
    await store
      .updateTable('followings')
      .set({ restored_from: null })
      .where('watch_id', '=', watch.id)
      .where('subject_id', '=', subjectId)
      .execute();
  }
}

const storedState = watchState.nullable();

/** Returns undefined if it can't be read, because one bad row must not keep other watches from being notified. */
function readOrLog<Value>(
  read: () => Value,
  ids: { watch: string; subject?: string },
  logger: Logger,
): Value | undefined {
  try {
    return read();
  } catch (error) {
    logger.error({ ...ids, err: error }, 'a watch or its state cannot be read');
    return undefined;
  }
}
