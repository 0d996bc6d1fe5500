import { inChunks } from '../../../database/batches.ts';
import type { WorkspaceStore } from '../../../database/workspace-store.ts';
import { pendingMessage } from '../../../outbox/outgoing-message.ts';
import type { SubjectColumns } from '../../history/index.ts';
import type { WatchEvent } from '../../rules/list.ts';
import { watchRules } from '../../rules/registry.ts';
import { eventsPerReply } from '../messages/group-replies.ts';
import type { Reply } from '../messages/messages.ts';
import type { Follower } from './followers.ts';
import { placeReplies } from './place-replies.ts';

/** The events of one subject in one poll; after a restore, of several. */
export interface Notification {
  follower: Pick<Follower, 'watch' | 'mode'>;
  subjects: readonly SubjectColumns[];
  events: readonly WatchEvent[];
  /** The time of the backup, if the store was restored since the last evaluation. */
  restoredFrom?: Date;
  /**
   * `editAlert` can edit the alert under this key, until another alert of the watch gets the key. What is broadcast is
   * not edited: if some of the events are, the alert of the others has the key.
   */
  editKey?: string;
}

interface WriteContext {
  newId: () => string;
  now: Date;
  realNow: Date;
}

/**
 * Writes an alert and its reply for each notification, and several if one message can't hold all its events. The
 * transaction must hold locks on the watches. Returns the number of notifications.
 */
export async function writeReplies(
  store: WorkspaceStore,
  notifications: readonly Notification[],
  { newId, now, realNow }: WriteContext,
): Promise<number> {
  if (notifications.length === 0) return 0;
  const toPlace = notifications.map(({ follower, events }) => ({ ...follower, events }));
  const places = await placeReplies(store, toPlace, { now });
  const written = notifications.flatMap((notification, index) => {
    const { follower, subjects, events, restoredFrom, editKey } = notification;
    const { watch } = follower;
    const parts = repliesOf(events, places[index] ?? 'thread');
    const edited = parts.find((part) => !part.events.every(watchRules.isCritical)) ?? parts[0];
    return parts.map((part) => {
      const id = newId();
      const { id: watchId, channelId } = watch;
      const message: Reply = {
        kind: 'reply',
        ...part,
        subjects: subjects.map(({ kind, key }) => ({ kind, key })),
        ...(restoredFrom && { restoredFrom }),
      };
      const common = { id, threadKey: watchId, channelId, now, dueAt: realNow };
      return {
        row: pendingMessage({ ...common, message, isInChannel: message.place !== 'thread' }),
        alert: {
          id,
          watch_id: watchId,
          message_id: id,
          at: now,
          events: JSON.stringify(part.events),
          is_critical: part.events.some(watchRules.isCritical),
          edit_key: (part === edited && editKey) || null,
          due_at: now,
          attempts: 0,
        },
      };
    });
  });
  await releaseEditKeys(store, notifications);
  for (const chunk of inChunks(written)) {
    const rows = chunk.map(({ row }) => row);
    await store.insertInto('outbox', rows).execute();
    const alerts = chunk.map(({ alert }) => alert);
    await store.insertInto('alerts', alerts).execute();
  }
  return notifications.length;
}

/** Earlier alerts with these keys are not edited any more. */
async function releaseEditKeys(store: WorkspaceStore, notifications: readonly Notification[]): Promise<void> {
  for (const { follower, editKey } of notifications) {
    if (editKey === undefined) continue;
    await store
      .updateTable('alerts')
      .set({ edit_key: null })
      .where('watch_id', '=', follower.watch.id)
      .where('edit_key', '=', editKey)
      .execute();
  }
}

/** What is critical is broadcast on its own; the rest follows in the thread. */
function repliesOf(events: readonly WatchEvent[], place: Reply['place']): Omit<Reply, 'kind' | 'subjects'>[] {
  if (place !== 'broadcast') return splitEvents(events, place);
  const rest = events.filter((event) => !watchRules.isCritical(event));
  return [...splitEvents(events.filter(watchRules.isCritical), place), ...splitEvents(rest, 'thread')];
}

/** Only the first part shows in the channel. */
const splitEvents = (events: readonly WatchEvent[], place: Reply['place']) =>
  Array.from({ length: Math.ceil(events.length / eventsPerReply) }, (_, index) => {
    const end = (index + 1) * eventsPerReply;
    return {
      events: events.slice(index * eventsPerReply, end),
      place: index === 0 ? place : ('thread' as const),
      more: Math.max(0, events.length - end),
    };
  });
