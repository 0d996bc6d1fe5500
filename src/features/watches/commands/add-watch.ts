import type { Prediction } from '../../../analytics/answers.ts';
import { rankProspects } from '../../../analytics/rank-prospects.ts';
import { canonicalPort } from '../../../reference/ports.ts';
import { actorIn, knownVessel, placeIn } from '../../run-context.ts';
import type { Rules } from '../rules/index.ts';
import type { Estimate } from '../service/estimate.ts';
import type { WatchesContext } from '../services.ts';
import type { Subject } from '../store/subject.ts';
import type { WatchAdded, WatchPlace } from '../views/watch-added.ts';
import type { WatchSubject } from '../words/subject.ts';
import { subjectsOf, titleOf } from './watched-subject.ts';

/** Saves at once and says what it costs; as a dry run it only says so, and that `save` is the line that would. */
export async function addWatchOf(
  args: {
    subject: WatchSubject;
    rules: Rules;
    keepsRules?: boolean;
    /** The person alone is to be notified. */
    toMe?: boolean;
    /** Left out: where it is asked. */
    channelId?: string;
    isDryRun: boolean;
  },
  { save }: { save?: string },
  context: WatchesContext,
): Promise<WatchAdded> {
  const actor = actorIn(context);
  const { rules, keepsRules = false } = args;
  const request = {
    ...placeOf(args, context),
    title: titleOf(args.subject, context.vessels),
    subjects: await subjectsOf(args.subject, context),
    rules,
    keepsRules,
    isFleet: args.subject.kind === 'fleet',
  };
  const common = {
    title: request.title,
    isPort: args.subject.kind === 'port',
    vessels: request.subjects.length,
    ...(args.subject.kind === 'fleet' && { fleet: args.subject.name }),
    ...(isElsewhere(request, context) && { place: placeOf(args, context) }),
    rules,
  };
  if (args.isDryRun) {
    const estimate = await context.watches.dryRun(request, actor);
    const said = {
      ...common,
      estimate: shownEstimate(estimate, rules, context),
      ...(save !== undefined && { save }),
    };
    return { kind: 'watch-added', how: 'would-be-added', ...said };
  }
  const added = await context.watches.add(request, actor, context.withDeadlinePaused);
  return {
    kind: 'watch-added',
    how: added.kind,
    ...common,
    rules: added.watch.rules,
    ...(added.kind === 'changed' && { before: added.before }),
    ...(added.watch.snooze && { snooze: added.watch.snooze }),
    ...(added.watch.ownerId !== actor.userId && { ownerId: added.watch.ownerId }),
    watchId: added.watch.id,
    estimate: shownEstimate(added.estimate, added.watch.rules, context),
    ...(added.kind !== 'same' && { undo: added.undo }),
  };
}

function placeOf(
  { toMe, channelId }: { toMe?: boolean; channelId?: string },
  context: WatchesContext,
): WatchPlace {
  if (toMe) return { channelId: context.actor.userId, destination: 'response' };
  const here = placeIn(context);
  const isThere = channelId !== undefined && channelId !== here.channelId;
  return isThere
    ? { channelId, destination: 'channel' }
    : { channelId: here.channelId, destination: here.destination };
}

/** In the direct message one's own is here. */
function isElsewhere({ channelId, destination }: WatchPlace, { place }: WatchesContext): boolean {
  return destination === 'response'
    ? place?.destination !== 'direct-message'
    : channelId !== place?.channelId;
}

/** Without the answers themselves, but for what they say of a vessel that nothing is known of, and of due dates. */
export function shownEstimate(
  { answers, overlaps, ...estimate }: Estimate,
  { due }: Rules,
  { vessels }: Pick<WatchesContext, 'vessels'>,
): WatchAdded['estimate'] {
  const unknown = answers.flatMap(({ subject, answer }) =>
    subject.kind === 'vessel' && answer.predictions.length === 0 ? [subject.imo] : [],
  );
  const shared = overlaps.map(({ title, imos }) => ({
    title,
    vessels: imos.map((imo) => knownVessel(imo, vessels)),
  }));
  const ranked = answers.flatMap(({ subject, answer }) => prospectsIn(subject, answer.predictions));
  const dates = ranked.flatMap(({ imo, prospects }) =>
    due.flatMap((date) => {
      const now = prospects.find(({ port }) => port === canonicalPort(date.port)) ?? null;
      if (now && (!now.eta || now.eta <= date.at)) return [];
      return [{ vessel: knownVessel(imo, vessels), due: date, now }];
    }),
  );
  return { ...estimate, overlaps: shared, unknown, ...(dates.length > 0 && { due: dates }) };
}

function prospectsIn(subject: Subject, predictions: readonly Prediction[]) {
  if (subject.kind === 'port' || predictions.length === 0) return [];
  const byVessel = Map.groupBy(predictions, ({ imo }) => imo);
  return [...byVessel].map(([imo, records]) => ({ imo, prospects: rankProspects(records) }));
}
