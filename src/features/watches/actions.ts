import { setTimeout as wait } from 'node:timers/promises';
import { UserError } from '../../errors.ts';
import type { Message } from '../../messages/message.ts';
import type { Actor } from '../../workspaces/permissions.ts';
import type { Action, ActionContext } from '../feature.ts';
import { actorIn } from '../run-context.ts';
import { watchActionIds } from './action-ids.ts';
import type { Snooze } from './evaluation/muting.ts';
import { undoStop } from './service/undo.ts';
import type { WatchService } from './service/watch-service.ts';
import type { WatchWithFollowings } from './store/watch-list.ts';
import { elsewhereNotice, stopQuestion, undoneNotice } from './views/action-notices.ts';

interface WatchActionsOptions {
  watches: WatchService;
  /** A card as it is now. */
  card(watch: WatchWithFollowings): Promise<Message>;
}

/** What a click on a button of a watch does. The card changes in place. */
export function watchActions({ watches, card }: WatchActionsOptions): Action[] {
  /** Under a notice in a direct message, or on the Home tab, the card is elsewhere. */
  const shown = async (
    watch: WatchWithFollowings,
    what: Parameters<typeof elsewhereNotice>[1],
    context: ActionContext,
  ): Promise<Message> =>
    isElsewhere(watch, context) ? elsewhereNotice(watch, what, { now: context.now() }) : await card(watch);

  const action = (id: string, run: Action['run'], more: Partial<Action> = {}): Action => ({
    id,
    replacesMessage: true,
    run,
    ...more,
  });

  return [
    action(watchActionIds.acknowledge, async (id, context) =>
      shown(await watches.acknowledge(id, actorIn(context)), 'acknowledged', context),
    ),
    action(watchActionIds.snooze, async (value, context) => {
      const [choice = '', id = ''] = value.split(' ');
      if (choice === 'date') {
        await context.openForm('snooze', { watchId: id });
        // The menu lets go of what was chosen, so that it can be chosen again where the form is cancelled.
        const watch = await watches.find(id);
        return watch && (await card(watch));
      }
      const watch = await watches.snooze(id, snoozeOf(choice, context.now()), actorIn(context));
      return shown(watch, watch.snooze ? 'snoozed' : 'woken', context);
    }),
    action(watchActionIds.stop, async (id, context) => {
      const watch = await watches.stop(id, actorIn(context));
      // The service gives the card its final form.
      if (!isElsewhere(watch, context)) return undefined;
      return elsewhereNotice(watch, 'stopped', { now: context.now(), undo: undoStop(watch) });
    }),
    action(
      watchActionIds.askToStop,
      async (id, context) => {
        const watch = await watches.getToChange(id, actorIn(context));
        await context.openMessage(stopQuestion(watch), 'watch list mine');
        return undefined;
      },
      { repeatable: true, onlyAsks: false },
    ),
    action(watchActionIds.resume, async (id, context) =>
      shown(await watches.resume(id, actorIn(context)), 'resumed', context),
    ),
    action(watchActionIds.undo, async (value, context) =>
      undoneNotice(await watches.undo(value, actorIn(context))),
    ),
    action(
      watchActionIds.refresh,
      async (id, context) => {
        if (!context.fresh) throw refreshedLately();
        await watches.refresh(id, actorIn(context));
        await Promise.race([context.runDue(), wait(refreshWaitMs, undefined, { ref: false })]);
        const watch = await watches.find(id);
        return watch && (await card(watch));
      },
      { isRefresh: true, onlyAsks: true },
    ),
  ];
}

/** Where it takes long, the card follows later. */
const refreshWaitMs = 5_000;

const allOfChannel = { limit: 10_000, offset: 0 };

/** Of a person's own. */
export async function resumeIn(channelId: string, actor: Actor, watches: WatchService): Promise<number> {
  const mine = await watches.list('mine', actor, allOfChannel);
  const paused = mine.watches.filter((one) => one.channelId === channelId && one.status === 'paused');
  for (const { id } of paused) await watches.resume(id, actor);
  return paused.length;
}

const isElsewhere = ({ channelId }: WatchWithFollowings, { place }: ActionContext): boolean =>
  channelId !== place?.channelId;

const hourMs = 3_600_000;

function snoozeOf(choice: string, now: Date): Snooze | null {
  switch (choice) {
    case '1h':
      return { kind: 'until', at: new Date(now.getTime() + hourMs) };
    case 'eta':
      return { kind: 'until-eta', hours: 24 };
    case 'next-port':
      return { kind: 'until-next-port' };
    case 'wake':
      return null;
    default:
      throw new Error(`no such snooze: ${choice}`);
  }
}

const refreshedLately = (): UserError =>
  new UserError({ code: 'not-allowed', message: 'This watch was refreshed less than a minute ago.' });
