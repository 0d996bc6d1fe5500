import type { Kept } from '../../features/feature.ts';
import type { Actor } from '../../workspaces/permissions.ts';

/** What is kept, with a word to `tell` whenever somebody else changes what a person owns; to a new owner too. */
export function tellingOwners(kept: Kept, tell: (ownerId: string) => void): Kept {
  const { watches, digests } = kept;
  const touched = ({ ownerId }: { ownerId: string }, { userId }: Actor) => {
    if (ownerId !== userId) tell(ownerId);
  };
  const told = async <Thing extends { ownerId: string }>(done: Promise<Thing>, actor: Actor) => {
    const thing = await done;
    touched(thing, actor);
    return thing;
  };
  const toldOfWatch = async <Done extends { watch: { ownerId: string } }>(
    done: Promise<Done>,
    actor: Actor,
  ) => {
    const answer = await done;
    touched(answer.watch, actor);
    return answer;
  };
  /** Whose it was may be told of it too: it is not in what comes back. */
  const formerOwner = async (of: typeof watches | typeof digests, id: string, actor: Actor) => {
    const thing = await of.find(id);
    return () => thing && touched(thing, actor);
  };

  return {
    ...kept,
    watches: {
      ...watches,
      add: (request, actor, withDeadlinePaused) =>
        toldOfWatch(watches.add(request, actor, withDeadlinePaused), actor),
      stop: (id, actor) => told(watches.stop(id, actor), actor),
      async stopAll(actor) {
        const stopped = await watches.stopAll(actor);
        for (const watch of stopped) touched(watch, actor);
        return stopped;
      },
      snooze: (id, snooze, actor) => told(watches.snooze(id, snooze, actor), actor),
      acknowledge: (id, actor) => told(watches.acknowledge(id, actor), actor),
      async handOver(id, ownerId, actor) {
        const former = await formerOwner(watches, id, actor);
        const watch = await told(watches.handOver(id, ownerId, actor), actor);
        former();
        return watch;
      },
      resume: (id, actor) => told(watches.resume(id, actor), actor),
      async edit(id, change, actor) {
        const former = await formerOwner(watches, id, actor);
        const edited = await toldOfWatch(watches.edit(id, change, actor), actor);
        if (change.ownerId !== undefined) former();
        return edited;
      },
      undo: (value, actor) => toldOfWatch(watches.undo(value, actor), actor),
    },
    digests: {
      ...digests,
      async change(id, change, actor) {
        const former = await formerOwner(digests, id, actor);
        const digest = await told(digests.change(id, change, actor), actor);
        if (change.ownerId !== undefined) former();
        return digest;
      },
      pause: (id, actor) => told(digests.pause(id, actor), actor),
      resume: (id, actor) => told(digests.resume(id, actor), actor),
      remove: (id, actor) => told(digests.remove(id, actor), actor),
      restore: (ref, actor) => told(digests.restore(ref, actor), actor),
    },
  };
}
