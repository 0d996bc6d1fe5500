import { type Kysely, type RawBuilder, type Selectable, type SqlBool, sql, type Updateable } from 'kysely';
import type { Schema } from '../../../database/schema.ts';
import { type GroupContext, pendingMessage } from '../../../outbox/outgoing-message.ts';
import type { WatchEvent } from '../rules/index.ts';
import { watchRules } from '../rules/registry.ts';
import { columnsKey } from '../store/subject.ts';
import { type Reply, reply, type Summary } from './messages.ts';

/** From this many on, waiting replies of one thread, or messages of one channel, are merged into one. */
const minToGroup = 4;
const maxGroupsPerRun = 200;

/** This many events fit into one Slack message, however long the names in them are. */
export const eventsPerReply = 12;

type Waiting = { row: Selectable<Schema['outbox']>; message: Reply };

export const isTooLarge = ({ events }: Reply): boolean => events.length > eventsPerReply;

/** Groups replies before they are sent, and splits those that are too large for one message. */
export async function groupReplies(db: Kysely<Schema>, context: GroupContext): Promise<void> {
  for (const watchId of await readThreads(db, context))
    await db.transaction().execute((transaction) => groupThread(transaction, watchId, context));
  for (const channelId of await readChannels(db, context))
    await db.transaction().execute((transaction) => groupChannel(transaction, channelId, context));
}

/** In these words, as in two indexes. */
const isUntried = sql`status = 'pending' and kind = 'reply' and attempts = 0`;

/** Threads with at least `minToGroup` replies not yet tried, or with a reply that is too large; the largest first. */
async function readThreads(
  db: Kysely<Schema>,
  { workspaceId }: Pick<GroupContext, 'workspaceId'>,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select thread_key as id from outbox
    where workspace_id = ${workspaceId} and ${isUntried}
    group by thread_key having count(*) >= ${minToGroup} or max(size) > ${eventsPerReply}
    order by max(size) desc limit ${maxGroupsPerRun}`.execute(db);
  return rows.map(({ id }) => id);
}

async function readChannels(
  db: Kysely<Schema>,
  { workspaceId }: Pick<GroupContext, 'workspaceId'>,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select channel_id as id from outbox
    where workspace_id = ${workspaceId} and ${isUntried} and is_in_channel = 1
    group by channel_id having count(*) >= ${minToGroup} limit ${maxGroupsPerRun}`.execute(db);
  return rows.map(({ id }) => id);
}

/** Moves all events into the first replies, as many as fit into each, and marks the other replies as merged. */
async function groupThread(
  db: Kysely<Schema>,
  watchId: string,
  { workspaceId, newId }: GroupContext,
): Promise<void> {
  // While this lock is held, no poll writes replies, so replies inserted here are the last of the thread.
  await db
    .selectFrom('watches')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', watchId)
    .forUpdate()
    .execute();
  const waiting = await lockWaiting(db, { workspaceId, where: sql`thread_key = ${watchId}` });
  // A reply whose events a summary has shown already is merged only with others of that summary.
  for (const [summaryId, replies] of Map.groupBy(waiting, ({ row }) => row.goes_before))
    await mergeAndSplit(db, replies, { watchId, summaryId, newId });
}

async function mergeAndSplit(
  db: Kysely<Schema>,
  waiting: readonly Waiting[],
  { watchId, summaryId, newId }: { watchId: string; summaryId: string | null; newId: () => string },
): Promise<void> {
  const last = waiting.at(-1);
  if (!last) return;
  const messages = waiting.map(({ message }) => message);
  const replies = (messages.length < minToGroup ? messages : [merge(messages)]).flatMap(splitReply);
  for (const [index, message] of replies.entries()) {
    const { row } = waiting[index] ?? {};
    if (row) {
      await rewrite(db, { row, message });
      continue;
    }
    const { workspace_id: workspaceId, channel_id: channelId, created_at: now, due_at: dueAt } = last.row;
    const common = { id: newId(), workspaceId, threadKey: watchId, channelId, now, dueAt };
    const next = pendingMessage({ ...common, ...replyContent(message) });
    await db
      .insertInto('outbox')
      .values({ ...next, goes_before: summaryId })
      .execute();
  }
  const mergedIds = waiting.slice(replies.length).map(({ row }) => row.id);
  if (mergedIds.length === 0) return;
  // A merged row has the id of the reply that took its events in its column `error`.
  const error = waiting[0]?.row.id ?? null;
  await db
    .updateTable('outbox')
    .set({ status: 'merged', error })
    .where('workspace_id', '=', last.row.workspace_id)
    .where('id', 'in', mergedIds)
    .execute();
}

const merge = (messages: readonly Reply[]): Reply => ({
  kind: 'reply',
  events: messages.flatMap(({ events }) => events),
  // Several replies may name the same subject.
  subjects: [
    ...new Map(
      messages.flatMap(({ subjects }) => subjects.map((subject) => [columnsKey(subject), subject])),
    ).values(),
  ],
  place: messages.find(({ place }) => place !== 'thread')?.place ?? 'thread',
  more: 0,
});

/** Critical events come first. Events that don't fit into one message go into further replies of the thread. */
function splitReply(reply: Reply): Reply[] {
  const events = criticalFirst(reply.events);
  const count = Math.max(1, Math.ceil(events.length / eventsPerReply));
  return Array.from({ length: count }, (_, index) => ({
    ...reply,
    events: events.slice(index * eventsPerReply, (index + 1) * eventsPerReply),
    // A reply that an earlier run has split has further events already.
    more: reply.more + Math.max(0, events.length - (index + 1) * eventsPerReply),
    place: index === 0 ? reply.place : 'thread',
  }));
}

export const criticalFirst = (events: readonly WatchEvent[]): readonly WatchEvent[] => [
  ...events.filter(watchRules.isCritical),
  ...events.filter((event) => !watchRules.isCritical(event)),
];

/** What a row of the outbox holds for this reply. */
export const replyContent = (message: Reply) => ({
  message,
  size: message.events.length,
  isInChannel: message.place !== 'thread',
});

async function rewrite(
  db: Kysely<Schema>,
  { row, message }: Waiting,
  changes: Updateable<Schema['outbox']> = {},
): Promise<void> {
  const { size, isInChannel } = replyContent(message);
  await db
    .updateTable('outbox')
    .set({ payload: JSON.stringify(message), size, is_in_channel: isInChannel, ...changes })
    .where('workspace_id', '=', row.workspace_id)
    .where('id', '=', row.id)
    .execute();
}

/** Writes one summary for the channel, which links to the replies, and moves the replies to the watches' threads. */
async function groupChannel(
  db: Kysely<Schema>,
  channelId: string,
  { workspaceId, newId, now, realNow }: GroupContext,
): Promise<void> {
  const ofChannel = sql<SqlBool>`channel_id = ${channelId}`;
  const waiting = (await lockWaiting(db, { workspaceId, where: ofChannel })).filter(
    ({ message }) => message.place !== 'thread',
  );
  if (waiting.length < minToGroup) return;
  const message: Summary = {
    kind: 'summary',
    members: waiting.map(({ row }) => row.id),
    items: await summarize(db, waiting, workspaceId),
  };
  const id = newId();
  const common = { id, workspaceId, channelId, now, dueAt: realNow, isInChannel: true };
  await db
    .insertInto('outbox')
    .values(pendingMessage({ ...common, message }))
    .execute();
  for (const { row, message } of waiting)
    await rewrite(db, { row, message: { ...message, place: 'thread' } }, { goes_before: id });
}

async function summarize(
  db: Kysely<Schema>,
  waiting: readonly Waiting[],
  workspaceId: string,
): Promise<Summary['items']> {
  const byWatch = Map.groupBy(waiting, ({ row }) => row.thread_key ?? '');
  const ids = [...byWatch.keys()];
  const rows = await db
    .selectFrom('watches')
    .select(['id', 'title'])
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', ids)
    .execute();
  const titles = new Map(rows.map(({ id, title }) => [id, title]));
  return [...byWatch].map(([watchId, ofWatch]) => ({
    watchId,
    title: titles.get(watchId) ?? '',
    events: ofWatch.flatMap(({ message }) => message.events),
    more: ofWatch.reduce((sum, { message }) => sum + message.more, 0),
  }));
}

/** Locks the replies that nobody has claimed, in their order. */
async function lockWaiting(
  db: Kysely<Schema>,
  { workspaceId, where }: { workspaceId: string; where: RawBuilder<SqlBool> },
): Promise<Waiting[]> {
  const rows = await db
    .selectFrom('outbox')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where(where)
    .where('status', '=', 'pending')
    .where('kind', '=', 'reply')
    .where('attempts', '=', 0)
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
