import { isDeepStrictEqual } from 'node:util';
import type { Imo } from '../../../reference/imo.ts';
import { type Subject, subjectKey } from '../store/subject.ts';
import {
  listWatches,
  subjectsOf,
  vesselsIn,
  type WatchFilter,
  type WatchPageOptions,
  type WatchWithSubjects,
  withTitle,
} from '../store/watch-list.ts';
import type { WatchServiceOptions } from './options.ts';

type FindOptions = Pick<WatchServiceOptions, 'db' | 'workspaceId' | 'names'>;

/** One page, longer than any channel's list of watches. */
const singlePage = { limit: 10_000 };

/** As `listWatches`, with titles that use the vessels' current names. */
export async function findWatches(
  filter: Omit<WatchFilter, 'workspaceId'>,
  { db, workspaceId, names }: FindOptions,
  page: WatchPageOptions = singlePage,
): Promise<{ watches: WatchWithSubjects[]; total: number }> {
  const [{ watches, total }, directory] = await Promise.all([
    listWatches(db, { workspaceId, ...filter }, page),
    names(),
  ]);
  return { watches: watches.map((watch) => withTitle(watch, directory)), total };
}

/** The watches of a channel that follow exactly these subjects. */
export async function findBySubjects(
  channelId: string,
  subjects: readonly Subject[],
  options: FindOptions,
): Promise<WatchWithSubjects[]> {
  const [subject] = subjects;
  if (!subject) return [];
  const { watches } = await findWatches({ channelId, subject }, options);
  return watches.filter((watch) => areSameSubjects(subjects, subjectsOf(watch)));
}

/** Ignores the order. */
export const areSameSubjects = (some: readonly Subject[], others: readonly Subject[]): boolean =>
  isDeepStrictEqual(new Set(some.map(subjectKey)), new Set(others.map(subjectKey)));

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
    .map(({ title, followedSubjects }) => ({
      title,
      imos: watchedVessels(followedSubjects).filter((imo) => imos.has(imo)),
    }))
    .filter((overlap) => overlap.imos.length > 0);
}

/** A port's watch doesn't count as watching the vessels that the port expects. */
export const watchedVessels = (followedSubjects: WatchWithSubjects['followedSubjects']): Imo[] =>
  vesselsIn(followedSubjects.filter(({ subject }) => subject.kind !== 'port'));
