import { isDeepStrictEqual } from 'node:util';
import { UserError } from '../../../errors.ts';
import type { Destination, StoredDestination } from '../../../messages/destination.ts';
import { PostError, postRefusal } from '../../../outbox/poster.ts';
import type { Actor } from '../../../workspaces/permissions.ts';
import type { WithDeadlinePaused } from '../../deadline.ts';
import { askAboutOutsiders } from '../../owned/outsiders.ts';
import { filterByScope } from '../../owned/scope.ts';
import { commandCause } from '../../run-context.ts';
import type { Snooze } from '../evaluation/muting.ts';
import { checkDueDates } from '../rules/due.ts';
import type { Rules } from '../rules/index.ts';
import { watchRules } from '../rules/registry.ts';
import { cancelCardCleanup, scheduleCardRemoval } from '../store/card-cleanup.ts';
import { channelBusy, oneAtATime } from '../store/one-at-a-time.ts';
import { noAlerts } from '../store/open-alerts.ts';
import type { ChangedBy } from '../store/watch.ts';
import type { WatchWithSubjects } from '../store/watch-list.ts';
import type { WatchTarget } from '../store/watch-target.ts';
import { estimateAsList } from './as-list.ts';
import { changedBy, checkMayChange, stopWatch } from './change-watch.ts';
import { type Estimate, estimateWatch } from './estimate.ts';
import { findByTarget, findOverlaps } from './find-watches.ts';
import { askToChange, type ChangeQuestion, isForeign } from './foreign-change.ts';
import type { WatchServiceOptions } from './options.ts';
import { undoAdd, undoRules } from './undo.ts';

export interface WatchRequest extends WatchTarget {
  channelId: string;
  /** `response`: the watch goes to the actor's direct message with the bot; `channelId` is then the actor's id. */
  destination: Destination;
  /** `DS CYPRESS`, `fleet NORTH at Rotterdam (NLRTM)`, `list FEEDERS`, `port Rotterdam (NLRTM)`. */
  title: string;
  rules: Rules;
  /** Omitted: the actor. */
  ownerId?: string;
  snooze?: Snooze | null;
  /** No rules were typed, so an existing watch keeps its rules. */
  keepsRules?: boolean;
}

/** A request with the channel in which the watch is stored: a `response` has become the direct message. */
export type PlacedRequest = WatchRequest & { destination: StoredDestination };

/**
 * `changed`: the watch existed with other rules, `before`. `same`: it existed with these rules. `question`: somebody else's watch would be changed. `undo` is the value of an Undo button.
 */
type AddedWatch =
  | ChangeQuestion
  | { kind: 'added'; watch: WatchWithSubjects; estimate: Estimate; undo: string }
  | { kind: 'changed'; watch: WatchWithSubjects; estimate: Estimate; undo: string; before: Rules }
  | { kind: 'same'; watch: WatchWithSubjects; estimate: Estimate };

/** Estimates before it posts the card and saves the watch, because the estimate refuses an unknown list. */
export async function addWatch(
  request: PlacedRequest,
  actor: Actor,
  options: WatchServiceOptions,
  withDeadlinePaused: WithDeadlinePaused = (waiting) => waiting,
): Promise<AddedWatch> {
  const { watchStore } = options;
  const by = changedBy(actor, options);
  await options.checkAccount?.();
  const found = await findToChange(request, actor, options);
  const estimate = await estimateRequest({ ...request, rules: rulesFor(request, found) }, actor, options);
  return await oneAtATime(request.channelId, options, withDeadlinePaused, async (stillOurTurn) => {
    // Another request may have added or changed the watch while this one waited for its turn.
    const existing = await findToChange(request, actor, options);
    const seen = { ...request, outsidersAllowedBy: existing?.outsidersAllowedBy ?? null };
    const outsidersAllowedBy = await askAboutOutsiders(seen, 'watch', actor, options.slack);
    if (existing?.status === 'ended') {
      await stopWatch(existing, by, options);
    } else if (existing) {
      if (outsidersAllowedBy !== existing.outsidersAllowedBy)
        await watchStore.change(existing.id, { outsidersAllowedBy }, { ...by, title: existing.title });
      const context = { estimate, watchStore, actor, by: { ...by, title: existing.title } };
      const changed = await changeExisting(existing, rulesFor(request, existing), context);
      if (changed) return changed;
    }
    await watchStore.checkLimit(request);
    const watch = await postAndSave(request, { ...options, by, stillOurTurn, outsidersAllowedBy });
    return { kind: 'added', watch, estimate, undo: undoAdd(watch.id) };
  });
}

const rulesFor = ({ keepsRules, rules }: WatchRequest, existing: WatchWithSubjects | undefined): Rules =>
  existing && existing.status !== 'ended' && keepsRules ? existing.rules : rules;

/** Returns the existing watch. Throws UserError if the actor may not change it, or may not add a new one. */
async function findToChange(
  request: WatchRequest,
  actor: Actor,
  options: WatchServiceOptions,
): Promise<WatchWithSubjects | undefined> {
  const [existing] = await findByTarget(request.channelId, request, options);
  if (existing && existing.status !== 'ended') {
    await checkMayChange(existing, actor, options);
  } else if (!(await options.access.mayAdd(request.channelId, actor))) {
    throw new UserError({
      code: 'not-allowed',
      message: "You can't add watches to that channel. Nothing was saved.",
      hint: "By the channel's settings, only workspace admins can. They can change that too.",
    });
  }
  return existing;
}

/** Also resumes a paused watch. Returns undefined if somebody has just stopped the watch. */
async function changeExisting(
  existing: WatchWithSubjects,
  rules: Rules,
  {
    estimate,
    watchStore,
    actor,
    by,
  }: Pick<WatchServiceOptions, 'watchStore'> & { estimate: Estimate; actor: Actor; by: ChangedBy },
): Promise<AddedWatch | undefined> {
  const { id, status, rules: before } = existing;
  const hasOtherRules = !isDeepStrictEqual(before, rules);
  if (hasOtherRules && isForeign(existing, actor)) {
    return askToChange(existing, { rules, ...(status === 'paused' && { resumes: true }) });
  }
  if (status === 'paused') await watchStore.resume(id, by);
  if (!hasOtherRules) return { kind: 'same', watch: existing, estimate };
  if (!(await watchStore.change(id, { rules }, by))) return undefined;
  return {
    kind: 'changed',
    watch: { ...existing, rules },
    estimate,
    undo: undoRules(existing),
    before,
  };
}

/** Throws UserError for too many due dates, or a list that the service doesn't know. */
export async function estimateRequest(
  request: WatchRequest,
  actor: Actor,
  options: WatchServiceOptions,
): Promise<Estimate> {
  const { channelId, subjects, condition, rules } = request;
  checkDueDates(rules.due);
  const filter = await filterByScope('all', actor, options.access);
  const asked = { askedBy: actor.userId, cause: commandCause('watch', request), filter };
  const estimate = await estimateWatch({ subjects, condition, rules }, { ...options, ...asked });
  const lists = estimate.answers.flatMap(({ subject, answer }) =>
    subject.kind === 'shiplist' ? [{ ...subject, imos: answer.predictions.map(({ imo }) => imo) }] : [],
  );
  const unknown = lists.find(({ imos }) => imos.length === 0);
  if (unknown) {
    throw new UserError({
      code: 'unknown-list',
      message: `No list called ${unknown.name}, so nothing was saved.`,
      hint: "Lists are kept by the provider; they can't be made here. Check the spelling with whoever set up the list.",
      example: 'watch list:FEEDERS',
    });
  }
  const vessels = subjects.flatMap((subject) => (subject.kind === 'vessel' ? [subject.imo] : []));
  const imos = new Set(condition ? [] : [...vessels, ...lists.flatMap((list) => list.imos)]);
  const [existing] = await findByTarget(channelId, request, options);
  const overlaps = await findOverlaps({ channelId, imos, exceptId: existing?.id }, options);
  return { ...estimate, overlaps, asList: await estimateAsList(request, estimate, actor, options) };
}

async function postAndSave(
  request: PlacedRequest,
  options: WatchServiceOptions & {
    by: ChangedBy;
    stillOurTurn: () => Promise<boolean>;
    outsidersAllowedBy: string | null;
  },
): Promise<WatchWithSubjects> {
  const { store, watchStore, cards, newId, by, stillOurTurn, outsidersAllowedBy } = options;
  const { channelId, destination, title, rules, ownerId = by.actorId, snooze = null } = request;
  const { subjects, fleet, condition } = request;
  const draft: WatchWithSubjects = {
    id: newId(),
    channelId,
    destination,
    ownerId,
    title,
    fleet,
    condition,
    isFleetGone: false,
    rules: watchRules.rules.parse(rules),
    snooze,
    status: 'active',
    pauseReason: null,
    ...noAlerts,
    outsidersAllowedBy,
    cardTs: null,
    createdAt: by.now,
    followedSubjects: subjects.map((subject) => ({
      subject,
      state: null,
      nextPollAt: by.now,
      polledAt: null,
      latest: null,
      failingSince: null,
    })),
  };
  await scheduleCardRemoval(store, draft, { ...by, realNow: new Date(options.realNow()) });
  const { ts } = await cards.post(draft).catch(async (error: unknown) => {
    // A PostError means that there is no card. After any other error there may be one, which the outbox removes.
    if (error instanceof PostError) await cancelCardCleanup(store, draft);
    throw postRefusal(error) ?? error;
  });
  try {
    if (!(await stillOurTurn())) throw channelBusy();
    const watch = await watchStore.create({ ...draft, cardTs: ts, subjects }, by);
    return { ...draft, ...watch };
  } catch (error) {
    await cards.remove({ channelId, ts });
    throw error;
  }
}
