import { UserError } from '../../../errors.ts';
import { type Imo, isImo } from '../../../reference/imo.ts';
import { type Actor, notInChannel } from '../../../workspaces/permissions.ts';
import { filterByScope } from '../../owned.ts';
import { readVesselHistory } from '../polling/history.ts';
import { readCallPlan } from '../polling/poll-plan.ts';
import type { By } from '../store/by.ts';
import { fleetTitle } from '../store/title.ts';
import type { WatchFilter, WatchPageOptions, WatchWithFollowings } from '../store/watch-list.ts';
import type { WatchChange } from '../store/watch-store.ts';
import { addWatch, estimateRequest, refuseChange, watchesOf } from './add-watch.ts';
import type { WatchServiceOptions } from './options.ts';
import { selectWatches } from './select-watches.ts';
import { stopWatch } from './stop-watch.ts';
import { readUndo, subjectsOfUndo, type Undo, undoRules } from './undo.ts';
import type { PlacedRequest, WatchRequest, WatchService } from './watch-service.ts';

/** The upper bound where every watch of a channel is needed. */
const maxWatchesRead = 10_000;

/** The only place that checks permissions; the store does the writes. */
export function createWatchService(options: WatchServiceOptions): WatchService {
  const { db, store, access, checkOwner, credentialId, now, realNow } = options;

  const by = ({ userId }: Actor, watch?: { title: string }): By => ({
    actorId: userId,
    now: now(),
    realNow: new Date(realNow()),
    ...(watch && { title: watch.title }),
  });

  const select = (
    filter: Omit<WatchFilter, 'workspaceId'>,
    page: WatchPageOptions = { limit: maxWatchesRead },
  ) => selectWatches(filter, page, options);

  async function find(id: string): Promise<WatchWithFollowings | undefined> {
    return (await select({ ids: [id] })).watches[0];
  }

  async function getWatch(id: string): Promise<WatchWithFollowings> {
    const watch = await find(id);
    if (!watch) throw gone();
    return watch;
  }

  async function changeable(id: string, actor: Actor): Promise<WatchWithFollowings> {
    const watch = await getWatch(id);
    await refuseChange(watch, actor, access);
    return watch;
  }

  /** Acknowledging and refreshing change nothing for the others, so membership is enough. */
  async function getToUse(id: string, actor: Actor): Promise<WatchWithFollowings> {
    const watch = await getWatch(id);
    if (!(await access.mayUse(watch.channelId, actor))) await refuseChange(watch, actor, access);
    return watch;
  }

  async function allChangeable(actor: Actor): Promise<WatchWithFollowings[]> {
    const { watches } = await select({ channelId: actor.channelId });
    for (const watch of watches) await refuseChange(watch, actor, access);
    return watches;
  }

  /** Adds a stopped watch again, with a new card and no memory of its alerts. */
  async function watchAgain(
    undone: Extract<Undo, { kind: 'stop' }>,
    asker: Actor,
  ): Promise<WatchWithFollowings> {
    const { channelId, ownerId, rules, snooze } = undone;
    const isOwnDm = undone.destination !== 'channel' && (await options.dmOf(asker.userId)) === channelId;
    const actor = isOwnDm ? { ...asker, channelId, mayHaveLeft: false } : asker;
    const [first, ...others] = subjectsOfUndo(undone);
    if (!first) throw oldUndo();
    await refuseNonMember(channelId, actor);
    if (ownerId !== actor.userId) await checkOwner({ userId: ownerId, channelId });
    const { title } = undone;
    const isFleet = title.startsWith(fleetTitle);
    const request = {
      channelId,
      destination: isOwnDm ? 'direct-message' : 'channel',
      title,
      rules,
      ownerId,
      snooze,
      subjects: [first, ...others],
      isFleet,
    } as const;
    // If somebody has added this fleet again, their rules and vessels stay.
    const keepingExisting = { ...request, keepsRules: true, keepsVessels: true };
    return (await addWatch(keepingExisting, { actor, by: by(actor), options })).watch;
  }

  async function change(
    watch: WatchWithFollowings,
    values: WatchChange,
    actor: Actor,
  ): Promise<WatchWithFollowings> {
    const changed = await store.change(watch.id, values, by(actor, watch));
    if (!changed) throw gone();
    return { ...watch, ...changed };
  }

  async function stop(watch: WatchWithFollowings, actor: Actor): Promise<boolean> {
    return await stopWatch(watch, { actor, by: by(actor, watch), options });
  }

  async function refuseNonMember(channelId: string, actor: Actor): Promise<void> {
    if (!(await access.mayUse(channelId, actor))) throw notInChannel();
  }

  /** An owner who stays needs no check. */
  async function checkNewOwner(
    { channelId, ownerId }: WatchWithFollowings,
    newOwnerId = ownerId,
  ): Promise<void> {
    if (newOwnerId !== ownerId) await checkOwner({ userId: newOwnerId, channelId });
  }

  /** A personal watch is added as if in the person's direct message. */
  async function resolvePlace(
    request: WatchRequest,
    actor: Actor,
  ): Promise<{ request: PlacedRequest; actor: Actor }> {
    const { destination } = request;
    if (destination !== 'response') return { request: { ...request, destination }, actor };
    const channelId = await options.dmOf(actor.userId);
    const own = { channelId, destination: 'direct-message' } as const;
    return { request: { ...request, ...own }, actor: { ...actor, channelId, mayHaveLeft: false } };
  }

  return {
    find,
    changeable,
    async add(asked, asker, withDeadlinePaused) {
      const { request, actor } = await resolvePlace(asked, asker);
      await refuseNonMember(request.channelId, actor);
      return await addWatch(request, { actor, by: by(actor), options, withDeadlinePaused });
    },
    async dryRun(request, actor) {
      await refuseNonMember(request.channelId, actor);
      return await estimateRequest(request, { ...options, askedBy: actor.userId });
    },
    async list(scope, actor, page) {
      const [found, plan] = await Promise.all([
        select(await filterByScope(scope, actor, access), page),
        readCallPlan(db, credentialId),
      ]);
      return { ...found, plan };
    },
    async findByCard({ channelId, threadTs }) {
      return (await select({ channelId, cardTs: threadTs })).watches[0];
    },
    async findBySubjects(subjects, actor) {
      const { channelId, userId } = actor;
      const watches = await watchesOf(channelId, subjects, options);
      const isIn = await access.mayUse(channelId, actor);
      return watches.filter(({ ownerId }) => isIn || ownerId === userId);
    },
    async stop(id, actor) {
      const watch = await changeable(id, actor);
      if (!(await stop(watch, actor))) throw gone();
      return watch;
    },
    refuseNonMember,
    allChangeable,
    async stopAll(actor) {
      const watches = await allChangeable(actor);
      const stopped: WatchWithFollowings[] = [];
      for (const watch of watches) if (await stop(watch, actor)) stopped.push(watch);
      return stopped;
    },
    snooze: async (id, snooze, actor) => change(await changeable(id, actor), { snooze }, actor),
    acknowledge: async (id, actor) =>
      change(await getToUse(id, actor), { acknowledgement: { by: actor.userId, at: now() } }, actor),
    async handOver(id, ownerId, actor) {
      const watch = await changeable(id, actor);
      if (ownerId === watch.ownerId) return watch;
      await checkNewOwner(watch, ownerId);
      return await change(watch, { ownerId }, actor);
    },
    async resume(id, actor) {
      const watch = await changeable(id, actor);
      const resumed = await store.resume(id, by(actor, watch));
      if (!resumed) throw gone();
      return { ...watch, ...resumed };
    },
    async edit(id, { rules, ownerId }, actor) {
      const before = await changeable(id, actor);
      if (ownerId === undefined || ownerId === before.ownerId)
        return { watch: await change(before, { rules }, actor), undo: undoRules(id, before) };
      await checkNewOwner(before, ownerId);
      return {
        watch: await change(before, { rules, ownerId }, actor),
        undo: undoRules(id, before, { ownerId: before.ownerId }),
      };
    },
    async refresh(id, actor) {
      const watch = await getToUse(id, actor);
      if (!(await store.refresh(id, by(actor)))) throw gone();
      return watch;
    },
    async undo(value, actor) {
      const undone = readUndo(value);
      if (!undone) throw oldUndo();
      if (undone.kind === 'stop') return { kind: 'watched-again', watch: await watchAgain(undone, actor) };
      if (undone.kind === 'rules') {
        const { id, imos, rules, ownerId } = undone;
        const watch = await changeable(id, actor);
        await checkNewOwner(watch, ownerId);
        const before = { rules, ...(ownerId && { ownerId }) };
        if (!imos) return { kind: 'restored', watch: await change(watch, before, actor) };
        const subjects = imos.map((imo) => ({ kind: 'vessel', imo }) as const);
        const followed = await store.follow(id, subjects, by(actor, watch), before);
        if (!followed) throw gone();
        return { kind: 'restored', watch: { ...watch, ...followed } };
      }
      const watch = await changeable(undone.id, actor);
      if (!(await stop(watch, actor))) throw gone();
      return { kind: 'stopped', watch };
    },
    async watchedVessels(whose, actor) {
      if ('channelId' in whose && !(await access.mayUse(whose.channelId, actor)))
        throw notInChannel({ saves: false });
      return vesselsOf((await select(whose)).watches);
    },
    history: (vessel, from) => readVesselHistory(db, { credentialId, vessel, from }),
  };
}

/** An ended watch follows nothing, and a port's watch doesn't count the port's vessels. */
function vesselsOf(watches: readonly WatchWithFollowings[]): Imo[] {
  const imos = watches
    .filter(({ status }) => status !== 'ended')
    .flatMap(({ followings }) => followings)
    .flatMap(({ subject, state }): number[] => {
      if (subject.kind === 'vessel') return [subject.imo];
      return state?.kind === 'vessels' ? Object.keys(state.vessels).map(Number) : [];
    });
  return [...new Set(imos.filter(isImo))].sort((one, other) => one - other);
}

const oldUndo = (): UserError =>
  new UserError({
    code: 'unknown-watch',
    message: 'This Undo button no longer works.',
    choices: [{ label: 'List the watches', line: 'watch list' }],
  });

const gone = (): UserError =>
  new UserError({
    code: 'unknown-watch',
    message: 'That watch has been stopped.',
    choices: [{ label: 'List the watches', line: 'watch list' }],
  });
