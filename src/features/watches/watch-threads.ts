import type { Imo } from '../../reference/codes.ts';
import type { WorkCtx } from '../ctx.ts';
import { watchedVessels } from './find-watches.ts';
import { listWatches } from './store/watch-list.ts';

/** Slack is asked for each link. */
const maxLinks = 20;

/** Links each vessel to the thread of one watch, at best its own. */
export async function watchThreads(
  channelId: string,
  imos: readonly Imo[],
  { services: { store, slack } }: WorkCtx,
): Promise<ReadonlyMap<Imo, string>> {
  if (imos.length === 0) return new Map();
  const { watches } = await listWatches(store, { channelId }, { limit: 10_000 });
  const fewestVesselsFirst = watches
    .filter(({ status }) => status !== 'ended')
    .map((watch) => ({ cardTs: watch.cardTs, vessels: watchedVessels(watch) }))
    .toSorted((one, other) => one.vessels.length - other.vessels.length);
  const threads = imos.flatMap((imo) => {
    const watch = fewestVesselsFirst.find(({ vessels }) => vessels.includes(imo));
    return watch?.cardTs ? [{ imo, ts: watch.cardTs }] : [];
  });
  const wanted = [...new Set(threads.map(({ ts }) => ts))].slice(0, maxLinks);
  const urls = await Promise.all(wanted.map((ts) => slack.messages.linkTo({ channelId, ts })));
  return new Map(
    threads.flatMap(({ imo, ts }): [Imo, string][] => {
      const url = urls[wanted.indexOf(ts)];
      return url === undefined ? [] : [[imo, url]];
    }),
  );
}
