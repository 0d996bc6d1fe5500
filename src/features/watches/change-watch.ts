import { replaceDates } from '../../predictions/promises.ts';
import type { Change } from '../../workspaces/audit.ts';
import { notInChannel } from '../../workspaces/permissions.ts';
import { cancelCardCleanup, closeCard } from '../cards/index.ts';
import { type AskCtx, actorIn, type WorkCtx } from '../ctx.ts';
import {
  checkMayChange,
  checkNewOwner,
  checkOutsidersAsked,
  gone,
  isPersonalThing,
  requireToChange,
} from '../owned/index.ts';
import { type ChangedBy, findWatch, findWatches, type WatchWithSubjects } from '../polling/index.ts';
import { type Rules, type Snooze, withImpliedRules } from '../rules/index.ts';
import {
  askToChange,
  type ChangeQuestion,
  checkDiffers,
  type ForeignChange,
  isForeign,
  isUnchanged,
  readChange,
  undoRules,
} from './button-values.ts';
import { changeWatch, deleteWatch, endPause, pollNow, type WatchChange, watchKind } from './watch-store.ts';

// What people can do to watches. All throw UserError: `not-allowed` if the person lacks permission, `unknown-watch` if the
// watch is gone. They do all of their work, or nothing.

export const changedBy = ({ actor, services, now }: AskCtx): ChangedBy => ({
  actorId: actor.userId,
  now: now(),
  realNow: new Date(services.realNow()),
});

/** With the title that people know the watch by. */
export const changedWith = (ctx: AskCtx, { title }: Pick<WatchWithSubjects, 'title'>): ChangedBy => ({
  ...changedBy(ctx),
  title,
});

/** Throws UserError if the person isn't in that channel. */
export async function checkMember(channelId: string, ctx: AskCtx): Promise<void> {
  if (!(await ctx.services.access.mayUse(channelId, actorIn(ctx)))) throw notInChannel();
}

/** The context of the same person in another channel. Throws UserError if they aren't in it. */
export async function inChannel(channelId: string | undefined, ctx: AskCtx): Promise<AskCtx> {
  if (channelId === undefined || channelId === ctx.place?.channelId) return ctx;
  const place = { channelId, destination: 'channel', mayHaveLeft: true, isElsewhere: true } as const;
  const there: AskCtx = { ...ctx, place };
  await checkMember(channelId, there);
  return there;
}

/** The context of the same person, as if they had asked in their direct message with the bot. */
export async function inDirectMessage(ctx: AskCtx): Promise<AskCtx> {
  const channelId = await ctx.services.slack.directMessageOf(ctx.actor.userId);
  return { ...ctx, place: { channelId, destination: 'direct-message' } };
}

export const getToChange = async (id: string, ctx: AskCtx): Promise<WatchWithSubjects> =>
  await requireToChange(watchKind, await findWatch(id, ctx), actorIn(ctx), ctx);

/** For acknowledging and refreshing: members of the channel may do that to any of its watches. */
export async function getToUse(id: string, ctx: AskCtx): Promise<WatchWithSubjects> {
  const watch = requireFound(await findWatch(id, ctx));
  const actor = actorIn(ctx);
  if (!(await ctx.services.access.mayUse(watch.channelId, actor)))
    await checkMayChange(watchKind, watch, actor, ctx);
  await checkOutsiders(watch, ctx);
  return watch;
}

/** Every watch of the channel. Throws unless the person may change all of them. */
export async function getAllToChange(ctx: AskCtx): Promise<WatchWithSubjects[]> {
  const { watches } = await findWatches({ channelId: actorIn(ctx).channelId }, ctx);
  for (const watch of watches) await checkMayChange(watchKind, watch, actorIn(ctx), ctx);
  return watches;
}

const checkOutsiders = (watch: WatchWithSubjects, ctx: AskCtx): Promise<void> =>
  checkOutsidersAsked(watchKind, watch, actorIn(ctx), ctx, (outsidersAllowedBy) =>
    change(watch, { outsidersAllowedBy }, ctx),
  );

const change = async (watch: WatchWithSubjects, values: WatchChange, ctx: AskCtx) => ({
  ...watch,
  ...requireFound(await changeWatch(watch.id, values, changedWith(ctx, watch), ctx)),
});

/** Deletes the watch and shows its final card; if that fails, the outbox shows it. False if the watch is gone. */
export async function stopFound(watch: WatchWithSubjects, ctx: AskCtx): Promise<boolean> {
  const by = changedWith(ctx, watch);
  if (!(await deleteWatch(watch.id, by, ctx))) return false;
  const actor = { userId: by.actorId, at: by.now };
  if (await closeCard(watch, actor, ctx)) await cancelCardCleanup(ctx.services.store, watch);
  return true;
}

/** Closes the personal cards of somebody who is forgotten at once, as their outbox goes. The outbox closes others. */
export async function endWatch(id: string, { actorId, now }: Change, ctx: WorkCtx): Promise<void> {
  const realNow = new Date(ctx.services.realNow());
  const watch = await deleteWatch(id, { actorId, now, realNow }, ctx);
  if (!watch || !isPersonalThing(watch)) return;
  if (await closeCard(watch, { userId: actorId, at: now }, ctx))
    await cancelCardCleanup(ctx.services.store, watch);
}

/** Returns the watch as it was before. */
export async function stopWatch(id: string, ctx: AskCtx): Promise<WatchWithSubjects> {
  const watch = await getToChange(id, ctx);
  if (!(await stopFound(watch, ctx))) throw gone(watchKind);
  return watch;
}

/** Stops every watch of the channel, and returns them. */
export async function stopAllWatches(ctx: AskCtx): Promise<WatchWithSubjects[]> {
  const stopped: WatchWithSubjects[] = [];
  for (const watch of await getAllToChange(ctx)) if (await stopFound(watch, ctx)) stopped.push(watch);
  return stopped;
}

/** Null wakes the watch. */
export async function snoozeWatch(id: string, snooze: Snooze | null, ctx: AskCtx) {
  const watch = await getToChange(id, ctx);
  await checkOutsiders(watch, ctx);
  return await change(watch, { snooze }, ctx);
}

export async function handOverWatch(id: string, ownerId: string, ctx: AskCtx) {
  const watch = await getToChange(id, ctx);
  if (ownerId === watch.ownerId) return watch;
  await checkNewOwner(watchKind, watch, ownerId, ctx);
  return await change(watch, { ownerId }, ctx);
}

/** Ends a pause: posts the card again if it is gone, then the messages that were held. */
export async function resumeWatch(id: string, ctx: AskCtx): Promise<WatchWithSubjects> {
  const watch = await getToChange(id, ctx);
  await checkOutsiders(watch, ctx);
  return { ...watch, ...requireFound(await endPause(id, changedWith(ctx, watch), ctx)) };
}

/** Asks the service now instead of at the next poll; the card is updated after that. */
export async function refreshWatch(id: string, ctx: AskCtx): Promise<WatchWithSubjects> {
  const watch = await getToUse(id, ctx);
  requireFound(await pollNow(id, changedBy(ctx), ctx));
  return watch;
}

export async function setRules(
  { id, rules, ownerId }: Pick<ForeignChange, 'id' | 'rules' | 'ownerId'>,
  ctx: AskCtx,
): Promise<WatchWithSubjects> {
  const watch = await getToChange(id, ctx);
  await checkNewOwner(watchKind, watch, ownerId, ctx);
  return await change(watch, { rules, ...(ownerId && { ownerId }) }, ctx);
}

async function changeAll(before: WatchWithSubjects, values: Parameters<typeof setRules>[0], ctx: AskCtx) {
  const watch = await setRules(values, ctx);
  const undo = undoRules(before, values.ownerId ? { ownerId: before.ownerId } : {});
  return { kind: 'changed', watch, undo } as const;
}

type Edited = ChangeQuestion | Awaited<ReturnType<typeof changeAll>>;

/** `ownerId` is the new owner. Asks before it changes somebody else's watch. */
export async function editWatch(
  id: string,
  values: { rules: Rules; ownerId?: string },
  ctx: AskCtx,
): Promise<Edited> {
  const watch = await getToChange(id, ctx);
  await checkNewOwner(watchKind, watch, values.ownerId, ctx);
  return isForeign(watch, ctx.actor)
    ? askToChange(watch, values)
    : await changeAll(watch, { id, ...values }, ctx);
}

/** Changes somebody else's watch as the question said. Asks again if the watch has been changed since. */
export async function confirmChange(value: string, ctx: AskCtx): Promise<Edited> {
  const change = readChange(value);
  if (!change) throw gone(watchKind);
  const watch = await getToChange(change.id, ctx);
  checkDiffers(watch, change);
  if (!isUnchanged(watch, change))
    return { ...askToChange(watch, { ...change, rules: rebased(change, watch) }), hasChanged: true };
  if (change.resumes) await checkOutsiders(watch, ctx);
  if (change.resumes && watch.status === 'paused') await endPause(watch.id, changedWith(ctx, watch), ctx);
  return await changeAll(watch, change, ctx);
}

/** What was typed, on top of what the watch has become. */
function rebased({ rules, typedRules }: ForeignChange, watch: WatchWithSubjects): Rules {
  if (!typedRules) return rules;
  const { due } = watch.rules;
  return withTyped(watch.rules, {
    typedRules,
    rules: { ...rules, due: typedRules.includes('due') ? replaceDates(due, rules.due) : due },
  });
}

/** The due dates are those of `rules`, typed or not. */
export const withTyped = (
  before: Rules,
  { rules, typedRules }: { rules: Rules; typedRules: readonly string[] },
): Rules => {
  const typed = Object.entries(rules).filter(([key]) => typedRules.includes(key));
  return withImpliedRules({ ...before, ...Object.fromEntries(typed), due: rules.due });
};

/** Throws UserError if the watch is gone. */
export function requireFound<T>(value: T | undefined): T {
  if (value === undefined) throw gone(watchKind);
  return value;
}
