import { rankByVessel } from '../../../predictions/ranking.ts';
import { actorIn, commandCause, knownVessel, placeIn, requestOptions } from '../../run-context.ts';
import type { Rules } from '../rules/index.ts';
import type { WatchRequest } from '../service/add-watch.ts';
import type { Estimate } from '../service/estimate.ts';
import type { WatchesContext } from '../service/watch-service.ts';
import { watchedPort } from '../store/watch-list.ts';
import type { WatchChangeQuestion } from '../views/change-question.ts';
import type { WatchAdded, WatchPlace } from '../views/watch-added.ts';
import type { WatchSubject } from '../words/subject.ts';
import { changeQuestion } from './ask-to-change.ts';
import { resolveTarget } from './named-watches.ts';

interface AddArgs {
  subject: WatchSubject;
  rules: Rules;
  /** If the subject is watched already, the existing watch keeps its rules. */
  keepsRules?: boolean;
  /** Notifies only the person, in a direct message. */
  isPersonal?: boolean | undefined;
  /** Default: the channel of the request. */
  channelId?: string | undefined;
  isDryRun: boolean;
  /** The command line that saves the watch of a dry run. */
  save?: string;
  /** The command line that saves a watch of a list instead. */
  saveAsList?: (name: string) => string;
}

/** Saves a watch and says what it costs. A dry run saves nothing and says what the watch would cost. */
export async function addWatch(
  args: AddArgs,
  context: WatchesContext,
): Promise<WatchAdded | WatchChangeQuestion> {
  const { rules, keepsRules = false, isDryRun, save } = args;
  const actor = actorIn(context);
  const subject = await withKnownSpelling(args.subject, context);
  const request: WatchRequest = {
    ...placeOf(args, context),
    ...(await resolveTarget(subject, context)),
    rules,
    keepsRules,
  };
  if (isDryRun) {
    const preview = await previewWatch(request, context);
    const { name } = preview.estimate.asList ?? {};
    return {
      ...preview,
      ...(save !== undefined && { save }),
      ...(name !== undefined && args.saveAsList && { saveAsList: args.saveAsList(name) }),
    };
  }
  const added = await context.watches.add(request, actor, context.withDeadlinePaused);
  if (added.kind === 'question') return changeQuestion(added);
  const { watch } = added;
  return {
    ...sharedPart(request, context),
    how: added.kind,
    rules: watch.rules,
    ...(added.kind === 'changed' && { before: added.before }),
    ...(watch.snooze && { snooze: watch.snooze }),
    ...(watch.ownerId !== actor.userId && { ownerId: watch.ownerId }),
    watchId: watch.id,
    estimate: shownEstimate(added.estimate, watch.rules, context),
    ...(added.kind !== 'same' && { undo: added.undo }),
  };
}

/** The service tells lists apart by case. If it has nothing for the typed name, it may know the name in capitals. */
async function withKnownSpelling(subject: WatchSubject, context: WatchesContext): Promise<WatchSubject> {
  if (subject.kind !== 'list') return subject;
  // A button or a form has no cause of its own.
  const { cause = commandCause('watch', context.place) } = context;
  const options = requestOptions({ ...context, cause });
  for (const name of new Set([subject.name, subject.name.toUpperCase()])) {
    const { predictions } = await context.analytics.shiplistNextPorts(name, options);
    if (predictions.length > 0) return { ...subject, name };
  }
  return subject;
}

/** Says what a watch would cost and how often it would notify; saves nothing. */
export async function previewWatch(request: WatchRequest, context: WatchesContext): Promise<WatchAdded> {
  const { rules } = request;
  const estimate = await context.watches.dryRun(request, actorIn(context));
  return {
    ...sharedPart(request, context),
    how: 'would-be-added',
    rules,
    estimate: shownEstimate(estimate, rules, context),
  };
}

function sharedPart(request: WatchRequest, { place }: WatchesContext) {
  const { title, subjects, fleet, condition, channelId, destination } = request;
  // A personal watch (destination `response`) is stored in the person's direct message.
  const isHere =
    !place?.isElsewhere &&
    (destination === 'response' ? place?.destination === 'direct-message' : channelId === place?.channelId);
  return {
    kind: 'watch-added',
    title,
    isPort: watchedPort(request) !== undefined,
    vesselCount: condition?.imos?.length ?? subjects.length,
    isFleet: fleet !== null,
    ...(!isHere && { place: { channelId, destination } }),
  } as const;
}

function placeOf({ isPersonal, channelId }: AddArgs, context: WatchesContext): WatchPlace {
  if (isPersonal) return { channelId: context.actor.userId, destination: 'response' };
  const here = placeIn(context);
  if (channelId === undefined || channelId === here.channelId) {
    return { channelId: here.channelId, destination: here.destination };
  }
  return { channelId, destination: 'channel' };
}

/** Reduces the service's answers to what the reply shows: vessels without predictions, and those with due dates. */
export function shownEstimate(
  { answers, overlaps, asList, ...estimate }: Estimate,
  { due }: Rules,
  { vessels }: Pick<WatchesContext, 'vessels'>,
): WatchAdded['estimate'] {
  const ofVessels = answers.filter(({ subject }) => subject.kind !== 'port');
  const unknown = ofVessels.flatMap(({ subject, answer }) =>
    subject.kind === 'vessel' && answer.predictions.length === 0 ? [subject.imo] : [],
  );
  const predictions = ofVessels.flatMap(({ answer }) => answer.predictions);
  const predicted = [...rankByVessel(predictions)].map(([imo, ranked]) => {
    return { vessel: knownVessel(imo, vessels), ranked };
  });
  return {
    ...estimate,
    ...(asList && {
      asList: { ...asList, missing: asList.missing.map((imo) => knownVessel(imo, vessels)) },
    }),
    overlaps: overlaps.map(({ title, imos }) => ({
      title,
      vessels: imos.map((imo) => knownVessel(imo, vessels)),
    })),
    unknown,
    ...(due.length > 0 && { predicted }),
  };
}
