import type { Imo } from '../../../reference/imo.ts';
import { type Actor, notInChannel } from '../../../workspaces/permissions.ts';
import { isOfPort, subjectsOf } from '../store/watch-list.ts';
import { findWatches, watchedVessels } from './find-watches.ts';
import type { WatchServiceOptions } from './options.ts';

type WatchedBy = { channelId: string } | { ownerId: string };

/** What a channel or a person watches, for lines of other features. */
export function createWatchedGroups(options: Pick<WatchServiceOptions, 'store' | 'access' | 'names'>) {
  const mayAsk = async (by: WatchedBy, actor: Actor) =>
    !('channelId' in by) || (await options.access.mayUse(by.channelId, actor));

  async function findFollowed(by: WatchedBy) {
    const { watches } = await findWatches(by, options);
    return watches.filter((watch) => watch.status !== 'ended' && !isOfPort(watch));
  }

  return {
    /** Includes the vessels of lists; sorted by IMO number. Throws UserError for a non-member. */
    async watchedVessels(by: WatchedBy, actor: Actor): Promise<Imo[]> {
      if (!(await mayAsk(by, actor))) throw notInChannel({ saves: false });
      const imos = (await findFollowed(by)).flatMap(watchedVessels);
      return [...new Set(imos)].sort((imo, otherImo) => imo - otherImo);
    },
    /** The provider's lists that are watched there; none for a non-member. */
    async watchedLists(by: WatchedBy, actor: Actor): Promise<string[]> {
      if (!(await mayAsk(by, actor))) return [];
      const subjects = (await findFollowed(by)).flatMap(subjectsOf);
      return [...new Set(subjects.flatMap((subject) => (subject.kind === 'shiplist' ? subject.name : [])))];
    },
  };
}
