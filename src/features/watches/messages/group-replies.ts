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

/** Merges replies before they are sent. */
export async function groupReplies(db: Kysely<Schema>, context: GroupContext): Promise<void> {
  for (const watchId of await readThreads(db, context))
    await db.transaction().execute((transaction) => groupThread(transaction, watchId, context));
  for (const channelId of await readChannels(db, context))
    await db.transaction().execute((transaction) => groupChannel(transaction, channelId, context));
}

/** In these words, as in two indexes. */
const isUntried = sql`status = 'pending' and kind = 'reply' and attempts = 0`;

/** Threads with at least `minToGroup` replies not yet tried. */
async function readThreads(
  db: Kysely<Schema>,
  { workspaceId }: Pick<GroupContext, 'workspaceId'>,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select thread_key as id from outbox
    where workspace_id = ${workspaceId} and ${isUntried}
    group by thread_key having count(*) >= ${minToGroup} limit ${maxGroupsPerRun}`.execute(db);
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

async function groupThread(
  db: Kysely<Schema>,
  watchId: string,
  { workspaceId }: GroupContext,
): Promise<void> {
  // While this lock is held, no poll edits alerts, and nobody acknowledges any.
  await db
    .selectFrom('watches')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', watchId)
    .forUpdate()
    .execute();
  const waiting = await lockWaiting(db, { workspaceId, where: sql`thread_key = ${watchId}` });
  // A reply whose events a summary has shown already is merged only with others of that summary.
  for (const replies of Map.groupBy(waiting, ({ row }) => row.goes_before).values())
    await mergeReplies(db, replies);
}

/** Moves the events into as few replies as can hold them, whole replies at a time, and marks the others as merged. */
async function mergeReplies(db: Kysely<Schema>, waiting: readonly Waiting[]): Promise<void> {
  if (waiting.length < minToGroup) return;
  const groups = packReplies(waiting);
  let more = waiting.reduce((sum, { message }) => sum + message.events.length, 0);
  for (const [first, ...merged] of groups) {
    const all = [first, ...merged];
    more -= all.reduce((sum, { message }) => sum + message.events.length, 0);
    await rewrite(db, {
      row: first.row,
      message: merge(
        all.map(({ message }) => message),
        more,
      ),
    });
    await markMerged(
      db,
      first.row,
      merged.map(({ row }) => row.id),
    );
  }
}

/** Each group fits into one message. */
function packReplies(waiting: readonly Waiting[]): [Waiting, ...Waiting[]][] {
  const groups: [Waiting, ...Waiting[]][] = [];
  let room = 0;
  for (const one of waiting) {
    const size = one.message.events.length;
    const group = groups.at(-1);
    if (group && size <= room) group.push(one);
    else {
      groups.push([one]);
      room = eventsPerReply;
    }
    room -= size;
  }
  return groups;
}

async function markMerged(
  db: Kysely<Schema>,
  { id, workspace_id: workspaceId }: Waiting['row'],
  mergedIds: readonly string[],
): Promise<void> {
  if (mergedIds.length === 0) return;
  // A merged row has the id of the reply that took its events in its column `error`.
  await db
    .updateTable('outbox')
    .set({ status: 'merged', error: id })
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', mergedIds)
    .execute();
  await db
    .updateTable('alerts')
    .set({ message_id: id })
    .where('workspace_id', '=', workspaceId)
    .where('message_id', 'in', mergedIds)
    .execute();
}

/** `more`: the events of further replies. */
const merge = (messages: readonly Reply[], more: number): Reply => ({
  kind: 'reply',
  events: eventsInOrder(messages),
  // Several replies may name the same subject.
  subjects: [
    ...new Map(
      messages.flatMap(({ subjects }) => subjects.map((subject) => [columnsKey(subject), subject])),
    ).values(),
  ],
  place: messages.find(({ place }) => place !== 'thread')?.place ?? 'thread',
  more,
});

/** The order in which a message shows the events of its alerts. */
export const eventsInOrder = (alerts: readonly { events: readonly WatchEvent[] }[]): readonly WatchEvent[] =>
  criticalFirst(alerts.flatMap(({ events }) => events));

export const criticalFirst = (events: readonly WatchEvent[]): readonly WatchEvent[] => [
  ...events.filter(watchRules.isCritical),
  ...events.filter((event) => !watchRules.isCritical(event)),
];

async function rewrite(
  db: Kysely<Schema>,
  { row, message }: Waiting,
  changes: Updateable<Schema['outbox']> = {},
): Promise<void> {
  await db
    .updateTable('outbox')
    .set({ payload: JSON.stringify(message), is_in_channel: message.place !== 'thread', ...changes })
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
  // Its updates wait for it.
  const common = { id, workspaceId, threadKey: id, channelId, now, dueAt: realNow, isInChannel: true };
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
