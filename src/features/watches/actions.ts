import { setTimeout as wait } from 'node:timers/promises';
import { addHours } from 'date-fns/addHours';
import type { Message } from '../../answers/message.ts';
import { UserError } from '../../errors.ts';
import { findShown, renderAcknowledged, renderCard, renderPost } from '../cards/index.ts';
import { replyTo } from '../command.ts';
import type { AskCtx } from '../ctx.ts';
import type { Action, ActionContext } from '../feature.ts';
import { askToEnd } from '../owned/index.ts';
import { findWatch, type SnoozeChoice, type WatchWithSubjects, watchActionIds } from '../polling/index.ts';
import type { Snooze } from '../rules/index.ts';
import { undo, watchAsList } from './add-watch.ts';
import { addAgain, editedAnswer } from './added-answer.ts';
import { acknowledgeAlert, acknowledgeMessage, acknowledgeWatch } from './alerts.ts';
import { undoStop } from './button-values.ts';
import { asListAnswer, changeQuestion, elsewhereAnswer, undoneAnswer } from './change-answers.ts';
import {
  confirmChange,
  getToChange,
  refreshWatch,
  resumeWatch,
  snoozeWatch,
  stopWatch,
} from './change-watch.ts';
import { watchKind } from './watch-store.ts';

const action = (id: string, run: Action['run']): Action => ({ id, replacesMessage: true, run });

/** The buttons of a watch. On the card itself, they update it in place. */
export const watchActions: readonly Action[] = [
  action(watchActionIds.add, async (value, ctx) => replyTo(await addAgain(value, ctx), ctx)),
  action(watchActionIds.acknowledge, async (id, ctx) =>
    cardOrReply(await acknowledgeWatch(id, ctx), 'acknowledged', ctx),
  ),
  action(watchActionIds.acknowledgeMessage, async (messageId, ctx) => {
    await acknowledgeMessage(messageId, ctx);
    const shown = await findShown(ctx.services.store, messageId);
    return shown && (await renderPost(shown.post, ctx));
  }),
  action(watchActionIds.acknowledgeAlert, async (id, ctx) => {
    const { alert, watch } = await acknowledgeAlert(id, ctx);
    return await renderAcknowledged(alert, watch, ctx);
  }),
  action(watchActionIds.resume, async (id, ctx) => cardOrReply(await resumeWatch(id, ctx), 'resumed', ctx)),
  action(watchActionIds.snooze, async (value, ctx) => {
    const [choice = '', id = ''] = value.split(' ');
    if (choice === 'date') {
      await ctx.openForm('snooze', { watchId: id });
      // A new card has a menu without a choice, so people can choose the same again if they cancel the form.
      return await cardOf(id, ctx);
    }
    const snoozeOf = snoozes.get(choice);
    if (!snoozeOf) throw new Error(`no such snooze: ${choice}`);
    const watch = await snoozeWatch(id, snoozeOf(ctx.now()), ctx);
    return await cardOrReply(watch, watch.snooze ? 'snoozed' : 'woken', ctx);
  }),
  action(watchActionIds.stop, async (id, ctx) => {
    const watch = await stopWatch(id, ctx);
    // The card has been updated already.
    return isElsewhere(watch, ctx) ? stopped(watch, ctx) : undefined;
  }),
  action(watchActionIds.stopAsked, async (id, ctx) => stopped(await stopWatch(id, ctx), ctx)),
  askToEnd(watchKind, watchActionIds.askToStop, getToChange),
  action(watchActionIds.asList, async (value, ctx) => {
    const [, id = '', list = ''] = /^(\S+) (.+)$/s.exec(value) ?? [];
    return replyTo(asListAnswer(await watchAsList(id, list, ctx)), ctx);
  }),
  action(watchActionIds.undo, async (value, ctx) => replyTo(undoneAnswer(await undo(value, ctx)), ctx)),
  action(watchActionIds.confirmChange, async (value, ctx) => {
    const changed = await confirmChange(value, ctx);
    if (changed.kind === 'question') return replyTo(changeQuestion(changed, { now: ctx.now() }), ctx);
    return replyTo(editedAnswer(changed), ctx);
  }),
  {
    id: watchActionIds.refresh,
    replacesMessage: true,
    isRefresh: true,
    onlyAsks: true,
    async run(id, ctx) {
      if (!ctx.fresh) {
        const message = 'This watch was refreshed less than a minute ago.';
        throw new UserError({ code: 'not-allowed', message });
      }
      if (await ctx.services.pauses.at(ctx.now())) throw paused();
      await refreshWatch(id, ctx);
      await Promise.race([ctx.runDue(), wait(refreshWaitMs, undefined, { ref: false })]);
      return await cardOf(id, ctx);
    },
  },
];

const paused = (): UserError =>
  new UserError({
    code: 'not-allowed',
    message: 'All watches of this workspace are paused, so none is refreshed.',
    hint: 'Ask where the vessel calls next instead: questions are still answered.',
  });

/** If the poll takes longer, the card is updated through the outbox. */
const refreshWaitMs = 5_000;

async function cardOf(id: string, ctx: AskCtx): Promise<Message | undefined> {
  const watch = await findWatch(id, ctx);
  return watch && (await renderCard(watch, ctx));
}

const cardOrReply = async (
  watch: WatchWithSubjects,
  did: Parameters<typeof elsewhereAnswer>[1],
  ctx: ActionContext,
): Promise<Message> =>
  isElsewhere(watch, ctx)
    ? replyTo(elsewhereAnswer(watch, did, { now: ctx.now() }), ctx)
    : await renderCard(watch, ctx);

const stopped = (watch: WatchWithSubjects, ctx: ActionContext): Message =>
  replyTo(elsewhereAnswer(watch, 'stopped', { now: ctx.now(), undo: undoStop(watch) }), ctx);

/** The button was not on the card: it was in another channel, or under a question. */
const isElsewhere = (
  { channelId }: WatchWithSubjects,
  { place, allowsOutsidersIn }: ActionContext,
): boolean => channelId !== place?.channelId || allowsOutsidersIn !== undefined;

/** By SnoozeChoice, without `date`. */
const snoozes = new Map<string, (now: Date) => Snooze | null>([
  ['1h', (now) => ({ kind: 'until', at: addHours(now, 1) })],
  ['eta', () => ({ kind: 'until-eta', hours: 24 })],
  ['next-port', () => ({ kind: 'until-next-port' })],
  ['wake', () => null],
] satisfies [SnoozeChoice, (now: Date) => Snooze | null][]);
