import { subHours } from 'date-fns/subHours';
import { type RawBuilder, type Selectable, type SqlBool, sql, type Updateable } from 'kysely';
import { inChunks } from '../../database/batches.ts';
import type { Schema } from '../../database/schema.ts';
import type { WorkspaceStore, WorkspaceTables } from '../../database/workspace-store.ts';
import { pendingMessage, type QueueContext } from '../../outbox/outgoing-message.ts';
import type { ChannelMode } from '../../workspaces/settings.ts';
import { columnsKey, lookBackHours, type SubjectColumns } from '../history/index.ts';
import { imoOf, newsKey, type WatchEvent, watchRules } from '../rules/index.ts';
import { type Reply, reply, type Summary, shownMessage } from './messages.ts';

/** A watch that is notified, and how its channel wants that. */
interface Notified {
  watch: { id: string; channelId: string; createdAt: Date };
  mode: ChannelMode;
}

/** The events of one subject in one poll; after a restore, of several. */
export interface Notification {
  follower: Notified;
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

/**
 * Writes an alert and its reply for each notification, and several if one message can't hold all its events. The
 * transaction must hold locks on the watches. Returns the number of notifications.
 */
export async function writeReplies(
  store: WorkspaceStore,
  notifications: readonly Notification[],
  { newId, now, realNow }: QueueContext,
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

type Unplaced = Notified & Pick<Notification, 'events'>;

/**
 * Returns where to post each reply, in the order of `replies`. `broadcast` is meant for its critical events only. If
 * several watches of a channel report the same news of a vessel, the channel shows it once, for the oldest watch. The
 * other watches show it only in their threads.
 */
async function placeReplies(
  store: WorkspaceStore,
  replies: readonly Unplaced[],
  context: { now: Date },
): Promise<Reply['place'][]> {
  const places: Reply['place'][] = replies.map(() => 'thread');
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

function eventsForChannel({ mode, events }: Unplaced): readonly WatchEvent[] {
  if (mode === 'new-message') return events;
  return mode === 'broadcast-critical' ? events.filter(watchRules.isCritical) : [];
}

const byAge = (a: Notified['watch'], b: Notified['watch']): number =>
  a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : 1);

/** By channel and vessel: the last news that was shown, and the watch that reported it. */
type LastShown = Map<string, { watchId: string; news: Set<string> }>;

async function readLastShown(
  store: WorkspaceStore,
  replies: readonly Unplaced[],
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

/** From this many on, waiting replies of one thread, or messages of one channel, are merged into one. */
const minToGroup = 4;
const maxGroupsPerRun = 200;

/** This many events fit into one Slack message, however long the names in them are. */
export const eventsPerReply = 12;

type Waiting = { row: Selectable<Schema['outbox']>; message: Reply };

/** Merges replies before they are sent. */
export async function groupReplies(store: WorkspaceStore, context: QueueContext): Promise<void> {
  for (const watchId of await readCrowded(store, sql`thread_key`))
    await store.transaction((transaction) => groupThread(transaction, watchId));
  for (const channelId of await readCrowded(store, sql`channel_id`, sql`and is_in_channel = 1`))
    await store.transaction((transaction) => groupChannel(transaction, channelId, context));
}

/** In these words, as in two indexes, and then: not one that may have gone out before a restore. */
const isUntried = sql<SqlBool>`status = 'pending' and kind = 'reply' and attempts = 0 and attempted_at is null`;

/** Threads or channels with at least `minToGroup` replies not yet tried. */
async function readCrowded(
  store: WorkspaceStore,
  column: RawBuilder<unknown>,
  where: RawBuilder<unknown> = sql``,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select ${column} as id from outbox
    where ${store.isOwn('outbox')} and ${isUntried} ${where}
    group by ${column} having count(*) >= ${minToGroup} limit ${maxGroupsPerRun}`.execute(store);
  return rows.map(({ id }) => id);
}

async function groupThread(store: WorkspaceStore, watchId: string): Promise<void> {
  // While this lock is held, no poll edits alerts, and nobody acknowledges any.
  await store.selectFrom('watches').select('id').where('id', '=', watchId).forUpdate().execute();
  const waiting = await lockWaiting(store, sql`thread_key = ${watchId}`);
  if (waiting.length < minToGroup) return;
  const groups = packReplies(waiting);
  for (const [index, [first, ...merged]] of groups.entries()) {
    const messages = [first, ...merged].map(({ message }) => message);
    const following = groups.slice(index + 1).flatMap((group) => group.map(({ message }) => message));
    await rewrite(store, { row: first.row, message: merge(messages, following) });
    const mergedIds = merged.map(({ row }) => row.id);
    await markMerged(store, first.row.id, mergedIds);
  }
}

type Group = [Waiting, ...Waiting[]];

/**
 * Groups whole replies, each group as large as one message can be. No event overtakes an earlier one: a reply joins a
 * group only if all groups that begin after that one are of the same poll time.
 */
function packReplies(waiting: readonly Waiting[]): Group[] {
  const groups: Group[] = [];
  for (const one of waiting) {
    const last = groups.findLastIndex(([first]) => canMerge(first, one));
    const group = groups[last];
    const overtakes = groups.slice(last + 1).some(([{ row }]) => row.created_at < one.row.created_at);
    if (group && !overtakes && sizeOf([...group, one]) <= eventsPerReply) group.push(one);
    else groups.push([one]);
  }
  return groups;
}

/** What is broadcast stays apart from the rest, and what a summary has shown from what none has. */
const canMerge = (one: Waiting, other: Waiting): boolean =>
  one.message.place === other.message.place && one.row.goes_before === other.row.goes_before;

const sizeOf = (group: readonly Waiting[]): number =>
  group.reduce((sum, { message }) => sum + message.events.length, 0);

async function markMerged(store: WorkspaceStore, id: string, mergedIds: readonly string[]): Promise<void> {
  if (mergedIds.length === 0) return;
  // A merged row has the id of the reply that took its events in its column `error`.
  await store
    .updateTable('outbox')
    .set({ status: 'merged', error: id })
    .where('id', 'in', mergedIds)
    .execute();
  await store.updateTable('alerts').set({ message_id: id }).where('message_id', 'in', mergedIds).execute();
}

/** `following`: the replies after it. Those in the channel speak for themselves. */
const merge = (messages: readonly Reply[], following: readonly Reply[]): Reply => ({
  kind: 'reply',
  events: eventsOf(messages),
  // Several replies may name the same subject.
  subjects: [
    ...new Map(
      messages.flatMap(({ subjects }) => subjects.map((subject) => [columnsKey(subject), subject])),
    ).values(),
  ],
  place: messages[0]?.place ?? 'thread',
  more: eventsOf(following.filter(({ place }) => place === 'thread')).length,
  ...restoredFromOf(messages),
});

function restoredFromOf(replies: readonly Reply[]): Pick<Reply, 'restoredFrom'> {
  const [restoredFrom] = replies.flatMap((reply) => reply.restoredFrom ?? []);
  return restoredFrom ? { restoredFrom } : {};
}

const eventsOf = (replies: readonly Reply[]): readonly WatchEvent[] =>
  replies.flatMap(({ events }) => events);

async function rewrite(
  store: WorkspaceStore,
  { row, message }: Waiting,
  changes: Updateable<WorkspaceTables['outbox']> = {},
): Promise<void> {
  await store
    .updateTable('outbox')
    .set({ payload: JSON.stringify(message), is_in_channel: message.place !== 'thread', ...changes })
    .where('id', '=', row.id)
    .execute();
}

/** Writes one summary for the channel, which links to the replies, and moves the replies to the watches' threads. */
async function groupChannel(
  store: WorkspaceStore,
  channelId: string,
  { newId, now, realNow }: QueueContext,
): Promise<void> {
  const ofChannel = sql<SqlBool>`channel_id = ${channelId}`;
  const waiting = (await lockWaiting(store, ofChannel)).filter(({ message }) => message.place !== 'thread');
  if (waiting.length < minToGroup) return;
  const message: Summary = {
    kind: 'summary',
    members: waiting.map(({ row }) => row.id),
    items: await summarize(store, waiting),
    ...restoredFromOf(waiting.map((reply) => reply.message)),
  };
  const id = newId();
  // Its updates wait for it.
  const common = { id, threadKey: id, channelId, now, dueAt: realNow, isInChannel: true };
  await store.insertInto('outbox', pendingMessage({ ...common, message })).execute();
  for (const { row, message } of waiting)
    await rewrite(store, { row, message: { ...message, place: 'thread' } }, { goes_before: id });
}

async function summarize(store: WorkspaceStore, waiting: readonly Waiting[]): Promise<Summary['items']> {
  const ids = [...new Set(waiting.map(({ row }) => row.thread_key ?? ''))];
  const rows = await store.selectFrom('watches').select(['id', 'title']).where('id', 'in', ids).execute();
  const titles = new Map(rows.map(({ id, title }) => [id, title]));
  return summaryItems(
    waiting.map(({ row, message }) => ({ watchId: row.thread_key ?? '', message })),
    titles,
  );
}

/** One item for neighbouring replies of a watch, in the order of the replies. */
export function summaryItems(
  members: readonly { watchId: string; message: Reply }[],
  titles: ReadonlyMap<string, string>,
): Summary['items'] {
  const items: Summary['items'] = [];
  for (const { watchId, message } of members) {
    const { events, more } = message;
    const last = items.at(-1);
    if (last?.watchId === watchId)
      items.splice(-1, 1, { ...last, events: [...last.events, ...events], more: last.more + more });
    else items.push({ watchId, title: titles.get(watchId) ?? '', events, more });
  }
  return items;
}

/** Locks the replies that nobody has claimed, in their order. */
async function lockWaiting(store: WorkspaceStore, where: RawBuilder<SqlBool>): Promise<Waiting[]> {
  const rows = await store
    .selectFrom('outbox')
    .selectAll()
    .where(where)
    .where(isUntried)
    .where('lease_token', 'is', null)
    .orderBy('sequence')
    .forUpdate()
    .skipLocked()
    .execute();
  return rows.flatMap((row) => {
    // A reply that can't be read is left alone.
    const { data: message } = reply.safeParse(row.payload);
    return message ? [{ row, message }] : [];
  });
}
