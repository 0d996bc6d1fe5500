import { setTimeout as wait } from 'node:timers/promises';
import { addHours } from 'date-fns/addHours';
import { UserError } from '../../errors.ts';
import type { Message } from '../../messages/message.ts';
import type { Action, ActionContext } from '../feature.ts';
import { actorIn, privateReader } from '../run-context.ts';
import { watchActionIds } from './action-ids.ts';
import { addAgain } from './commands/add-again.ts';
import { changeQuestion } from './commands/ask-to-change.ts';
import type { Snooze } from './evaluation/muting.ts';
import { undoStop } from './service/undo.ts';
import type { WatchesServices } from './service/watch-service.ts';
import type { Alert } from './store/alert.ts';
import { isOfPort, type WatchWithSubjects } from './store/watch-list.ts';
import { changeQuestionView } from './views/change-question.ts';
import { asListNotice, elsewhereNotice, stopQuestion, undoneNotice } from './views/notices.ts';
import { watchEditedView } from './views/watch-answer.ts';

/** The buttons of a watch. On the card itself, they update it in place. */
export function watchActions(
  services: WatchesServices,
  draw: {
    card(watch: WatchWithSubjects): Promise<Message>;
    /** A posted reply or summary, by its outbox id. Undefined if it is no longer stored. */
    message(id: string): Promise<Message | undefined>;
    acknowledged(alert: Alert, watch: WatchWithSubjects): Promise<Message>;
  },
): Action[] {
  const { watches } = services;
  const drawCard = draw.card;
  const action = (id: string, run: Action['run']): Action => ({ id, replacesMessage: true, run });

  const cardOf = async (id: string): Promise<Message | undefined> => {
    const watch = await watches.find(id);
    return watch && (await drawCard(watch));
  };

  const cardOrNotice = async (
    watch: WatchWithSubjects,
    did: Parameters<typeof elsewhereNotice>[1],
    context: ActionContext,
  ): Promise<Message> =>
    isElsewhere(watch, context) ? elsewhereNotice(watch, did, { now: context.now() }) : await drawCard(watch);

  return [
    action(watchActionIds.add, (value, context) => addAgain(value, { ...context, ...services })),
    action(watchActionIds.acknowledge, async (id, context) =>
      cardOrNotice(await watches.acknowledge(id, actorIn(context)), 'acknowledged', context),
    ),
    action(watchActionIds.acknowledgeMessage, async (messageId, context) => {
      await watches.acknowledgeMessage(messageId, actorIn(context));
      return await draw.message(messageId);
    }),
    action(watchActionIds.acknowledgeAlert, async (id, context) => {
      const { alert, watch } = await watches.acknowledgeAlert(id, actorIn(context));
      return await draw.acknowledged(alert, watch);
    }),
    action(watchActionIds.resume, async (id, context) =>
      cardOrNotice(await watches.resume(id, actorIn(context)), 'resumed', context),
    ),
    action(watchActionIds.snooze, async (value, context) => {
      const [choice = '', id = ''] = value.split(' ');
      if (choice === 'date') {
        await context.openForm('snooze', { watchId: id });
        // A new card has a menu without a choice, so people can choose the same again if they cancel the form.
        return await cardOf(id);
      }
      const snoozeOf = snoozes.get(choice);
      if (!snoozeOf) throw new Error(`no such snooze: ${choice}`);
      const watch = await watches.snooze(id, snoozeOf(context.now()), actorIn(context));
      return await cardOrNotice(watch, watch.snooze ? 'snoozed' : 'woken', context);
    }),
    action(watchActionIds.stop, async (id, context) => {
      const watch = await watches.stop(id, actorIn(context));
      // The service has updated the card already.
      if (!isElsewhere(watch, context)) return undefined;
      return stoppedNotice(watch, context);
    }),
    action(watchActionIds.stopAsked, async (id, context) =>
      stoppedNotice(await watches.stop(id, actorIn(context)), context),
    ),
    {
      id: watchActionIds.askToStop,
      replacesMessage: true,
      repeatable: true,
      // Guests who may only ask can't stop a watch.
      onlyAsks: false,
      async run(id, context) {
        const watch = await watches.getToChange(id, actorIn(context));
        await context.openMessage(stopQuestion(watch), 'watch list mine');
        return undefined;
      },
    },
    action(watchActionIds.asList, async (value, context) => {
      const [, id = '', list = ''] = /^(\S+) (.+)$/s.exec(value) ?? [];
      return asListNotice(await watches.watchAsList(id, list, actorIn(context)));
    }),
    action(watchActionIds.undo, async (value, context) =>
      undoneNotice(await watches.undo(value, actorIn(context))),
    ),
    action(watchActionIds.confirmChange, async (value, context) => {
      const answer = await watches.confirmChange(value, actorIn(context));
      const reader = privateReader(context);
      if (answer.kind === 'question') return changeQuestionView(changeQuestion(answer), reader);
      const { watch, undo } = answer;
      const { id: watchId, title, channelId, rules } = watch;
      const edited = { watchId, title, channelId, rules, isPort: isOfPort(watch), undo };
      return watchEditedView(edited, reader);
    }),
    {
      id: watchActionIds.refresh,
      replacesMessage: true,
      isRefresh: true,
      onlyAsks: true,
      async run(id, context) {
        if (!context.fresh) {
          const message = 'This watch was refreshed less than a minute ago.';
          throw new UserError({ code: 'not-allowed', message });
        }
        await watches.refresh(id, actorIn(context));
        await Promise.race([context.runDue(), wait(refreshWaitMs, undefined, { ref: false })]);
        return await cardOf(id);
      },
    },
  ];
}

/** If the poll takes longer, the card is updated through the outbox. */
const refreshWaitMs = 5_000;

const stoppedNotice = (watch: WatchWithSubjects, context: ActionContext): Message =>
  elsewhereNotice(watch, 'stopped', { now: context.now(), undo: undoStop(watch) });

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
]);
