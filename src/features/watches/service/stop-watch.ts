import type { Actor } from '../../../workspaces/permissions.ts';
import type { By } from '../store/by.ts';
import type { WatchWithFollowings } from '../store/watch-list.ts';
import type { WatchServiceOptions } from './options.ts';

/** Its card becomes the final card at once; where Slack does not take it, by the outbox. False when it is gone already. */
export async function stopWatch(
  watch: WatchWithFollowings,
  { actor, by, options }: { actor: Actor; by: By; options: Pick<WatchServiceOptions, 'store' | 'cards'> },
): Promise<boolean> {
  const { store, cards } = options;
  if (!(await store.stop(watch.id, by))) return false;
  if (await cards.close(watch, { userId: actor.userId, at: by.now })) await store.forgetCard(watch.id);
  return true;
}
