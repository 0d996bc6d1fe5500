import { type Kysely, type Selectable, sql } from 'kysely';
import type { Schema } from '../database/schema.ts';
import { type Outgoing, outgoing, toOutboxRow } from './outbox-rows.ts';

/** So many replies in one thread, or messages in one channel, become one. */
const groupFrom = 4;
const groupsAtOnce = 200;

interface GroupContext {
  now: Date;
  realNow: Date;
  newId: () => string;
}

type Reply = Extract<Outgoing, { kind: 'reply' }>;
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

/** The first takes up the others' events. */
async function groupThread(db: Kysely<Schema>, watchId: string): Promise<void> {
  const waiting = await lockWaiting(db, 'watch_id', watchId);
  const [first, ...others] = waiting;
  if (!first || waiting.length < groupFrom) return;
  const messages = waiting.map(({ message }) => message);
  const shown = messages.find(({ place }) => place !== 'thread');
  const merged: Reply = {
    kind: 'reply',
    events: messages.flatMap(({ events }) => events),
    subjects: messages.flatMap(({ subjects }) => subjects),
    place: shown?.place ?? 'thread',
  };
  await db
    .updateTable('outbox')
    .set({ payload: JSON.stringify(merged) })
    .where('id', '=', first.row.id)
    .execute();
  await markMerged(db, others, first.row.id);
}

/** One message in the channel; what has a thread stays there, and the message links to it. */
async function groupChannel(db: Kysely<Schema>, channelId: string, context: GroupContext): Promise<void> {
  const shown = (await lockWaiting(db, 'channel_id', channelId)).filter(
    ({ message }) => message.place !== 'thread',
  );
  const byWorkspace = Map.groupBy(shown, ({ row }) => row.workspace_id);
  for (const [workspaceId, waiting] of byWorkspace) {
    if (waiting.length < groupFrom) continue;
    const inThreads = waiting.filter(({ message }) => message.place === 'broadcast');
    const alone = waiting.filter(({ message }) => message.place === 'channel');
    const id = context.newId();
    const message: Outgoing = {
      kind: 'summary',
      members: inThreads.map(({ row }) => row.id),
      items: await describe(db, waiting),
    };
    await db
      .insertInto('outbox')
      .values(toOutboxRow({ id, workspaceId, watchId: null, channelId, message, ...context }))
      .execute();
    await markMerged(db, alone, id);
    for (const { row, message } of inThreads) {
      await db
        .updateTable('outbox')
        .set({ payload: JSON.stringify({ ...message, place: 'thread' }) })
        .where('id', '=', row.id)
        .execute();
    }
  }
}

async function describe(db: Kysely<Schema>, waiting: readonly Waiting[]) {
  const ids = waiting.flatMap(({ row }) => row.watch_id ?? []);
  const rows = await db.selectFrom('watches').select(['id', 'title']).where('id', 'in', ids).execute();
  const titles = new Map(rows.map(({ id, title }) => [id, title]));
  return waiting.flatMap(({ row, message }) =>
    row.watch_id === null
      ? []
      : [{ watchId: row.watch_id, title: titles.get(row.watch_id) ?? '', events: message.events }],
  );
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
    const message = outgoing.parse(row.payload);
    return message.kind === 'reply' ? [{ row, message }] : [];
  });
}

async function markMerged(db: Kysely<Schema>, waiting: readonly Waiting[], into: string): Promise<void> {
  if (waiting.length === 0) return;
  const ids = waiting.map(({ row }) => row.id);
  await db.updateTable('outbox').set({ status: 'merged', error: into }).where('id', 'in', ids).execute();
}
