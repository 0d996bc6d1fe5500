import type { Imo } from '../../reference/codes.ts';
import { type AskCtx, actorIn } from '../ctx.ts';
import { filterByScope, type Scope } from '../owned/scope.ts';
import {
  isOfPort,
  listWatches,
  targetKey,
  targetOf,
  vesselsIn,
  type WatchFilter,
  type WatchPageOptions,
  type WatchTarget,
  type WatchWithSubjects,
  withTitle,
} from './store/watch-list.ts';

/** With the names of the vessels. */
interface FindCtx {
  services: Pick<AskCtx['services'], 'store'>;
  vessels: Pick<AskCtx['vessels'], 'nameOf'>;
}

/** One page, longer than any channel's list of watches. */
const singlePage = { limit: 10_000 };

/** As `listWatches`, with titles that use the vessels' current names. */
export async function findWatches(
  filter: WatchFilter,
  { services, vessels }: FindCtx,
  page: WatchPageOptions = singlePage,
): Promise<{ watches: WatchWithSubjects[]; total: number }> {
  const { watches, total } = await listWatches(services.store, filter, page);
  return { watches: watches.map((watch) => withTitle(watch, vessels)), total };
}

/** The watch, with the service's latest answers, which its card shows. */
export const findWatch = async (id: string, ctx: FindCtx): Promise<WatchWithSubjects | undefined> =>
  (await findWatches({ ids: [id] }, ctx, { limit: 1, withLatest: true })).watches[0];

/** The watches in a scope of the person, oldest first; `total` counts those of all pages. */
export async function findInScope(scope: Scope, ctx: AskCtx, page?: WatchPageOptions) {
  const filter = await filterByScope(scope, actorIn(ctx), ctx.services.access);
  return await findWatches(filter, ctx, page);
}

/** The watch with this thread under its card. */
export const findByCard = async (
  { channelId, threadTs: cardTs }: { channelId: string; threadTs: string },
  ctx: FindCtx,
): Promise<WatchWithSubjects | undefined> => (await findWatches({ channelId, cardTs }, ctx)).watches[0];

/** The watches of a channel that are about exactly this. */
export async function findByTarget(
  channelId: string,
  target: WatchTarget,
  ctx: FindCtx,
): Promise<WatchWithSubjects[]> {
  const { fleet, subjects } = target;
  const [subject] = subjects;
  const followed = fleet === null ? subject && { subject } : { fleet };
  if (!followed) return [];
  const { watches } = await findWatches({ channelId, ...followed }, ctx);
  return watches.filter((watch) => targetKey(targetOf(watch)) === targetKey(target));
}

/** Another watch of the channel, and the vessels that it follows as well. */
export interface Overlap {
  title: string;
  imos: readonly Imo[];
}

export async function findOverlaps(
  { channelId, imos, exceptId }: { channelId: string; imos: ReadonlySet<Imo>; exceptId: string | undefined },
  ctx: FindCtx,
): Promise<Overlap[]> {
  if (imos.size === 0) return [];
  const { watches } = await findWatches({ channelId }, ctx);
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
