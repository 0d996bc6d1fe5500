import { type Kysely, type Selectable, sql } from 'kysely';
import type { Schema } from '../database/schema.ts';
import { type Outgoing, outgoing, toOutboxRow } from './outbox-rows.ts';
import { type Reply, splitReply } from './split-reply.ts';

/** So many replies in one thread, or messages in one channel, become one. */
const groupFrom = 4;
const groupsAtOnce = 200;

interface GroupContext {
  now: Date;
  realNow: Date;
  newId: () => string;
}

type Waiting = { row: Selectable<Schema['outbox']>; message: Reply };

/** Before a sweep's messages go out: four or more in one place are grouped. */
export async function groupMessages(db: Kysely<Schema>, context: GroupContext): Promise<void> {
  const threads = await crowded(db, 'watch_id');
  for (const { place } of threads)
    await db.transaction().execute((transaction) => groupThread(transaction, place));
  const channels = await crowded(db, 'channel_id');
  for (const { place } of channels) {
    await db.transaction().execute((transaction) => groupChannel(transaction, place, context));
  }
}

/** Where so many replies wait that have never been tried. */
async function crowded(db: Kysely<Schema>, column: 'watch_id' | 'channel_id'): Promise<{ place: string }[]> {
  const isShown = column === 'watch_id' ? sql`true` : sql`payload ->> 'place' in ('broadcast', 'channel')`;
  const { rows } = await sql<{ place: string }>`
    select ${sql.ref(column)} as place from outbox
    where status = 'pending' and kind = 'reply' and attempts = 0 and ${isShown}
    group by ${sql.ref(column)} having count(*) >= ${groupFrom} limit ${groupsAtOnce}`.execute(db);
  return rows;
}

/** The first of them take up the others' events, as many as one message holds each. */
async function groupThread(db: Kysely<Schema>, watchId: string): Promise<void> {
  const waiting = await lockWaiting(db, 'watch_id', watchId);
  const [first] = waiting;
  if (!first || waiting.length < groupFrom) return;
  const messages = waiting.map(({ message }) => message);
  const shown = messages.find(({ place }) => place !== 'thread');
  const merged: Reply = {
    kind: 'reply',
    events: messages.flatMap(({ events }) => events),
    // Replies that were split name the same ones, and are grouped again for as long as Slack makes them wait.
    subjects: [
      ...new Map(messages.flatMap(({ subjects }) => subjects).map((one) => [nameOf(one), one])).values(),
    ],
    place: shown?.place ?? 'thread',
    more: 0,
  };
  const replies = splitReply(merged);
  for (const [index, reply] of replies.entries()) await rewrite(db, waiting[index], reply);
  await markMerged(db, waiting.slice(replies.length), first.row.id);
}

const nameOf = ({ kind, key }: Reply['subjects'][number]): string => `${kind} ${key}`;

async function rewrite(db: Kysely<Schema>, waiting: Waiting | undefined, message: Reply): Promise<void> {
  if (!waiting) return;
  await db
    .updateTable('outbox')
    .set({ payload: JSON.stringify(message) })
    .where('id', '=', waiting.row.id)
    .execute();
}

/** One message in the channel; all of it stands in the threads of the watches, and the message links to them. */
async function groupChannel(db: Kysely<Schema>, channelId: string, context: GroupContext): Promise<void> {
  const shown = (await lockWaiting(db, 'channel_id', channelId)).filter(
    ({ message }) => message.place !== 'thread',
  );
  const byWorkspace = Map.groupBy(shown, ({ row }) => row.workspace_id);
  for (const [workspaceId, waiting] of byWorkspace) {
    if (waiting.length < groupFrom) continue;
    const id = context.newId();
    const message: Outgoing = {
      kind: 'summary',
      members: waiting.map(({ row }) => row.id),
      items: await describe(db, waiting),
    };
    await db
      .insertInto('outbox')
      .values(toOutboxRow({ id, workspaceId, watchId: null, channelId, message, ...context }))
      .execute();
    for (const one of waiting) await rewrite(db, one, { ...one.message, place: 'thread' });
  }
}

async function describe(db: Kysely<Schema>, waiting: readonly Waiting[]) {
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
    const { data: message } = outgoing.safeParse(row.payload);
    return message?.kind === 'reply' ? [{ row, message }] : [];
  });
}

async function markMerged(db: Kysely<Schema>, waiting: readonly Waiting[], into: string): Promise<void> {
  if (waiting.length === 0) return;
  const ids = waiting.map(({ row }) => row.id);
  await db.updateTable('outbox').set({ status: 'merged', error: into }).where('id', 'in', ids).execute();
}
