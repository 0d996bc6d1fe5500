import { isDeepStrictEqual } from 'node:util';
import type { Destination, StoredDestination } from '../../answers/message.ts';
import { UserError } from '../../errors.ts';
import { PostError, postRefusal } from '../../outbox/outgoing-message.ts';
import { type AskCtx, actorIn, commandCause, placeIn, requestOptions } from '../ctx.ts';
import { askAboutOutsiders } from '../owned/outsiders.ts';
import type { Snooze } from '../rules/evaluation/muting.ts';
import type { Rules } from '../rules/list.ts';
import { watchRules } from '../rules/registry.ts';
import { postCard, removeCard } from './cards.ts';
import {
  changedBy,
  changedWith,
  checkMayChange,
  checkMember,
  inDirectMessage,
  stopFound,
} from './change-watch.ts';
import { type Estimate, estimateRequest } from './estimate.ts';
import { findByTarget } from './find-watches.ts';
import { askToChange, type ChangeQuestion, isForeign } from './foreign-change.ts';
import { resolveTarget } from './named-watches.ts';
import { cancelCardCleanup, scheduleCardRemoval } from './store/card-cleanup.ts';
import { channelBusy, oneAtATime } from './store/one-at-a-time.ts';
import { noAlerts } from './store/open-alerts.ts';
import type { WatchTarget, WatchWithSubjects } from './store/watch-list.ts';
import { watchStoreOf } from './store/watch-store.ts';
import { undoAdd, undoRules } from './undo-values.ts';
import type { WatchSubject } from './words/subject.ts';

export interface AddValues {
  subject: WatchSubject;
  rules: Rules;
  /** No rules were typed: if the subject is watched already, the existing watch keeps its rules. */
  keepsRules?: boolean;
  /** Notifies only the person, in a direct message. */
  isPersonal?: boolean | undefined;
  /** Default: the channel of the request. */
  channelId?: string | undefined;
}

export interface WatchRequest extends WatchTarget {
  channelId: string;
  /** `response`: the watch goes to the person's direct message with the bot; `channelId` is then the person's id. */
  destination: Destination;
  /** `DS CYPRESS`, `fleet NORTH at Rotterdam (NLRTM)`, `list FEEDERS`, `port Rotterdam (NLRTM)`. */
  title: string;
  rules: Rules;
  /** Omitted: the person. */
  ownerId?: string;
  snooze?: Snooze | null;
  keepsRules?: boolean;
}

/** A request with the channel in which the watch is stored: a `response` has become the direct message. */
export type PlacedRequest = WatchRequest & { destination: StoredDestination };

/**
 * `changed`: the watch existed with other rules, `before`. `same`: it existed with these rules. `question`: somebody
 * else's watch would be changed. `undo` is the value of an Undo button.
 */
export type AddedWatch =
  | ChangeQuestion
  | { kind: 'added'; watch: WatchWithSubjects; estimate: Estimate; undo: string }
  | { kind: 'changed'; watch: WatchWithSubjects; estimate: Estimate; undo: string; before: Rules }
  | { kind: 'same'; watch: WatchWithSubjects; estimate: Estimate };

/** Saves a watch, or changes the one that the channel has of the same. Throws UserError if nothing can be saved. */
export async function addWatch(
  values: AddValues,
  ctx: AskCtx,
): Promise<{ request: WatchRequest; added: AddedWatch }> {
  const request = await requestOf(values, ctx);
  return { request, added: await addRequested(request, ctx) };
}

export async function addRequested(request: WatchRequest, ctx: AskCtx): Promise<AddedWatch> {
  const { destination } = request;
  const isPersonal = destination === 'response';
  const there = isPersonal ? await inDirectMessage(ctx) : ctx;
  const placed: PlacedRequest = isPersonal
    ? { ...request, channelId: placeIn(there).channelId, destination: 'direct-message' }
    : { ...request, destination };
  await checkMember(placed.channelId, there);
  return await addPlaced(placed, there);
}

/** What saving it would cost, and how often it would notify. Saves nothing. */
export async function previewWatch(
  values: AddValues,
  ctx: AskCtx,
): Promise<{ request: WatchRequest; estimate: Estimate }> {
  const request = await requestOf(values, ctx);
  return { request, estimate: await previewRequested(request, ctx) };
}

export async function previewRequested(request: WatchRequest, ctx: AskCtx): Promise<Estimate> {
  await checkMember(request.channelId, ctx);
  return await estimateRequest(request, ctx);
}

async function requestOf(values: AddValues, ctx: AskCtx): Promise<WatchRequest> {
  const { rules, keepsRules = false } = values;
  const subject = await withKnownSpelling(values.subject, ctx);
  return { ...placeOf(values, ctx), ...(await resolveTarget(subject, ctx)), rules, keepsRules };
}

/** The service tells lists apart by case. If it has nothing for the typed name, it may know the name in capitals. */
async function withKnownSpelling(subject: WatchSubject, ctx: AskCtx): Promise<WatchSubject> {
  if (subject.kind !== 'list') return subject;
  // A button or a form has no cause of its own.
  const { cause = commandCause('watch', ctx.place) } = ctx;
  const options = requestOptions({ ...ctx, cause });
  for (const name of new Set([subject.name, subject.name.toUpperCase()])) {
    const { predictions } = await ctx.services.analytics.shiplistNextPorts(name, options);
    if (predictions.length > 0) return { ...subject, name };
  }
  return subject;
}

function placeOf(
  { isPersonal, channelId }: AddValues,
  ctx: AskCtx,
): Pick<WatchRequest, 'channelId' | 'destination'> {
  if (isPersonal) return { channelId: ctx.actor.userId, destination: 'response' };
  const here = placeIn(ctx);
  if (channelId === undefined || channelId === here.channelId)
    return { channelId: here.channelId, destination: here.destination };
  return { channelId, destination: 'channel' };
}

/** Estimates before it posts the card and saves the watch, because the estimate refuses an unknown list. */
export async function addPlaced(request: PlacedRequest, ctx: AskCtx): Promise<AddedWatch> {
  const { services, withDeadlinePaused = (waiting) => waiting } = ctx;
  await services.account.check();
  const found = await findToChange(request, ctx);
  const estimate = await estimateRequest({ ...request, rules: rulesFor(request, found) }, ctx);
  return await oneAtATime(request.channelId, services, withDeadlinePaused, async (stillOurTurn) => {
    // Another request may have added or changed the watch while this one waited for its turn.
    const existing = await findToChange(request, ctx);
    const seen = { ...request, outsidersAllowedBy: existing?.outsidersAllowedBy ?? null };
    const outsidersAllowedBy = await askAboutOutsiders(seen, 'watch', actorIn(ctx), services.slack);
    if (existing?.status === 'ended') {
      await stopFound(existing, ctx);
    } else if (existing) {
      if (outsidersAllowedBy !== existing.outsidersAllowedBy)
        await watchStoreOf(ctx).change(existing.id, { outsidersAllowedBy }, changedWith(ctx, existing));
      const changed = await changeExisting(existing, { rules: rulesFor(request, existing), estimate }, ctx);
      if (changed) return changed;
    }
    await watchStoreOf(ctx).checkLimit(request);
    const watch = await postAndSave(request, { stillOurTurn, outsidersAllowedBy }, ctx);
    return { kind: 'added', watch, estimate, undo: undoAdd(watch.id) };
  });
}

const rulesFor = ({ keepsRules, rules }: WatchRequest, existing: WatchWithSubjects | undefined): Rules =>
  existing && existing.status !== 'ended' && keepsRules ? existing.rules : rules;

/** Returns the existing watch. Throws UserError if the person may not change it, or may not add a new one. */
async function findToChange(request: WatchRequest, ctx: AskCtx): Promise<WatchWithSubjects | undefined> {
  const [existing] = await findByTarget(request.channelId, request, ctx);
  if (existing && existing.status !== 'ended') {
    await checkMayChange(existing, ctx);
  } else if (!(await ctx.services.access.mayAdd(request.channelId, actorIn(ctx)))) {
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
  { rules, estimate }: { rules: Rules; estimate: Estimate },
  ctx: AskCtx,
): Promise<AddedWatch | undefined> {
  const { id, status, rules: before } = existing;
  const hasOtherRules = !isDeepStrictEqual(before, rules);
  if (hasOtherRules && isForeign(existing, ctx.actor))
    return askToChange(existing, { rules, ...(status === 'paused' && { resumes: true }) });
  const by = changedWith(ctx, existing);
  if (status === 'paused') await watchStoreOf(ctx).resume(id, by);
  if (!hasOtherRules) return { kind: 'same', watch: existing, estimate };
  if (!(await watchStoreOf(ctx).change(id, { rules }, by))) return undefined;
  return { kind: 'changed', watch: { ...existing, rules }, estimate, undo: undoRules(existing), before };
}

async function postAndSave(
  request: PlacedRequest,
  {
    stillOurTurn,
    outsidersAllowedBy,
  }: { stillOurTurn: () => Promise<boolean>; outsidersAllowedBy: string | null },
  ctx: AskCtx,
): Promise<WatchWithSubjects> {
  const { store, newId } = ctx.services;
  const by = changedBy(ctx);
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
  await scheduleCardRemoval(store, draft, by);
  const { ts } = await postCard(draft, ctx).catch(async (error: unknown) => {
    // A PostError means that there is no card. After any other error there may be one, which the outbox removes.
    if (error instanceof PostError) await cancelCardCleanup(store, draft);
    throw postRefusal(error) ?? error;
  });
  try {
    if (!(await stillOurTurn())) throw channelBusy();
    const watch = await watchStoreOf(ctx).create({ ...draft, cardTs: ts, subjects }, by);
    return { ...draft, ...watch };
  } catch (error) {
    await removeCard({ channelId, ts }, ctx);
    throw error;
  }
}
