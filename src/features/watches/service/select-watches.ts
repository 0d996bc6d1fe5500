import { withTitle } from '../store/title.ts';
import {
  listWatches,
  type WatchFilter,
  type WatchPageOptions,
  type WatchWithFollowings,
} from '../store/watch-list.ts';
import type { WatchServiceOptions } from './options.ts';

/** As listWatches, with the titles that they have now. */
export async function selectWatches(
  filter: Omit<WatchFilter, 'workspaceId'>,
  page: WatchPageOptions,
  { db, workspaceId, names }: Pick<WatchServiceOptions, 'db' | 'workspaceId' | 'names'>,
): Promise<{ watches: WatchWithFollowings[]; total: number }> {
  const [{ watches, total }, known] = await Promise.all([
    listWatches(db, { workspaceId, ...filter }, page),
    names(),
  ]);
  return { watches: watches.map((watch) => withTitle(watch, known)), total };
}
