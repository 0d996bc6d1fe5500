import { setTimeout as wait } from 'node:timers/promises';
import { UserError } from '../../errors.ts';
import { watchActionIds } from '../../messages/action-ids.ts';
import { elsewhereNotice, resumedAllNotice, undoneNotice } from '../../messages/frame/notices.ts';
import type { Message } from '../../messages/message.ts';
import type { Pressed } from '../../slack/buttons/click.ts';
import type { BoundAction } from '../../slack/dispatch/ask.ts';
import type { EdgeParts } from '../../slack/edge-parts.ts';
import type { Actor } from '../../workspaces/permissions.ts';
import type { Kept, RunContext } from '../feature.ts';
import { keptOf } from '../stored.ts';
import type { Snooze } from './evaluation/muting.ts';
import { undoStop } from './service/undo.ts';
import type { WatchService } from './service/watch-service.ts';
import type { WatchWithFollowings } from './store/watch-list.ts';

type Parts = Pick<EdgeParts, 'card' | 'work' | 'openForm'>;

/** What a click on a button of a watch does; undefined for any other button. The card changes in place. */
export function watchAction(click: Pressed, parts: Parts): BoundAction | undefined {
  const { actionId, line: value } = click;
  const dated = actionId === watchActionIds.snooze ? /^date (.+)$/.exec(value)?.[1] : undefined;
  if (dated !== undefined) {
    const { triggerId, channelId } = click;
    const form = parts.openForm({ name: 'snooze', target: { watchId: dated }, triggerId, channelId });
    return drawnAnew(form, dated, parts);
  }
  const change = Object.hasOwn(changes, actionId) ? changes[actionId] : undefined;
  if (change) {
    return deed(`${actionId} ${value}`, async (service, actor, context) => {
      const watch = await change(service, { value, actor, context });
      return isElsewhere(watch, actor)
        ? elsewhereNotice(watch, verbOf(watch, actionId), { now: context.now() })
        : await parts.card(watch);
    });
  }
  switch (actionId) {
    case watchActionIds.stop:
      return deed(`${actionId} ${value}`, async (service, actor, { now }) => {
        const watch = await service.stop(value, actor);
        // The service gives the card its last face.
        if (!isElsewhere(watch, actor)) return undefined;
        return elsewhereNotice(watch, 'stopped', { now: now(), undo: undoStop(watch) });
      });
    case watchActionIds.resume:
      return deed(`${actionId} ${value}`, async (service, actor, { now }) => {
        const watch = await service.resume(value, actor);
        return isElsewhere(watch, actor)
          ? elsewhereNotice(watch, 'resumed', { now: now() })
          : await parts.card(watch);
      });
    case watchActionIds.resumeAll:
      return deed(`${actionId} ${value}`, async (_desk, actor, { kept }) => {
        if (!kept) return undefined;
        return resumedAllNotice(value, await resumeAll(value, actor, kept));
      });
    case watchActionIds.undo:
      return deed(actionId, async (service, actor) => undoneNotice(await service.undo(value, actor)));
    case watchActionIds.refresh:
      return deed(`${actionId} ${value}`, (service, actor, context) =>
        refresh(service, { id: value, actor, context, parts }),
      );
    default:
      return undefined;
  }
}

const allOfChannel = { limit: 10_000, offset: 0 };

/** Of a channel that was lost, what is one's own. Throws UserError while nothing can be posted there. */
async function resumeAll(channelId: string, actor: Actor, { watches, digests }: Kept): Promise<number> {
  const mine = await watches.list({ scope: 'mine', channelId }, actor, allOfChannel);
  const own = await digests.listFor('mine', actor, allOfChannel);
  const pausedWatches = mine.watches.filter((one) => one.channelId === channelId && one.status === 'paused');
  const pausedDigests = own.digests.filter((one) => one.channelId === channelId && one.pauseReason !== null);
  // A digest looks first whether it can be posted: then nothing is resumed that would be paused again at once.
  for (const { id } of pausedDigests) await digests.resume(id, actor);
  for (const { id } of pausedWatches) await watches.resume(id, actor);
  return pausedWatches.length + pausedDigests.length;
}

/** The menu lets go of what was chosen, so that it can be chosen again where the form is cancelled. */
function drawnAnew(form: BoundAction, watchId: string, { card }: Parts): BoundAction {
  return {
    ...form,
    async run(context) {
      await form.run(context);
      const watch = await context.kept?.watches.find(watchId);
      if (!watch) return undefined;
      const message = await card(watch);
      return { view: () => message };
    },
  };
}

const verbOf = ({ snooze }: WatchWithFollowings, actionId: string) => {
  if (actionId === watchActionIds.acknowledge) return 'acknowledged';
  return snooze ? 'snoozed' : 'woken';
};

/** Under a notice in a direct message, or on the Home tab, not under the card. */
const isElsewhere = ({ channelId }: WatchWithFollowings, actor: Actor): boolean =>
  channelId !== actor.channelId;

interface Change {
  value: string;
  actor: Actor;
  context: RunContext;
}

const changes: Record<string, (service: WatchService, change: Change) => Promise<WatchWithFollowings>> = {
  [watchActionIds.acknowledge]: (service, { value, actor }) => service.acknowledge(value, actor),
  [watchActionIds.snooze](service, { value, actor, context }) {
    const [choice = '', id = ''] = value.split(' ');
    return service.snooze(id, snoozeOf(choice, context.now()), actor);
  },
};

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

const refreshWaitMs = 5_000;

/** Asked for at most once a minute; where it takes long the card follows by itself. */
async function refresh(
  service: WatchService,
  { id, actor, context, parts }: { id: string; actor: Actor; context: RunContext; parts: Parts },
): Promise<Message | undefined> {
  if (!context.fresh) {
    throw new UserError({
      code: 'not-allowed',
      message: 'This watch was refreshed less than a minute ago.',
    });
  }
  await service.refresh(id, actor);
  await Promise.race([parts.work(), wait(refreshWaitMs, undefined, { ref: false })]);
  const watch = await service.find(id);
  return watch && (await parts.card(watch));
}

function deed(
  name: string,
  run: (service: WatchService, actor: Actor, context: RunContext) => Promise<Message | undefined>,
): BoundAction {
  return {
    name,
    async run(context) {
      const { kept, actor } = keptOf(context);
      const message = await run(kept.watches, actor, context);
      return message && { view: () => message };
    },
  };
}
