import type { Imo } from '../../../reference/imo.ts';
import type { Subject } from '../store/subject.ts';
import { vesselsOfFollowing } from '../store/vessels-of-card.ts';
import type { WatchServiceOptions } from './options.ts';
import { selectWatches } from './select-watches.ts';

/** Another watch of the channel, and the vessels that it follows as well. */
export interface Overlap {
  title: string;
  imos: readonly Imo[];
}

const allOfChannel = 10_000;

/** `but`: ids of watches that are meant themselves. Of a list its vessels are given, since it does not name them. */
export async function overlapsOf(
  { channelId, subjects }: { channelId: string; subjects: readonly Subject[] },
  { ofLists, but }: { ofLists: readonly Imo[]; but: readonly string[] },
  options: Pick<WatchServiceOptions, 'db' | 'workspaceId' | 'names'>,
): Promise<Overlap[]> {
  const wanted = new Set([
    ...subjects.flatMap((subject) => (subject.kind === 'vessel' ? [subject.imo] : [])),
    ...ofLists,
  ]);
  if (wanted.size === 0) return [];
  const { watches } = await selectWatches({ channelId }, { limit: allOfChannel }, options);
  return watches
    .filter(({ id, status }) => status !== 'ended' && !but.includes(id))
    .flatMap(({ title, followings }) => {
      const theirs = followings.filter(({ subject }) => subject.kind !== 'port').flatMap(vesselsOfFollowing);
      const imos = [...new Set(theirs)].filter((imo) => wanted.has(imo));
      return imos.length === 0 ? [] : [{ title, imos }];
    });
}
