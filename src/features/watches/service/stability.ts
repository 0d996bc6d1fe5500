import { foldTight } from '../../../reference/fold.ts';
import type { Imo } from '../../../reference/imo.ts';
import { isImo } from '../../../reference/imo.ts';
import type { Actor } from '../../../workspaces/permissions.ts';
import { filterByScope, type Scope } from '../../owned.ts';
import type { FinishedCall } from '../stability/finished-call.ts';
import { readFinishedCalls } from '../stability/finished-calls.ts';
import { openCalls } from '../stability/follow-calls.ts';
import { findWatches, watchedVessels } from './find-watches.ts';
import type { WatchServiceOptions } from './options.ts';

/** The calls of vessels that ended while they were watched, by whoever in the workspace: as with their history. */
export const createStabilityService = (options: WatchServiceOptions) => ({
  /** The newest first. */
  finishedCalls: (imos: readonly Imo[]): Promise<FinishedCall[]> =>
    readFinishedCalls(options.db, { ...options, imos }),

  /** The vessels that the actor may see as watched there, those of lists included. */
  async vesselsInScope(scope: Scope, actor: Actor): Promise<Imo[]> {
    const { watches } = await findWatches(await filterByScope(scope, actor, options.access), options);
    return [...new Set(watches.flatMap(watchedVessels))];
  },

  /** The vessels of one of the provider's lists at its last polls, and its name as the provider spells it. */
  async vesselsOfList(typed: string): Promise<{ name: string; imos: Imo[] } | undefined> {
    const rows = await options.db
      .selectFrom('subjects')
      .select(['key', 'open_calls'])
      .where('workspace_id', '=', options.workspaceId)
      .where('kind', '=', 'shiplist')
      .execute();
    const found =
      rows.find(({ key }) => key === typed) ?? rows.find(({ key }) => foldTight(key) === foldTight(typed));
    if (!found) return undefined;
    const { data } = openCalls.safeParse(found.open_calls);
    return {
      name: found.key,
      imos: Object.keys(data?.vessels ?? {})
        .map(Number)
        .filter(isImo),
    };
  },
});
