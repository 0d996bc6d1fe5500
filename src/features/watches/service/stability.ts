import type { FinishedCall } from '../../../predictions/stability.ts';
import { foldTight } from '../../../reference/fold.ts';
import type { Imo } from '../../../reference/imo.ts';
import type { Actor } from '../../../workspaces/permissions.ts';
import { type ActorsScope, filterByScope, type Scope } from '../../owned.ts';
import { imosIn } from '../evaluation/state.ts';
import { readHistory } from '../../history/index.ts';
import { readFinishedCalls } from '../../stability/index.ts';
import { findWatches, watchedVessels } from './find-watches.ts';
import type { WatchServiceOptions } from './options.ts';

/** The predictions for vessels, and their calls that ended, while watches in a scope followed them. */
export const createStabilityService = (options: Pick<WatchServiceOptions, 'store' | 'access' | 'names'>) => ({
  /** What was predicted for a vessel, oldest first. */
  async history(imo: Imo, from: Date, { scope, actor }: ActorsScope) {
    const filter = await filterByScope(scope, actor, options.access);
    return await readHistory(options.store, { subject: { kind: 'vessel', imo }, from, filter });
  },

  /** The newest first. */
  async finishedCalls(imos: readonly Imo[], { scope, actor }: ActorsScope): Promise<FinishedCall[]> {
    const filter = await filterByScope(scope, actor, options.access);
    return await readFinishedCalls(options.store, { imos, filter });
  },

  /** The vessels that the actor may see as watched there, those of lists included. */
  async vesselsInScope(scope: Scope, actor: Actor): Promise<Imo[]> {
    const { watches } = await findWatches(await filterByScope(scope, actor, options.access), options);
    return [...new Set(watches.flatMap(watchedVessels))];
  },

  /** The vessels of one of the provider's lists that is watched there, and its name as the provider spells it. */
  async vesselsOfList(
    typed: string,
    { scope, actor }: ActorsScope,
  ): Promise<{ name: string; imos: Imo[] } | undefined> {
    const { watches } = await findWatches(await filterByScope(scope, actor, options.access), options);
    const lists = watches.flatMap(({ followedSubjects }) =>
      followedSubjects.flatMap(({ subject, state }) =>
        subject.kind === 'shiplist' ? [{ name: subject.name, imos: imosIn(state) }] : [],
      ),
    );
    return (
      lists.find(({ name }) => name === typed) ??
      lists.find(({ name }) => foldTight(name) === foldTight(typed))
    );
  },
});
