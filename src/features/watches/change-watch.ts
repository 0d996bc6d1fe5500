import { UserError } from '../../errors.ts';
import { notInChannel } from '../../workspaces/permissions.ts';
import { type AskCtx, actorIn } from '../ctx.ts';
import { askAboutOutsiders } from '../owned/outsiders.ts';
import type { Snooze } from '../rules/evaluation/muting.ts';
import type { Rules } from '../rules/list.ts';
import { closeCard } from './cards.ts';
import { findWatch, findWatches } from './find-watches.ts';
import {
  askToChange,
  type ChangeQuestion,
  checkDiffers,
  type ForeignChange,
  isForeign,
  isUnchanged,
  readChange,
} from './foreign-change.ts';
import { cancelCardCleanup } from './store/card-cleanup.ts';
import type { ChangedBy } from './store/watch.ts';
import type { WatchWithSubjects } from './store/watch-list.ts';
import { type WatchChange, watchStoreOf } from './store/watch-store.ts';
import { undoRules } from './undo-values.ts';

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

/** Throws UserError if the person may not change this watch. Only members of its channel learn its title. */
export async function checkMayChange(
  watch: Pick<WatchWithSubjects, 'title' | 'ownerId' | 'channelId' | 'destination'>,
  ctx: AskCtx,
): Promise<void> {
  const { access } = ctx.services;
  const isPersonal = watch.destination === 'direct-message';
  if (await access.mayChange({ ...watch, isPersonal }, actorIn(ctx))) return;
  const isMember = await access.mayUse(watch.channelId, actorIn(ctx));
  throw new UserError({
    code: 'not-allowed',
    message: isMember
      ? `You can't change the watch of ${watch.title}.`
      : "You can't change that watch: you are not in its channel.",
    hint: 'Its owner and workspace admins can; so can everybody in its channel, unless the channel settings say otherwise.',
  });
}

export async function getToChange(id: string, ctx: AskCtx): Promise<WatchWithSubjects> {
  const watch = requireFound(await findWatch(id, ctx));
  await checkMayChange(watch, ctx);
  return watch;
}

/** For acknowledging and refreshing: members of the channel may do that to any of its watches. */
export async function getToUse(id: string, ctx: AskCtx): Promise<WatchWithSubjects> {
  const watch = requireFound(await findWatch(id, ctx));
  if (!(await ctx.services.access.mayUse(watch.channelId, actorIn(ctx)))) await checkMayChange(watch, ctx);
  await checkOutsiders(watch, ctx);
  return watch;
}

/** Every watch of the channel. Throws unless the person may change all of them. */
export async function getAllToChange(ctx: AskCtx): Promise<WatchWithSubjects[]> {
  const { watches } = await findWatches({ channelId: actorIn(ctx).channelId }, ctx);
  for (const watch of watches) await checkMayChange(watch, ctx);
  return watches;
}

/** Throws OutsidersQuestion if the watch would post where nobody has allowed outsiders to see it. */
async function checkOutsiders(watch: WatchWithSubjects, ctx: AskCtx): Promise<void> {
  const outsidersAllowedBy = await askAboutOutsiders(watch, 'watch', actorIn(ctx), ctx.services.slack);
  if (outsidersAllowedBy !== watch.outsidersAllowedBy) await change(watch, { outsidersAllowedBy }, ctx);
}

/** Throws if that person can't own watches in the channel. The current owner needs no check. */
export async function checkNewOwner(
  { channelId, ownerId }: { channelId: string; ownerId: string },
  newOwnerId = ownerId,
  { services }: Pick<AskCtx, 'services'>,
): Promise<void> {
  if (newOwnerId !== ownerId) await services.slack.checkOwner({ userId: newOwnerId, channelId });
}

const change = async (watch: WatchWithSubjects, values: WatchChange, ctx: AskCtx) => ({
  ...watch,
  ...requireFound(await watchStoreOf(ctx).change(watch.id, values, changedWith(ctx, watch))),
});

/** Deletes the watch and shows its final card; if that fails, the outbox shows it. False if the watch is gone. */
export async function stopFound(watch: WatchWithSubjects, ctx: AskCtx): Promise<boolean> {
  const by = changedWith(ctx, watch);
  if (!(await watchStoreOf(ctx).stop(watch.id, by))) return false;
  const actor = { userId: by.actorId, at: by.now };
  if (await closeCard(watch, actor, ctx)) await cancelCardCleanup(ctx.services.store, watch);
  return true;
}

/** Returns the watch as it was before. */
export async function stopWatch(id: string, ctx: AskCtx): Promise<WatchWithSubjects> {
  const watch = await getToChange(id, ctx);
  if (!(await stopFound(watch, ctx))) throw gone();
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
  await checkNewOwner(watch, ownerId, ctx);
  return await change(watch, { ownerId }, ctx);
}

/** Ends a pause: posts the card again if it is gone, then the messages that were held. */
export async function resumeWatch(id: string, ctx: AskCtx): Promise<WatchWithSubjects> {
  const watch = await getToChange(id, ctx);
  await checkOutsiders(watch, ctx);
  return { ...watch, ...requireFound(await watchStoreOf(ctx).resume(id, changedWith(ctx, watch))) };
}

/** Asks the service now instead of at the next poll; the card is updated after that. */
export async function refreshWatch(id: string, ctx: AskCtx): Promise<WatchWithSubjects> {
  const watch = await getToUse(id, ctx);
  requireFound(await watchStoreOf(ctx).refresh(id, changedBy(ctx)));
  return watch;
}

export async function setRules(
  { id, rules, ownerId }: Pick<ForeignChange, 'id' | 'rules' | 'ownerId'>,
  ctx: AskCtx,
): Promise<WatchWithSubjects> {
  const watch = await getToChange(id, ctx);
  await checkNewOwner(watch, ownerId, ctx);
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
  await checkNewOwner(watch, values.ownerId, ctx);
  return isForeign(watch, ctx.actor)
    ? askToChange(watch, values)
    : await changeAll(watch, { id, ...values }, ctx);
}

/** Changes somebody else's watch as the question said. Asks again if the watch has been changed since. */
export async function confirmChange(value: string, ctx: AskCtx): Promise<Edited> {
  const change = readChange(value);
  if (!change) throw gone();
  const watch = await getToChange(change.id, ctx);
  checkDiffers(watch, change);
  if (!isUnchanged(watch, change)) return askToChange(watch, change);
  if (change.resumes) await checkOutsiders(watch, ctx);
  if (change.resumes && watch.status === 'paused')
    await watchStoreOf(ctx).resume(watch.id, changedWith(ctx, watch));
  return await changeAll(watch, change, ctx);
}

export const unknownWatch = (message: string): UserError =>
  new UserError({
    code: 'unknown-watch',
    message,
    choices: [{ label: 'List the watches', line: 'watch list' }],
  });

export const gone = (): UserError => unknownWatch('That watch has been stopped.');

/** Throws UserError if the watch is gone. */
export function requireFound<T>(value: T | undefined): T {
  if (value === undefined) throw gone();
  return value;
}
