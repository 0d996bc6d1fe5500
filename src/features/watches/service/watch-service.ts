import { type Actor, notInChannel } from '../../../workspaces/permissions.ts';
import type { WithDeadlinePaused } from '../../deadline.ts';
import type { GetFleet } from '../../feature.ts';
import { askAboutOutsiders } from '../../outsiders.ts';
import { filterByScope, type Scope } from '../../owned.ts';
import type { AnalyticsServices, RunContext } from '../../run-context.ts';
import type { Snooze } from '../evaluation/muting.ts';
import { readCallPlan } from '../polling/poll-plan.ts';
import type { Rules } from '../rules/index.ts';
import type { WatchPageOptions, WatchWithSubjects } from '../store/watch-list.ts';
import type { WatchChange } from '../store/watch-store.ts';
import type { WatchTarget } from '../store/watch-target.ts';
import { addWatch, estimateRequest, type PlacedRequest, type WatchRequest } from './add-watch.ts';
import { createAlertService } from './alerts.ts';
import { createWatchAsList } from './as-list.ts';
import { changedBy, checkMayChange, gone, oldUndo, requireFound, stopWatch } from './change-watch.ts';
import { findByTarget, findWatches } from './find-watches.ts';
import {
  askToChange,
  checkDiffers,
  type ForeignChange,
  isForeign,
  isUnchanged,
  readChange,
} from './foreign-change.ts';
import type { WatchServiceOptions } from './options.ts';
import { readUndo, targetOfUndo, type Undo, undoRules } from './undo.ts';

export type WatchService = ReturnType<typeof createWatchService>;

/** The services that commands and forms of watches use. */
export interface WatchesServices extends AnalyticsServices {
  watches: WatchService;
  getFleet: GetFleet;
}

export type WatchesContext = RunContext & WatchesServices;

/**
 * All that people can do to watches. Only this service checks permissions. Its methods throw UserError: `not-allowed`
 * if the actor lacks permission, `unknown-watch` if the watch is gone. They do all of their work, or nothing.
 */
export function createWatchService(options: WatchServiceOptions) {
  const { watchStore, slack, access } = options;

  const by = (actor: Actor, { title }: WatchWithSubjects) => ({ ...changedBy(actor, options), title });

  /** With the service's latest answers, which its card shows. */
  const find = async (id: string) =>
    (await findWatches({ ids: [id] }, options, { limit: 1, withLatest: true })).watches[0];

  /** Throws if the actor may not change the watch. */
  async function getToChange(id: string, actor: Actor): Promise<WatchWithSubjects> {
    const watch = requireFound(await find(id));
    await checkMayChange(watch, actor, options);
    return watch;
  }

  /** For acknowledging and refreshing: members of the channel may do that to any of its watches. */
  async function getToUse(id: string, actor: Actor): Promise<WatchWithSubjects> {
    const watch = requireFound(await find(id));
    if (!(await access.mayUse(watch.channelId, actor))) await checkMayChange(watch, actor, options);
    await checkOutsiders(watch, actor);
    return watch;
  }

  /** Throws OutsidersQuestion if the watch would post where nobody has allowed outsiders to see it. */
  async function checkOutsiders(watch: WatchWithSubjects, actor: Actor): Promise<void> {
    const outsidersAllowedBy = await askAboutOutsiders(watch, 'watch', actor, slack);
    if (outsidersAllowedBy !== watch.outsidersAllowedBy) await change(watch, { outsidersAllowedBy }, actor);
  }

  /** Every watch of the actor's channel. Throws unless the actor may change all of them. */
  async function getAllToChange(actor: Actor): Promise<WatchWithSubjects[]> {
    const { watches } = await findWatches({ channelId: actor.channelId }, options);
    for (const watch of watches) await checkMayChange(watch, actor, options);
    return watches;
  }

  const change = async (watch: WatchWithSubjects, values: WatchChange, actor: Actor) => ({
    ...watch,
    ...requireFound(await watchStore.change(watch.id, values, by(actor, watch))),
  });

  /** Returns the watch as it was before. */
  async function stop(id: string, actor: Actor): Promise<WatchWithSubjects> {
    const watch = await getToChange(id, actor);
    if (!(await stopWatch(watch, changedBy(actor, options), options))) throw gone();
    return watch;
  }

  /** Throws if the actor isn't in that channel. */
  async function checkMember(channelId: string, actor: Actor): Promise<void> {
    if (!(await access.mayUse(channelId, actor))) throw notInChannel();
  }

  /** Throws if that person can't own watches in the channel. The current owner needs no check. */
  async function checkNewOwner(
    { channelId, ownerId }: { channelId: string; ownerId: string },
    newOwnerId = ownerId,
  ): Promise<void> {
    if (newOwnerId !== ownerId) await slack.checkOwner({ userId: newOwnerId, channelId });
  }

  /** The same person, as if they had sent the request in their direct message with the bot. */
  async function actorInDirectMessage(person: Actor): Promise<Actor> {
    const channelId = await slack.directMessageOf(person.userId);
    return { ...person, channelId, mayHaveLeft: false };
  }

  async function setRules(
    { id, rules, ownerId }: Pick<ForeignChange, 'id' | 'rules' | 'ownerId'>,
    actor: Actor,
  ): Promise<WatchWithSubjects> {
    const watch = await getToChange(id, actor);
    await checkNewOwner(watch, ownerId);
    return await change(watch, { rules, ...(ownerId && { ownerId }) }, actor);
  }

  async function changeAll(before: WatchWithSubjects, change: Parameters<typeof setRules>[0], actor: Actor) {
    const watch = await setRules(change, actor);
    const undo = undoRules(before, change.ownerId ? { ownerId: before.ownerId } : {});
    return { kind: 'changed', watch, undo } as const;
  }

  /** Adds a stopped watch again, with a new card and no memory of its alerts. A fleet's has the current members. */
  async function watchAgain(
    stopped: Extract<Undo, { kind: 'stop' }>,
    person: Actor,
  ): Promise<WatchWithSubjects> {
    const { channelId, ownerId, title, rules, snooze } = stopped;
    const target = targetOfUndo(stopped);
    if (target.subjects.length === 0) throw oldUndo();
    // Older buttons hold no destination, but a personal watch has the channel of the direct message.
    const personal = stopped.destination !== 'channel' && (await actorInDirectMessage(person));
    const isPersonal = personal && personal.channelId === channelId;
    const actor = isPersonal ? personal : person;
    await checkMember(channelId, actor);
    await checkNewOwner({ channelId, ownerId: actor.userId }, ownerId);
    const saved = { channelId, title, ...target, rules, ownerId, snooze };
    const request: PlacedRequest = {
      ...saved,
      destination: isPersonal ? 'direct-message' : 'channel',
      // If somebody has watched the same again since, their rules stay.
      keepsRules: true,
    };
    return (await addWatch(request, actor, options)).watch;
  }

  return {
    find,
    getToUse,
    getToChange,
    getAllToChange,
    checkMember,
    stop,

    /**
     * Posts the card, then saves; if the card can't be posted, nothing is saved. If the channel has a watch of the
     * same, changes that one.
     */
    async add(request: WatchRequest, person: Actor, withDeadlinePaused?: WithDeadlinePaused) {
      const { destination } = request;
      const isPersonal = destination === 'response';
      const actor = isPersonal ? await actorInDirectMessage(person) : person;
      const placed: PlacedRequest = isPersonal
        ? { ...request, channelId: actor.channelId, destination: 'direct-message' }
        : { ...request, destination };
      await checkMember(placed.channelId, actor);
      return await addWatch(placed, actor, options, withDeadlinePaused);
    },

    /** Returns the estimate that `add` returns, but saves nothing. */
    async dryRun(request: WatchRequest, actor: Actor) {
      await checkMember(request.channelId, actor);
      return await estimateRequest(request, actor, options);
    },

    /** Oldest first; `total` counts the watches of all pages. */
    async list(scope: Scope, actor: Actor, page: WatchPageOptions) {
      const [found, plan] = await Promise.all([
        findWatches(await filterByScope(scope, actor, access), options, page),
        readCallPlan(options),
      ]);
      return { ...found, plan };
    },

    /** The watch with this thread under its card. */
    async findByCard({ channelId, threadTs: cardTs }: { channelId: string; threadTs: string }) {
      return (await findWatches({ channelId, cardTs }, options)).watches[0];
    },

    /** The watches of the actor's channel that are about exactly this. */
    async findByTarget(target: WatchTarget, actor: Actor) {
      const { channelId, userId } = actor;
      const watches = await findByTarget(channelId, target, options);
      const isMember = await access.mayUse(channelId, actor);
      return watches.filter(({ ownerId }) => isMember || ownerId === userId);
    },

    /** Stops every watch of the actor's channel, and returns them. */
    async stopAll(actor: Actor) {
      const stopped: WatchWithSubjects[] = [];
      for (const watch of await getAllToChange(actor))
        if (await stopWatch(watch, changedBy(actor, options), options)) stopped.push(watch);
      return stopped;
    },

    /** Null wakes the watch. */
    async snooze(id: string, snooze: Snooze | null, actor: Actor) {
      const watch = await getToChange(id, actor);
      await checkOutsiders(watch, actor);
      return await change(watch, { snooze }, actor);
    },

    async handOver(id: string, ownerId: string, actor: Actor) {
      const watch = await getToChange(id, actor);
      if (ownerId === watch.ownerId) return watch;
      await checkNewOwner(watch, ownerId);
      return await change(watch, { ownerId }, actor);
    },

    /** Ends a pause: posts the card again if it is gone, then the messages that were held. */
    async resume(id: string, actor: Actor): Promise<WatchWithSubjects> {
      const watch = await getToChange(id, actor);
      await checkOutsiders(watch, actor);
      return { ...watch, ...requireFound(await watchStore.resume(id, by(actor, watch))) };
    },

    /** `ownerId` is the new owner. Asks before it changes somebody else's watch. */
    async edit(id: string, values: { rules: Rules; ownerId?: string }, actor: Actor) {
      const watch = await getToChange(id, actor);
      await checkNewOwner(watch, values.ownerId);
      return isForeign(watch, actor)
        ? askToChange(watch, values)
        : await changeAll(watch, { id, ...values }, actor);
    },

    /** Changes somebody else's watch as the question said. Asks again if the watch has been changed since. */
    async confirmChange(value: string, actor: Actor) {
      const change = readChange(value);
      if (!change) throw gone();
      const watch = await getToChange(change.id, actor);
      checkDiffers(watch, change);
      if (!isUnchanged(watch, change)) return askToChange(watch, change);
      if (change.resumes) await checkOutsiders(watch, actor);
      if (change.resumes && watch.status === 'paused') await watchStore.resume(watch.id, by(actor, watch));
      return await changeAll(watch, change, actor);
    },

    /** Asks the service now instead of at the next poll; the card is updated after that. */
    async refresh(id: string, actor: Actor) {
      const watch = await getToUse(id, actor);
      requireFound(await watchStore.refresh(id, changedBy(actor, options)));
      return watch;
    },

    /** Takes back what `add`, `edit` or `stop` did. */
    async undo(value: string, actor: Actor) {
      const undone = readUndo(value);
      switch (undone?.kind) {
        case 'add':
          return { kind: 'stopped', watch: await stop(undone.id, actor) } as const;
        case 'rules':
          return { kind: 'restored', watch: await setRules(undone, actor) } as const;
        case 'stop':
          return { kind: 'watched-again', watch: await watchAgain(undone, actor) } as const;
        default:
          throw oldUndo();
      }
    },

    ...createAlertService({ ...options, getToUse }),

    ...createWatchAsList({ getToChange, watchAgain, stop }),
  };
}
