import type { Actor } from '../../../workspaces/permissions.ts';
import type { WatchWithSubjects } from '../store/watch-list.ts';
import type { Undo } from './undo.ts';

/** Replaces a watch of vessels by one of a list that has them, which costs a request for all of them. */
export const createWatchAsList = ({
  getToChange,
  watchAgain,
  stop,
}: {
  getToChange(id: string, actor: Actor): Promise<WatchWithSubjects>;
  watchAgain(watch: Extract<Undo, { kind: 'stop' }>, actor: Actor): Promise<WatchWithSubjects>;
  stop(id: string, actor: Actor): Promise<WatchWithSubjects>;
}) => ({
  /** Watches the list with the rules of this watch, then stops this one. */
  async watchAsList(id: string, list: string, actor: Actor) {
    const { channelId, destination, ownerId, rules, snooze } = await getToChange(id, actor);
    const former = { channelId, destination, ownerId, title: `list ${list}`, rules, snooze, list };
    const watch = await watchAgain({ kind: 'stop', ...former }, actor);
    return { watch, stopped: await stop(id, actor) };
  },
});
