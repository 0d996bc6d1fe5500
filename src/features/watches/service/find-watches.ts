import type { Imo } from '../../../reference/imo.ts';
import {
  isOfPort,
  listWatches,
  targetOf,
  vesselsIn,
  type WatchFilter,
  type WatchPageOptions,
  type WatchWithSubjects,
} from '../store/watch-list.ts';
import { targetKey, type WatchTarget } from '../store/watch-target.ts';
import { withTitle } from '../store/watch-title.ts';
import type { WatchServiceOptions } from './options.ts';

type FindOptions = Pick<WatchServiceOptions, 'store' | 'names'>;

/** One page, longer than any channel's list of watches. */
const singlePage = { limit: 10_000 };

/** As `listWatches`, with titles that use the vessels' current names. */
export async function findWatches(
  filter: WatchFilter,
  { store, names }: FindOptions,
  page: WatchPageOptions = singlePage,
): Promise<{ watches: WatchWithSubjects[]; total: number }> {
  const [{ watches, total }, directory] = await Promise.all([listWatches(store, filter, page), names()]);
  return { watches: watches.map((watch) => withTitle(watch, directory)), total };
}

/** The watches of a channel that are about exactly this. */
export async function findByTarget(
  channelId: string,
  target: WatchTarget,
  options: FindOptions,
): Promise<WatchWithSubjects[]> {
  const { fleet, subjects } = target;
  const [subject] = subjects;
  const followed = fleet === null ? subject && { subject } : { fleet };
  if (!followed) return [];
  const { watches } = await findWatches({ channelId, ...followed }, options);
  return watches.filter((watch) => targetKey(targetOf(watch)) === targetKey(target));
}

/** Another watch of the channel, and the vessels that it follows as well. */
export interface Overlap {
  title: string;
  imos: readonly Imo[];
}

export async function findOverlaps(
  { channelId, imos, exceptId }: { channelId: string; imos: ReadonlySet<Imo>; exceptId: string | undefined },
  options: FindOptions,
): Promise<Overlap[]> {
  if (imos.size === 0) return [];
  const { watches } = await findWatches({ channelId }, options);
  return watches
    .filter(({ id, status }) => status !== 'ended' && id !== exceptId)
    .map((watch) => ({
      title: watch.title,
      imos: watchedVessels(watch).filter((imo) => imos.has(imo)),
    }))
    .filter((overlap) => overlap.imos.length > 0);
}

/** A watch of a port, or of vessels at a port, doesn't count as watching those vessels. */
export const watchedVessels = (watch: WatchWithSubjects): Imo[] =>
  isOfPort(watch) ? [] : vesselsIn(watch.followedSubjects);
