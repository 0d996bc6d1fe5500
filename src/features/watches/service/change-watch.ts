import { UserError } from '../../../errors.ts';
import type { Actor } from '../../../workspaces/permissions.ts';
import { cancelCardCleanup } from '../store/card-cleanup.ts';
import type { ChangedBy } from '../store/watch.ts';
import type { WatchWithSubjects } from '../store/watch-list.ts';
import type { WatchServiceOptions } from './options.ts';

export const changedBy = (
  { userId }: Actor,
  { now, realNow }: Pick<WatchServiceOptions, 'now' | 'realNow'>,
): ChangedBy => ({ actorId: userId, now: now(), realNow: new Date(realNow()) });

/** Throws UserError if the actor may not change this watch. Only members of its channel learn its title. */
export async function checkMayChange(
  watch: Pick<WatchWithSubjects, 'title' | 'ownerId' | 'channelId' | 'destination'>,
  actor: Actor,
  { access }: Pick<WatchServiceOptions, 'access'>,
): Promise<void> {
  const isPersonal = watch.destination === 'direct-message';
  if (await access.mayChange({ ...watch, isPersonal }, actor)) return;
  const isMember = await access.mayUse(watch.channelId, actor);
  throw new UserError({
    code: 'not-allowed',
    message: isMember
      ? `You can't change the watch of ${watch.title}.`
      : "You can't change that watch: you are not in its channel.",
    hint: 'Its owner and workspace admins can; so can everybody in its channel, unless the channel settings say otherwise.',
  });
}

/** Deletes the watch and shows its final card; if that fails, the outbox shows it. False if the watch is gone. */
export async function stopWatch(
  watch: WatchWithSubjects,
  by: ChangedBy,
  { store, watchStore, cards }: Pick<WatchServiceOptions, 'store' | 'watchStore' | 'cards'>,
): Promise<boolean> {
  if (!(await watchStore.stop(watch.id, { ...by, title: watch.title }))) return false;
  if (await cards.close(watch, { userId: by.actorId, at: by.now })) await cancelCardCleanup(store, watch);
  return true;
}

const unknownWatch = (message: string): UserError =>
  new UserError({
    code: 'unknown-watch',
    message,
    choices: [{ label: 'List the watches', line: 'watch list' }],
  });

export const oldUndo = (): UserError => unknownWatch('This Undo button no longer works.');

export const gone = (): UserError => unknownWatch('That watch has been stopped.');

/** Throws UserError if the watch is gone. */
export function requireFound<T>(value: T | undefined): T {
  if (value === undefined) throw gone();
  return value;
}
