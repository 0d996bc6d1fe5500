import { isDeepStrictEqual } from 'node:util';
import { UserError } from '../../../errors.ts';
import { PostError, postRefusal } from '../../../outbox/poster.ts';
import type { Actor } from '../../../workspaces/permissions.ts';
import { checkDueDates } from '../rules/due.ts';
import type { Rules } from '../rules/index.ts';
import { watchRules } from '../rules/registry.ts';
import { expectCard, forgetCard } from '../store/expected-card.ts';
import { busy, oneAtATime, type WithDeadlinePaused } from '../store/one-at-a-time.ts';
import type { ChangedBy } from '../store/watch.ts';
import { vesselSubjects, type WatchWithFollowings } from '../store/watch-list.ts';
import { changedBy, checkMayChange, stopWatch } from './change-watch.ts';
import { type Estimate, estimateWatch } from './estimate.ts';
import { areSame, findExisting, findOverlaps } from './find-watches.ts';
import type { WatchServiceOptions } from './options.ts';
import { undoAdd, undoRules } from './undo.ts';
import type { PlacedRequest, WatchRequest } from './watch-request.ts';

/**
 * `changed`: the subjects were watched already, with the rules `before` or with other vessels; `same`: they were watched
 * with the same rules. `undo` is the value of an Undo button.
 */
type AddedWatch =
  | { kind: 'added'; watch: WatchWithFollowings; estimate: Estimate; undo: string }
  | { kind: 'changed'; watch: WatchWithFollowings; estimate: Estimate; undo: string; before: Rules }
  | { kind: 'same'; watch: WatchWithFollowings; estimate: Estimate };

/** Estimates first, because that refuses a list unknown to the service; then posts the card, then saves the watch. */
export async function addWatch(
  request: PlacedRequest,
  actor: Actor,
  options: WatchServiceOptions,
  withDeadlinePaused: WithDeadlinePaused = (waiting) => waiting,
): Promise<AddedWatch> {
  const by = changedBy(actor, options);
  const existing = await findToChange(request, actor, options);
  const estimate = await estimateRequest(keepingExisting(request, existing), actor, options);
  return await oneAtATime(request.channelId, options, withDeadlinePaused, (isOurs) =>
    addInTurn(request, { estimate, isOurs, actor, by, options }),
  );
}

interface Turn {
  estimate: Estimate;
  isOurs: () => Promise<boolean>;
  actor: Actor;
  by: ChangedBy;
  options: WatchServiceOptions;
}

async function addInTurn(request: PlacedRequest, turn: Turn): Promise<AddedWatch> {
  const { estimate, actor, by, options } = turn;
  const existing = await findToChange(request, actor, options);
  if (existing?.status === 'ended') {
    await stopWatch(existing, by, options);
  } else if (existing) {
    if (existing.status === 'paused')
      await options.store.resume(existing.id, { ...by, title: existing.title });
    const changed = await changeExisting(existing, keepingExisting(request, existing), turn);
    if (changed) return changed;
  }
  await options.store.checkLimit({ workspaceId: options.workspaceId, channelId: request.channelId });
  const watch = await postAndSave(request, turn);
  return { kind: 'added', watch, estimate, undo: undoAdd(watch.id) };
}

function keepingExisting(request: WatchRequest, existing: WatchWithFollowings | undefined): WatchRequest {
  if (!existing || existing.status === 'ended') return request;
  const { keepsRules, keepsVessels, rules, subjects } = request;
  const [first = subjects[0], ...others] = existing.followings.map(({ subject }) => subject);
  return {
    ...request,
    rules: keepsRules ? existing.rules : rules,
    subjects: keepsVessels ? [first, ...others] : subjects,
  };
}

/** The existing watch. Throws UserError if the actor may not change it, or there is none and they may not add one. */
async function findToChange(
  request: WatchRequest,
  actor: Actor,
  options: WatchServiceOptions,
): Promise<WatchWithFollowings | undefined> {
  const existing = await findExisting(request, options);
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

/** Undefined if somebody has stopped it meanwhile. */
async function changeExisting(
  existing: WatchWithFollowings,
  { rules, subjects }: WatchRequest,
  { estimate, options: { store }, ...turn }: Turn,
): Promise<AddedWatch | undefined> {
  const by = { ...turn.by, title: existing.title };
  const hasOtherSubjects = !areSame(
    subjects,
    existing.followings.map(({ subject }) => subject),
  );
  const hasOtherRules = !isDeepStrictEqual(existing.rules, rules);
  if (!hasOtherSubjects && !hasOtherRules) return { kind: 'same', watch: existing, estimate };
  const changed = hasOtherSubjects
    ? await store.follow(existing.id, subjects, by, hasOtherRules ? { rules } : undefined)
    : await store.change(existing.id, { rules }, by);
  if (!changed) return undefined;
  const imos = hasOtherSubjects && { imos: vesselSubjects(existing.followings) };
  const undo = undoRules(existing, { ...imos });
  return { kind: 'changed', watch: { ...existing, rules }, estimate, undo, before: existing.rules };
}

/** Throws UserError if the request can't be watched at all. */
export async function estimateRequest(
  request: WatchRequest,
  { userId }: Actor,
  options: WatchServiceOptions,
): Promise<Estimate> {
  const { channelId, subjects, rules } = request;
  checkDueDates(rules.due);
  const estimate = await estimateWatch({ subjects, rules }, { ...options, askedBy: userId });
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
  const imos = new Set([...vessels, ...lists.flatMap((list) => list.imos)]);
  const existing = await findExisting(request, options);
  const overlaps = await findOverlaps({ channelId, imos, exceptId: existing?.id }, options);
  return { ...estimate, overlaps };
}

async function postAndSave(
  request: PlacedRequest,
  { isOurs, actor, by, options }: Turn,
): Promise<WatchWithFollowings> {
  const { db, store, cards, workspaceId, credentialId, newId } = options;
  const { channelId, destination, title, subjects, rules, ownerId = actor.userId, snooze = null } = request;
  const draft: WatchWithFollowings = {
    id: newId(),
    workspaceId,
    credentialId,
    channelId,
    destination,
    ownerId,
    title,
    rules: watchRules.rules.parse(rules),
    snooze,
    status: 'active',
    pauseReason: null,
    news: null,
    acknowledgement: null,
    cardTs: null,
    createdAt: by.now,
    followings: subjects.map((subject) => ({
      subject,
      state: null,
      nextPollAt: by.now,
      polledAt: null,
      latest: null,
      failingSince: null,
    })),
  };
  await expectCard(db, draft, { ...by, realNow: new Date(options.realNow()) });
  const { ts } = await cards.post(draft).catch(async (error: unknown) => {
    // Slack has refused the card. After any other error it may exist, and the outbox looks for it.
    if (error instanceof PostError) await forgetCard(db, draft.id);
    throw postRefusal(error) ?? error;
  });
  try {
    if (!(await isOurs())) throw busy();
    const watch = await store.create({ ...draft, cardTs: ts, subjects }, by);
    return { ...draft, ...watch };
  } catch (error) {
    await cards.remove({ channelId, ts });
    throw error;
  }
}
