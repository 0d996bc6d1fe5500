import type { AskCtx } from '../ctx.ts';
import { checkNewOwner, unknownThing } from '../owned/kind.ts';
import { addPlaced, type PlacedRequest } from './add-watch.ts';
import { checkMember, getToChange, inDirectMessage, setRules, stopWatch } from './change-watch.ts';
import { watchKind } from './store/watch.ts';
import type { WatchWithSubjects } from './store/watch-list.ts';
import { readUndo, targetOfUndo, type Undo } from './undo-values.ts';

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
  const { channelId, ownerId, title, rules, snooze } = stopped;
  const target = targetOfUndo(stopped);
  if (target.subjects.length === 0) throw oldUndo();
  // Older buttons hold no destination, but a personal watch has the channel of the direct message.
  const personal = stopped.destination === 'channel' ? undefined : await inDirectMessage(ctx);
  const isPersonal = personal?.place?.channelId === channelId;
  const there = personal && isPersonal ? personal : ctx;
  const destination = isPersonal ? 'direct-message' : 'channel';
  await checkMember(channelId, there);
  await checkNewOwner(watchKind, { ...stopped, destination, ownerId: ctx.actor.userId }, ownerId, ctx);
  const request: PlacedRequest = {
    ...{ channelId, destination, title, ...target, rules, ownerId, snooze },
    // If somebody has watched the same again since, their rules stay.
    keepsRules: true,
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
