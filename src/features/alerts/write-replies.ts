import { subHours } from 'date-fns/subHours';
import { type SqlBool, sql } from 'kysely';
import { inChunks } from '../../database/batches.ts';
import type { WorkspaceStore } from '../../database/workspace-store.ts';
import { pendingMessage } from '../../outbox/outgoing-message.ts';
import type { ChannelMode } from '../../workspaces/settings.ts';
import { lookBackHours, type SubjectColumns } from '../history/index.ts';
import type { WatchEvent } from '../rules/list.ts';
import { imoOf, newsKey, watchRules } from '../rules/registry.ts';
import { eventsPerReply } from './group-replies.ts';
import { type Reply, shownMessage } from './messages.ts';

/** A watch that is notified, and how its channel wants that. */
interface Notified {
  watch: { id: string; channelId: string; createdAt: Date };
  mode: ChannelMode;
}

/** The events of one subject in one poll; after a restore, of several. */
export interface Notification<Follower extends Notified = Notified> {
  follower: Follower;
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

interface UnplacedReply extends Notified {
  events: readonly WatchEvent[];
}

type Place = Reply['place'];

/**
 * Returns where to post each reply, in the order of `replies`. `broadcast` is meant for its critical events only. If
 * several watches of a channel report the same news of a vessel, the channel shows it once, for the oldest watch. The
 * other watches show it only in their threads.
 */
async function placeReplies(
  store: WorkspaceStore,
  replies: readonly UnplacedReply[],
  context: { now: Date },
): Promise<Place[]> {
  const places: Place[] = replies.map(() => 'thread');
  const shown = replies
    .map((reply, index) => ({ ...reply, events: eventsForChannel(reply), index }))
    .filter(({ events }) => events.length > 0)
    .sort((a, b) => byAge(a.watch, b.watch));
  if (shown.length === 0) return places;
  const last = await readLastShown(store, shown, context);
  for (const { watch, mode, events, index } of shown) {
    const { channelId: channel } = watch;
    const isShownAlready = events.every((event) => {
      const shownLast = last.get(`${channel} ${imoOf(event)}`);
      return shownLast && shownLast.watchId !== watch.id && shownLast.news.has(newsKey(event));
    });
    if (isShownAlready) continue;
    places[index] = mode === 'new-message' ? 'channel' : 'broadcast';
    addShown(last, channel, { watchId: watch.id, events });
  }
  return places;
}

function eventsForChannel({ mode, events }: UnplacedReply): readonly WatchEvent[] {
  if (mode === 'new-message') return events;
  return mode === 'broadcast-critical' ? events.filter(watchRules.isCritical) : [];
}

const byAge = (a: UnplacedReply['watch'], b: UnplacedReply['watch']): number =>
  a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : 1);

/** By channel and vessel: the last news that was shown, and the watch that reported it. */
type LastShown = Map<string, { watchId: string; news: Set<string> }>;

async function readLastShown(
  store: WorkspaceStore,
  replies: readonly UnplacedReply[],
  { now }: { now: Date },
): Promise<LastShown> {
  const channelIds = [...new Set(replies.map(({ watch }) => watch.channelId))];
  const rows = await store
    .selectFrom('outbox')
    .select(['channel_id', 'thread_key', 'payload'])
    .where('channel_id', 'in', channelIds)
    .where('created_at', '>', subHours(now, lookBackHours))
    .where('status', 'in', ['pending', 'sending', 'sent'])
    // In these words, as in the index.
    .where(sql<SqlBool>`is_in_channel = 1`)
    .orderBy('sequence')
    .execute();
  const last: LastShown = new Map();
  for (const { channel_id: channel, thread_key, payload } of rows) {
    const { data: message } = shownMessage.safeParse(payload);
    if (message?.kind === 'reply') addShown(last, channel, { ...message, watchId: thread_key ?? '' });
    if (message?.kind === 'summary') for (const item of message.items) addShown(last, channel, item);
  }
  return last;
}

function addShown(
  last: LastShown,
  channel: string,
  { watchId, events }: { watchId: string; events: readonly WatchEvent[] },
): void {
  for (const [imo, ofVessel] of Map.groupBy(events, imoOf)) {
    if (imo !== undefined) last.set(`${channel} ${imo}`, { watchId, news: new Set(ofVessel.map(newsKey)) });
  }
}
