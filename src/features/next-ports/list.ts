import { StoreUnavailable } from '../../errors.ts';
import { mergeProvenance } from '../../messages/frame/answer-message.ts';
import { foldTight } from '../../reference/fold.ts';
import { nearest } from '../../reference/nearest.ts';
import { watchedLists as listsWatchedBy } from '../history/index.ts';
import { actorIn, knownVessel, requestOptions } from '../run-context.ts';
import type { AskCtx } from '../variant.ts';
import { byEta, type FleetPredictions, type FleetVessel } from './predictions.ts';

export interface ListPredictions extends FleetPredictions {
  list: string;
  /** The typed name of the list, if the service knows another spelling of it. */
  insteadOf?: string;
  /** Lists that the person may have meant, if there is no such list. */
  offered?: readonly string[];
}

/** Buttons for lists that the person may have meant. */
const maxOffered = 5;

/**
 * The vessels of one of the provider's lists, by ETA. The service tells names apart by case and has no list of its lists:
 * if it has nothing for the typed name, this asks for the same name as a watch spells it, and in capitals.
 */
export async function askList(typed: string, ctx: AskCtx): Promise<ListPredictions> {
  const answer = await vesselsOfList(typed, ctx);
  if (answer.vessels.length > 0) return answer;
  const watched = await watchedLists(ctx);
  const sameName = watched.filter((name) => foldTight(name) === foldTight(typed));
  const spellings = new Set([...sameName, typed.toUpperCase()]);
  spellings.delete(typed);
  for (const name of spellings) {
    const other = await vesselsOfList(name, ctx);
    if (other.vessels.length > 0) return { ...other, insteadOf: typed };
  }
  const near = nearest(
    foldTight(typed),
    watched.map((name) => ({ key: foldTight(name), value: name })),
    maxOffered,
  );
  return { ...answer, offered: near.length > 0 ? near : watched.slice(0, maxOffered) };
}

async function vesselsOfList(list: string, ctx: AskCtx): Promise<ListPredictions> {
  const answer = await ctx.services.analytics.shiplistNextPorts(list, requestOptions(ctx));
  const byVessel = Map.groupBy(answer.predictions, ({ imo }) => imo);
  const vessels = [...byVessel].map(([imo, ranked]): FleetVessel => {
    const vessel = knownVessel(imo, ctx.vessels);
    return { vessel, endpoint: 'ship', top: ranked.slice(0, 2), failed: false };
  });
  const provenance = mergeProvenance([answer]);
  return { list, vessels: vessels.sort(byEta), ...provenance };
}

/** The lists that this channel watches; in a direct message, those of the person. None in the terminal. */
async function watchedLists(ctx: AskCtx): Promise<readonly string[]> {
  if (!ctx.place) return [];
  const actor = actorIn(ctx);
  const { channelId, userId: ownerId } = actor;
  try {
    const filter = ctx.place.destination === 'channel' ? { channelId } : { ownerId };
    return await listsWatchedBy(filter, actor, ctx.services);
  } catch (error) {
    // The service has answered, so there is an answer without them.
    if (error instanceof StoreUnavailable) return [];
    throw error;
  }
}
