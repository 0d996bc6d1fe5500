import { StoreUnavailable } from '../../errors.ts';
import { mergeProvenance } from '../../messages/frame/answer-message.ts';
import { foldTight } from '../../reference/fold.ts';
import { nearest } from '../../reference/nearest.ts';
import { actorIn, knownVessel, requestOptions } from '../run-context.ts';
import { byEta, type FleetVessel, type NextPortsContext } from './answer.ts';

/** Buttons for lists that the person may have meant. */
const maxOffered = 5;

/**
 * The vessels of one of the provider's lists, by ETA. The service tells names apart by case and has no list of its lists:
 * if it has nothing for the typed name, this asks for the same name as a watch spells it, and in capitals.
 */
export async function askList(typed: string, context: NextPortsContext) {
  const answer = await vesselsOfList(typed, context);
  if (answer.vessels.length > 0) return answer;
  const watched = await watchedLists(context);
  const sameName = watched.filter((name) => foldTight(name) === foldTight(typed));
  const spellings = new Set([...sameName, typed.toUpperCase()]);
  spellings.delete(typed);
  for (const name of spellings) {
    const other = await vesselsOfList(name, context);
    if (other.vessels.length > 0) return { ...other, insteadOf: typed };
  }
  const near = nearest(
    foldTight(typed),
    watched.map((name) => ({ key: foldTight(name), value: name })),
    maxOffered,
  );
  return { ...answer, offered: near.length > 0 ? near : watched.slice(0, maxOffered) };
}

async function vesselsOfList(list: string, context: NextPortsContext) {
  const answer = await context.analytics.shiplistNextPorts(list, requestOptions(context));
  const byVessel = Map.groupBy(answer.predictions, ({ imo }) => imo);
  const vessels = [...byVessel].map(([imo, ranked]): FleetVessel => {
    const vessel = knownVessel(imo, context.vessels);
    return { vessel, endpoint: 'ship', top: ranked.slice(0, 2), failed: false };
  });
  const provenance = mergeProvenance([answer]);
  return { kind: 'fleet-next-ports' as const, list, vessels: vessels.sort(byEta), ...provenance };
}

/** The lists that this channel watches; in a direct message, those of the person. None in the terminal. */
async function watchedLists(context: NextPortsContext): Promise<readonly string[]> {
  if (!context.place) return [];
  const actor = actorIn(context);
  const { channelId, userId: ownerId } = actor;
  try {
    const filter = context.place.destination === 'channel' ? { channelId } : { ownerId };
    return await context.groups.watchedLists(filter, actor);
  } catch (error) {
    // The service has answered, so there is an answer without them.
    if (error instanceof StoreUnavailable) return [];
    throw error;
  }
}
