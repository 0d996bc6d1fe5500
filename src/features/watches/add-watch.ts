import { isDeepStrictEqual } from 'node:util';
import type { Destination, StoredDestination } from '../../answers/message.ts';
import { PostError, postRefusal } from '../../outbox/outgoing-message.ts';
import { hasDate, replaceDates } from '../../predictions/promises.ts';
import { noAlerts } from '../alerts/index.ts';
import { cancelCardCleanup, postCard, removeCard, scheduleCardRemoval } from '../cards/index.ts';
import { type AskCtx, actorIn, commandCause, placeIn, requestOptions } from '../ctx.ts';
import {
  askAboutOutsiders,
  checkMayAdd,
  checkMayChange,
  checkNewOwner,
  unknownThing,
} from '../owned/index.ts';
import {
  type Estimate,
  estimateRequest,
  findByTarget,
  type WatchTarget,
  type WatchWithSubjects,
} from '../polling/index.ts';
import { isOn, type Rules, ruleValue, type Snooze, watchRules } from '../rules/index.ts';
import {
  askToChange,
  type ChangeQuestion,
  isForeign,
  readUndo,
  targetOfUndo,
  type Undo,
  undoAdd,
  undoRules,
} from './button-values.ts';
import {
  changedBy,
  changedWith,
  checkMember,
  getToChange,
  inDirectMessage,
  setRules,
  stopFound,
  stopWatch,
  withTyped,
} from './change-watch.ts';
import { resolveTarget } from './named-watches.ts';
import { channelBusy, oneAtATime } from './one-at-a-time.ts';
import { changeWatch, checkLimit, createWatch, endPause, watchKind } from './watch-store.ts';
import type { WatchSubject } from './words/subject.ts';

export interface AddValues {
  subject: WatchSubject;
  rules: Rules;
  /** The keys of the rules that were typed: a watch of the same keeps its others. Left out: `rules` replaces all of them. */
  typedRules?: readonly string[] | undefined;
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
  typedRules?: readonly string[] | undefined;
}

/** A request with the channel that the watch is stored with: a `response` has become the direct message. */
type PlacedRequest = WatchRequest & { destination: StoredDestination };

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
  return await estimateRequest(request, asWatch(request, ctx));
}

/** What it asks counts for the channel of the watch. */
const asWatch = (request: Parameters<typeof commandCause>[1], ctx: AskCtx): AskCtx => ({
  ...ctx,
  cause: commandCause('watch', request),
});

async function requestOf(values: AddValues, ctx: AskCtx): Promise<WatchRequest> {
  const { rules, typedRules } = values;
  const subject = await withKnownSpelling(values.subject, ctx);
  return { ...placeOf(values, ctx), ...(await resolveTarget(subject, ctx)), rules, typedRules };
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
async function addPlaced(request: PlacedRequest, ctx: AskCtx): Promise<AddedWatch> {
  const { services, withDeadlinePaused = (waiting) => waiting } = ctx;
  await services.account.check();
  const found = await findToChange(request, ctx);
  const estimate = await estimateRequest(
    { ...request, rules: rulesFor(request, found) },
    asWatch(request, ctx),
  );
  return await oneAtATime(request.channelId, services, withDeadlinePaused, async (stillOurTurn) => {
    // Another request may have added or changed the watch while this one waited for its turn.
    const existing = await findToChange(request, ctx);
    const seen = { ...request, outsidersAllowedBy: existing?.outsidersAllowedBy ?? null };
    const outsidersAllowedBy = await askAboutOutsiders(seen, 'watch', actorIn(ctx), services.slack);
    if (existing?.status === 'ended') {
      await stopFound(existing, ctx);
    } else if (existing) {
      if (outsidersAllowedBy !== existing.outsidersAllowedBy)
        await changeWatch(existing.id, { outsidersAllowedBy }, changedWith(ctx, existing), ctx);
      const rules = rulesFor(request, existing);
      const { typedRules } = request;
      const changed = await changeExisting(existing, { rules, typedRules, estimate }, ctx);
      if (changed) return changed;
    }
    await checkLimit(request, services.store, ctx);
    const watch = await postAndSave(request, { stillOurTurn, outsidersAllowedBy }, ctx);
    return { kind: 'added', watch, estimate, undo: undoAdd(watch.id) };
  });
}

/** Due dates are promises: those that the watch has for other ports stay. */
function rulesFor({ typedRules, rules }: WatchRequest, existing: WatchWithSubjects | undefined): Rules {
  if (!existing || existing.status === 'ended') return rules;
  const isTyped = typedRules?.includes('due') ?? true;
  const due = isTyped
    ? replaceDates(existing.rules.due, rules.due)
    : replaceDates(rules.due, existing.rules.due);
  return typedRules ? withTyped(existing.rules, { typedRules, rules: { ...rules, due } }) : { ...rules, due };
}

/** Returns the existing watch. Throws UserError if the person may not change it, or may not add a new one. */
async function findToChange(request: WatchRequest, ctx: AskCtx): Promise<WatchWithSubjects | undefined> {
  const [existing] = await findByTarget(request.channelId, request, ctx);
  if (existing && existing.status !== 'ended') {
    await checkMayChange(watchKind, existing, actorIn(ctx), ctx);
  } else {
    await checkMayAdd(watchKind, request.channelId, actorIn(ctx), ctx);
  }
  return existing;
}

/** Also resumes a paused watch. Returns undefined if somebody has just stopped the watch. */
async function changeExisting(
  existing: WatchWithSubjects,
  { rules, typedRules, estimate }: Pick<WatchRequest, 'rules' | 'typedRules'> & { estimate: Estimate },
  ctx: AskCtx,
): Promise<AddedWatch | undefined> {
  const { id, status, rules: before } = existing;
  const hasOtherRules = !isDeepStrictEqual(before, rules);
  if (isForeign(existing, ctx.actor) && takesAway(before, rules))
    return askToChange(existing, {
      rules,
      ...(typedRules && { typedRules }),
      ...(status === 'paused' && { resumes: true }),
    });
  const by = changedWith(ctx, existing);
  if (status === 'paused') await endPause(id, by, ctx);
  if (!hasOtherRules) return { kind: 'same', watch: existing, estimate };
  if (!(await changeWatch(id, { rules }, by, ctx))) return undefined;
  return { kind: 'changed', watch: { ...existing, rules }, estimate, undo: undoRules(existing), before };
}

/** Whether somebody who relies on these rules would miss something: a date is gone, a rule that was on changes, or a limit does. */
const takesAway = (before: Rules, after: Rules): boolean =>
  before.due.some((date) => !hasDate(after.due, date)) ||
  [...watchRules.all, ...watchRules.limits].some((setting) => {
    const [was, is] = [ruleValue(before, setting), ruleValue(after, setting)];
    const isLimit = watchRules.limits.some(({ key }) => key === setting.key);
    return setting.key !== 'due' && !isDeepStrictEqual(was, is) && (isOn(was) || isLimit);
  });

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
  const { subjects, fleet, portGroup, condition } = request;
  const draft: WatchWithSubjects = {
    id: newId(),
    channelId,
    destination,
    ownerId,
    title,
    fleet,
    portGroup,
    condition,
    isFleetGone: false,
    isPortGroupGone: false,
    rules: watchRules.rules.parse(rules),
    promises: subjects.flatMap((subject) =>
      subject.kind === 'vessel' ? rules.due.map((due) => ({ imo: subject.imo, due })) : [],
    ),
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
    const watch = await createWatch({ ...draft, cardTs: ts, subjects }, by, ctx);
    return { ...draft, ...watch };
  } catch (error) {
    await removeCard({ channelId, ts }, ctx);
    throw error;
  }
}

/** Takes back what a button's value says. Throws UserError. */
export async function undo(value: string, ctx: AskCtx) {
  const undone = readUndo(value);
  switch (undone?.kind) {
    case 'add':
      return { kind: 'stopped', watch: await stopWatch(undone.id, ctx) } as const;
    case 'rules':
      return { kind: 'restored', watch: await setRules(undone, ctx) } as const;
    case 'stop':
      return { kind: 'watched-again', watch: await watchAgain(undone, ctx) } as const;
    default:
      throw oldUndo();
  }
}

/** Adds a stopped watch again, with a new card and no memory of its alerts. A fleet's has the current members. */
async function watchAgain(stopped: Extract<Undo, { kind: 'stop' }>, ctx: AskCtx): Promise<WatchWithSubjects> {
  const { channelId, destination, ownerId, title, rules, snooze } = stopped;
  const target = targetOfUndo(stopped);
  if (target.subjects.length === 0) throw oldUndo();
  const there = destination === 'channel' ? ctx : await inDirectMessage(ctx);
  if (destination !== 'channel' && placeIn(there).channelId !== channelId) throw oldUndo();
  await checkMember(channelId, there);
  await checkNewOwner(watchKind, { ...stopped, ownerId: ctx.actor.userId }, ownerId, ctx);
  const request: PlacedRequest = {
    ...{ channelId, destination, title, ...target, rules, ownerId, snooze },
    // If somebody has watched the same again since, their rules stay.
    typedRules: [],
  };
  return (await addPlaced(request, there)).watch;
}

/** Watches a list with the rules of this watch, then stops this one: a list costs one request for all its vessels. */
export async function watchAsList(id: string, list: string, ctx: AskCtx) {
  const { channelId, destination, ownerId, rules, snooze } = await getToChange(id, ctx);
  const former = { channelId, destination, ownerId, title: `list ${list}`, rules, snooze, list };
  const watch = await watchAgain({ kind: 'stop', ...former }, ctx);
  return { watch, stopped: await stopWatch(id, ctx) };
}

const oldUndo = () => unknownThing(watchKind, 'This Undo button no longer works.');
