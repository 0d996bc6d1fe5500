import { type RawBuilder, type Selectable, type SqlBool, sql, type Updateable } from 'kysely';
import type { Schema } from '../../../database/schema.ts';
import type { WorkspaceStore, WorkspaceTables } from '../../../database/workspace-store.ts';
import { type GroupContext, pendingMessage } from '../../../outbox/outgoing-message.ts';
import { columnsKey } from '../../history/index.ts';
import type { WatchEvent } from '../../rules/list.ts';
import { type Reply, reply, type Summary } from './messages.ts';

/** From this many on, waiting replies of one thread, or messages of one channel, are merged into one. */
const minToGroup = 4;
const maxGroupsPerRun = 200;

/** This many events fit into one Slack message, however long the names in them are. */
export const eventsPerReply = 12;

type Waiting = { row: Selectable<Schema['outbox']>; message: Reply };

/** Merges replies before they are sent. */
export async function groupReplies(store: WorkspaceStore, context: GroupContext): Promise<void> {
  for (const watchId of await readThreads(store))
    await store.transaction((transaction) => groupThread(transaction, watchId));
  for (const channelId of await readChannels(store))
    await store.transaction((transaction) => groupChannel(transaction, channelId, context));
}

/** In these words, as in two indexes, and then: not one that may have gone out before a restore. */
const isUntried = sql`status = 'pending' and kind = 'reply' and attempts = 0 and attempted_at is null`;

/** Threads with at least `minToGroup` replies not yet tried. */
async function readThreads(store: WorkspaceStore): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select thread_key as id from outbox
    where ${store.isOwn('outbox')} and ${isUntried}
    group by thread_key having count(*) >= ${minToGroup} limit ${maxGroupsPerRun}`.execute(store);
  return rows.map(({ id }) => id);
}

async function readChannels(store: WorkspaceStore): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select channel_id as id from outbox
    where ${store.isOwn('outbox')} and ${isUntried} and is_in_channel = 1
    group by channel_id having count(*) >= ${minToGroup} limit ${maxGroupsPerRun}`.execute(store);
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
  { newId, now, realNow }: GroupContext,
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
    .where('status', '=', 'pending')
    .where('kind', '=', 'reply')
    .where('attempts', '=', 0)
    .where('attempted_at', 'is', null)
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
