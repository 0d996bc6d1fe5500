import { type Kysely, type Selectable, sql } from 'kysely';
import type { Schema } from '../../../database/schema.ts';
import { type GroupContext, pendingMessage } from '../../../outbox/outgoing-message.ts';
import { type Reply, reply, type Summary } from './messages.ts';
import { eventsPerReply, splitReply } from './split-reply.ts';

/** So many replies in one thread, or messages in one channel, become one. */
const groupFrom = 4;
const groupsAtOnce = 200;

type Waiting = { row: Selectable<Schema['outbox']>; message: Reply };

export const isTooLarge = ({ events }: Reply): boolean => events.length > eventsPerReply;

/** Before messages go out: four or more in one place are grouped, and what no message holds is split. */
export async function groupReplies(db: Kysely<Schema>, context: GroupContext): Promise<void> {
  for (const watchId of await threadsToGroup(db))
    await db.transaction().execute((transaction) => groupThread(transaction, watchId, context));
  for (const channelId of await channelsToGroup(db))
    await db.transaction().execute((transaction) => groupChannel(transaction, channelId, context));
}

/** Threads with `groupFrom` untried replies or more, or with one that is too large; the largest first. */
async function threadsToGroup(db: Kysely<Schema>): Promise<string[]> {
  const largest = sql`max(case when jsonb_typeof(payload -> 'events') = 'array' then jsonb_array_length(payload -> 'events') end)`;
  const { rows } = await sql<{ place: string }>`
    select watch_id as place from outbox
    where status = 'pending' and kind = 'reply' and attempts = 0
    group by watch_id having count(*) >= ${groupFrom} or ${largest} > ${eventsPerReply}
    order by ${largest} desc nulls last limit ${groupsAtOnce}`.execute(db);
  return rows.map(({ place }) => place);
}

async function channelsToGroup(db: Kysely<Schema>): Promise<string[]> {
  const { rows } = await sql<{ place: string }>`
    select channel_id as place from outbox
    where status = 'pending' and kind = 'reply' and attempts = 0 and payload ->> 'place' in ('broadcast', 'channel')
    group by channel_id having count(*) >= ${groupFrom} limit ${groupsAtOnce}`.execute(db);
  return rows.map(({ place }) => place);
}

/** The first of them take up all events, as many as one message holds each. */
async function groupThread(db: Kysely<Schema>, watchId: string, context: GroupContext): Promise<void> {
  // Polls write no reply meanwhile: those inserted here are the last of the thread.
  await db.selectFrom('watches').select('id').where('id', '=', watchId).forUpdate().execute();
  const waiting = await lockWaiting(db, 'watch_id', watchId);
  const [first] = waiting;
  if (!first) return;
  const messages = waiting.map(({ message }) => message);
  const replies = (messages.length < groupFrom ? messages : [merge(messages)]).flatMap(splitReply);
  for (const [index, message] of replies.entries()) {
    const { row } = waiting[index] ?? {};
    if (row) await rewrite(db, { row, message });
    else await insertAfter(db, waiting.at(-1) ?? first, { message, context });
  }
  await markMerged(db, waiting.slice(replies.length), first.row.id);
}

const merge = (messages: readonly Reply[]): Reply => ({
  kind: 'reply',
  events: messages.flatMap(({ events }) => events),
  // Replies that were split name the same ones, and are grouped again for as long as Slack makes them wait.
  subjects: [
    ...new Map(messages.flatMap(({ subjects }) => subjects).map((one) => [nameOf(one), one])).values(),
  ],
  place: messages.find(({ place }) => place !== 'thread')?.place ?? 'thread',
  more: 0,
});

const nameOf = ({ kind, key }: Reply['subjects'][number]): string => `${kind} ${key}`;

async function rewrite(db: Kysely<Schema>, { row, message }: Waiting): Promise<void> {
  await db
    .updateTable('outbox')
    .set({ payload: JSON.stringify(message) })
    .where('id', '=', row.id)
    .execute();
}

async function insertAfter(
  db: Kysely<Schema>,
  { row }: Waiting,
  { message, context: { newId } }: { message: Reply; context: GroupContext },
): Promise<void> {
  const { workspace_id: workspaceId, watch_id: watchId, channel_id: channelId } = row;
  const times = { now: row.created_at, realNow: row.due_at };
  const next = pendingMessage({ id: newId(), workspaceId, watchId, channelId, message, ...times });
  await db.insertInto('outbox').values(next).execute();
}

/** One message in the channel; all of it is in the threads of the watches, and the message links to them. */
async function groupChannel(db: Kysely<Schema>, channelId: string, context: GroupContext): Promise<void> {
  const { newId, now, realNow } = context;
  const shown = (await lockWaiting(db, 'channel_id', channelId)).filter(
    ({ message }) => message.place !== 'thread',
  );
  const byWorkspace = Map.groupBy(shown, ({ row }) => row.workspace_id);
  for (const [workspaceId, waiting] of byWorkspace) {
    if (waiting.length < groupFrom) continue;
    const message: Summary = {
      kind: 'summary',
      members: waiting.map(({ row }) => row.id),
      items: await describe(db, waiting),
    };
    const row = pendingMessage({ id: newId(), workspaceId, channelId, message, now, realNow });
    await db.insertInto('outbox').values(row).execute();
    for (const one of waiting) await rewrite(db, { ...one, message: { ...one.message, place: 'thread' } });
  }
}

async function describe(db: Kysely<Schema>, waiting: readonly Waiting[]): Promise<Summary['items']> {
  const byWatch = Map.groupBy(waiting, ({ row }) => row.watch_id ?? '');
  const ids = [...byWatch.keys()];
  const rows = await db.selectFrom('watches').select(['id', 'title']).where('id', 'in', ids).execute();
  const titles = new Map(rows.map(({ id, title }) => [id, title]));
  return [...byWatch].map(([watchId, ofWatch]) => ({
    watchId,
    title: titles.get(watchId) ?? '',
    events: ofWatch.flatMap(({ message }) => message.events),
    more: ofWatch.reduce((sum, { message }) => sum + message.more, 0),
  }));
}

/** Nobody else's, in their order; claimed ones are on their way and are left alone. */
async function lockWaiting(
  db: Kysely<Schema>,
  column: 'watch_id' | 'channel_id',
  value: string,
): Promise<Waiting[]> {
  const rows = await db
    .selectFrom('outbox')
    .selectAll()
    .where(column, '=', value)
    .where('status', '=', 'pending')
    .where('kind', '=', 'reply')
    .where('attempts', '=', 0)
    .where('lease_token', 'is', null)
    .orderBy('sequence')
    .forUpdate()
    .skipLocked()
    .execute();
  return rows.flatMap((row) => {
    // What can't be read goes its own way.
    const { data: message } = reply.safeParse(row.payload);
    return message ? [{ row, message }] : [];
  });
}

async function markMerged(db: Kysely<Schema>, waiting: readonly Waiting[], into: string): Promise<void> {
  if (waiting.length === 0) return;
  const ids = waiting.map(({ row }) => row.id);
  await db.updateTable('outbox').set({ status: 'merged', error: into }).where('id', 'in', ids).execute();
}
