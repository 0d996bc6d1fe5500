import type { Prediction } from '../../../analytics/answers.ts';
import type { Imo } from '../../../reference/imo.ts';
import type { Actor } from '../../../workspaces/permissions.ts';
import { filterByScope } from '../../owned/scope.ts';
import { vesselsIn, type WatchWithSubjects } from '../store/watch-list.ts';
import type { WatchTarget } from '../store/watch-target.ts';
import { type AsList, callsPerMonth, type Estimate, roundToTwoDigits } from './estimate.ts';
import { findWatches } from './find-watches.ts';
import type { WatchServiceOptions } from './options.ts';
import type { Undo } from './undo.ts';

/** From this many vessels on, a list is worth a word. */
const minVessels = 5;
/** A list is offered if it has all but a fifth of the vessels, and at most as many others. */
const maxMissingShare = 0.2;

interface KnownList {
  name: string;
  imos: ReadonlySet<Imo>;
}

/**
 * What the watch would use as one of the provider's lists, which is polled with one request for all its vessels. The
 * service doesn't say which lists there are: known are those that the person can see a watch of. Undefined if a list would not use half as much.
 */
export async function estimateAsList(
  { subjects, condition }: WatchTarget,
  estimate: Pick<Estimate, 'callsPerMonth' | 'answers'>,
  actor: Actor,
  options: WatchServiceOptions,
): Promise<AsList | undefined> {
  const imos = subjects.flatMap((subject) => (subject.kind === 'vessel' ? [subject.imo] : []));
  if (condition || imos.length < minVessels || estimate.callsPerMonth === 0) return undefined;
  const predictions = estimate.answers.flatMap(({ answer }) => answer.predictions);
  const list = nearestList(imos, await findKnownLists(actor, options));
  const asList = { ...list, callsPerMonth: list ? 0 : callsOfList(predictions, options) };
  if (asList.callsPerMonth > estimate.callsPerMonth / 2) return undefined;
  const { name, callsPerMonth, missing = [], others = 0 } = asList;
  return { ...(name !== undefined && { name }), callsPerMonth, missing, others };
}

/** A list is polled as often as its nearest ETA needs. */
const callsOfList = (predictions: readonly Prediction[], options: WatchServiceOptions): number =>
  roundToTwoDigits(callsPerMonth(predictions, { ...options, condition: null }));

async function findKnownLists(actor: Actor, options: WatchServiceOptions): Promise<KnownList[]> {
  const filter = await filterByScope('all', actor, options.access);
  const { watches } = await findWatches(filter, options);
  return watches
    .filter(({ status, condition }) => status === 'active' && !condition)
    .flatMap(({ followedSubjects }) =>
      followedSubjects.flatMap((followed) =>
        followed.subject.kind === 'shiplist'
          ? [{ name: followed.subject.name, imos: new Set(vesselsIn([followed])) }]
          : [],
      ),
    );
}

/** The list that lacks the fewest of these vessels, and of those the one with the fewest others. */
function nearestList(imos: readonly Imo[], lists: readonly KnownList[]) {
  const [nearest] = lists
    .map(({ name, imos: listed }) => {
      const missing = imos.filter((imo) => !listed.has(imo));
      return { name, missing, others: listed.size - (imos.length - missing.length) };
    })
    .filter(
      ({ missing, others }) =>
        missing.length <= imos.length * maxMissingShare && others <= imos.length - missing.length,
    )
    .sort((a, b) => a.missing.length - b.missing.length || a.others - b.others);
  return nearest;
}

/** Replaces a watch of vessels by one of a list that has them, which costs a request for all of them. */
export const createWatchAsList = ({
  getToChange,
  watchAgain,
  stop,
}: {
  getToChange(id: string, actor: Actor): Promise<WatchWithSubjects>;
  watchAgain(watch: Extract<Undo, { kind: 'stop' }>, actor: Actor): Promise<WatchWithSubjects>;
  stop(id: string, actor: Actor): Promise<WatchWithSubjects>;
}) => ({
  /** Watches the list with the rules of this watch, then stops this one. */
  async watchAsList(id: string, list: string, actor: Actor) {
    const { channelId, destination, ownerId, rules, snooze } = await getToChange(id, actor);
    const former = { channelId, destination, ownerId, title: `list ${list}`, rules, snooze, list };
    const watch = await watchAgain({ kind: 'stop', ...former }, actor);
    return { watch, stopped: await stop(id, actor) };
  },
});
