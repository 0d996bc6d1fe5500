import { isDeepStrictEqual } from 'node:util';
import { UserError } from '../../../errors.ts';
import { PostError } from '../../../outbox/poster.ts';
import type { Access, Actor } from '../../../workspaces/permissions.ts';
import { checkDueDates } from '../rules/due.ts';
import { watchRules } from '../rules/registry.ts';
import type { By } from '../store/by.ts';
import { busy, oneAtATime, type WithDeadlinePaused } from '../store/one-at-a-time.ts';
import { type Subject, toColumns } from '../store/subject.ts';
import type { WatchWithFollowings } from '../store/watch-list.ts';
import { cardRefusal } from './card-refusal.ts';
import { type Estimate, estimateWatch } from './estimate.ts';
import type { WatchServiceOptions } from './options.ts';
import { overlapsOf } from './overlaps.ts';
import { selectWatches } from './select-watches.ts';
import { stopWatch } from './stop-watch.ts';
import { undoAdd, undoRules, vesselsOf } from './undo.ts';
import type { Added, PlacedRequest, WatchRequest } from './watch-service.ts';

const someWatches = 50;
const allOfChannel = 10_000;

/** Asks first, since a list that the service knows nothing of is refused; then the card, then the row. */
export async function addWatch(
  request: PlacedRequest,
  {
    actor,
    by,
    options,
    withDeadlinePaused = (waiting) => waiting,
  }: {
    actor: Actor;
    by: By;
    options: WatchServiceOptions;
    withDeadlinePaused?: WithDeadlinePaused | undefined;
  },
): Promise<Added> {
  const known = await findChangeable(request, { actor, options });
  const estimate = await estimateRequest(asStored(request, known), { ...options, askedBy: actor.userId });
  return await oneAtATime(request.channelId, options, withDeadlinePaused, (isOurs) =>
    addInTurn(request, { estimate, isOurs, actor, by, options }),
  );
}

interface Turn {
  estimate: Estimate;
  isOurs: () => Promise<boolean>;
  actor: Actor;
  by: By;
  options: WatchServiceOptions;
}

async function addInTurn(request: PlacedRequest, turn: Turn): Promise<Added> {
  const { estimate, actor, by, options } = turn;
  const known = await findChangeable(request, turn);
  if (known?.status === 'ended') {
    // It has had its end: what is asked for is a new one.
    await stopWatch(known, { actor, by: { ...by, title: known.title }, options });
  } else if (known) {
    if (known.status === 'paused') await options.store.resume(known.id, { ...by, title: known.title });
    const changed = await changeKnown(known, {
      request: asStored(request, known),
      estimate,
      by: { ...by, title: known.title },
      options,
    });
    if (changed) return changed;
  }
  await options.store.checkLimit({ workspaceId: options.workspaceId, channelId: request.channelId });
  const watch = await postAndSave(request, turn);
  return { kind: 'added', watch, estimate, undo: undoAdd(watch.id) };
}

function asStored(request: WatchRequest, known: WatchWithFollowings | undefined): WatchRequest {
  if (!known || known.status === 'ended') return request;
  const { keepsRules, keepsVessels, rules, subjects } = request;
  const [first = subjects[0], ...others] = known.followings.map(({ subject }) => subject);
  return {
    ...request,
    rules: keepsRules ? known.rules : rules,
    subjects: keepsVessels ? [first, ...others] : subjects,
  };
}

/** What is watched there already. Throws UserError where the person may neither change it nor add anything. */
async function findChangeable(
  request: WatchRequest,
  { actor, options }: Pick<Turn, 'actor' | 'options'>,
): Promise<WatchWithFollowings | undefined> {
  const known = await findKnown(request, options);
  if (known && known.status !== 'ended') await refuseChange(known, actor, options.access);
  else if (!(await options.access.mayAdd(request.channelId, actor))) throw adminsOnly();
  return known;
}

const adminsOnly = (): UserError =>
  new UserError({
    code: 'not-allowed',
    message: "You can't add watches to that channel. Nothing was saved.",
    hint: "By the channel's settings, only workspace admins can. They can change that too.",
  });

/** Throws UserError for who may not change this watch; who is not in its channel does not learn what it watches. */
export async function refuseChange(
  watch: Pick<WatchWithFollowings, 'title' | 'ownerId' | 'channelId' | 'destination'>,
  actor: Actor,
  access: Pick<Access, 'mayChange' | 'mayUse'>,
): Promise<void> {
  const isPersonal = watch.destination === 'direct-message';
  if (await access.mayChange({ ...watch, isPersonal }, actor)) return;
  const isSeen = await access.mayUse(watch.channelId, actor);
  throw new UserError({
    code: 'not-allowed',
    message: isSeen
      ? `You can't change the watch of ${watch.title}.`
      : "You can't change that watch: you are not in its channel.",
    hint: 'Its owner and workspace admins can; so can everybody in its channel, unless the channel settings say otherwise.',
  });
}

async function findKnown(
  { channelId, subjects, title, isFleet = false }: WatchRequest,
  options: WatchServiceOptions,
): Promise<WatchWithFollowings | undefined> {
  const [known] = await watchesOf(channelId, subjects, options);
  if (known || !isFleet) return known;
  const { watches } = await selectWatches({ channelId }, { limit: allOfChannel }, options);
  return watches.find((watch) => watch.title.toLowerCase() === title.toLowerCase());
}

/** Undefined where somebody has stopped it meanwhile. */
async function changeKnown(
  known: WatchWithFollowings,
  {
    request: { rules, subjects },
    estimate,
    by,
    options: { store },
  }: { request: WatchRequest; estimate: Estimate; by: By; options: WatchServiceOptions },
): Promise<Added | undefined> {
  const before = keysOf(known.followings.map(({ subject }) => subject));
  const isMoved = !isDeepStrictEqual(before, keysOf(subjects));
  const isRuled = !isDeepStrictEqual(known.rules, rules);
  if (!isMoved && !isRuled) return { kind: 'same', watch: known, estimate };
  const change = isRuled ? { rules } : undefined;
  const changed = isMoved
    ? await store.follow(known.id, subjects, by, change)
    : await store.change(known.id, { rules }, by);
  if (!changed) return undefined;
  const undo = undoRules(known.id, known, isMoved ? { imos: vesselsOf(known.followings) } : {});
  return { kind: 'changed', watch: { ...known, rules }, estimate, undo, before: known.rules };
}

/** Throws UserError for what can't be watched at all. */
export async function estimateRequest(
  request: WatchRequest,
  options: WatchServiceOptions & { askedBy: string },
): Promise<Estimate> {
  const { subjects, rules } = request;
  const { db, analytics, credentialId, askedBy, now, fixedMinutes } = options;
  checkDueDates(rules.due);
  const estimate = await estimateWatch(
    { subjects, rules },
    { db, analytics, credentialId, askedBy, now: now(), fixedMinutes },
  );
  for (const { subject, answer } of estimate.answers) {
    if (subject.kind !== 'shiplist' || answer.predictions.length > 0) continue;
    throw new UserError({
      code: 'unknown-list',
      message: `No list called ${subject.name}, so nothing was saved.`,
      hint: "Lists are kept by the provider; they can't be made here. Check the spelling with whoever set up the list.",
      example: 'watch list:FEEDERS',
    });
  }
  const known = await findKnown(request, options);
  const ofLists = estimate.answers.flatMap(({ subject, answer }) =>
    subject.kind === 'shiplist' ? answer.predictions.map(({ imo }) => imo) : [],
  );
  return {
    ...estimate,
    overlaps: await overlapsOf(request, { ofLists, but: known ? [known.id] : [] }, options),
  };
}

/** The watches of a channel that follow exactly these subjects. */
export async function watchesOf(
  channelId: string,
  subjects: readonly Subject[],
  options: Pick<WatchServiceOptions, 'db' | 'workspaceId' | 'names'>,
): Promise<WatchWithFollowings[]> {
  const [first] = subjects;
  if (!first) return [];
  const { watches } = await selectWatches({ channelId, subject: first }, { limit: someWatches }, options);
  const wanted = keysOf(subjects);
  return watches.filter(({ followings }) =>
    isDeepStrictEqual(keysOf(followings.map(({ subject }) => subject)), wanted),
  );
}

const keysOf = (subjects: readonly Subject[]): string[] =>
  [...new Set(subjects.map((subject) => Object.values(toColumns(subject)).join(' ')))].sort();

async function postAndSave(
  request: PlacedRequest,
  { isOurs, actor, by, options }: Turn,
): Promise<WatchWithFollowings> {
  const { store, cards, workspaceId, credentialId, newId } = options;
  const { channelId, destination, title, subjects, rules, ownerId = actor.userId, snooze = null } = request;
  const id = newId();
  const draft: WatchWithFollowings = {
    id,
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
  await store.expectCard(draft, { ...by, realNow: new Date(options.realNow()) });
  const { ts } = await cards.post(draft).catch(async (error: unknown) => {
    // Slack has said no: there is no card. Where nobody knows, it is looked for.
    if (error instanceof PostError) await store.forgetCard(id);
    throw cardRefusal(error) ?? error;
  });
  try {
    if (!(await isOurs())) throw busy();
    const watch = await store.create(
      {
        ...{ id, workspaceId, credentialId, channelId, destination, ownerId, title },
        cardTs: ts,
        rules,
        snooze,
        subjects,
      },
      by,
    );
    return { ...draft, ...watch };
  } catch (error) {
    await cards.remove({ channelId, ts });
    throw error;
  }
}
