import { sql } from 'kysely';
import { inChunks } from '../../database/batches.ts';
import type { WorkspaceStore } from '../../database/workspace-store.ts';
import { pendingMessage, type QueueContext } from '../../outbox/outgoing-message.ts';
import {
  disputeKey,
  endDispute,
  imosIn,
  vesselStates,
  type WatchEvent,
  type WatchState,
  watchRules,
} from '../rules/index.ts';
import { closeAlertsOfVessels, readableAlerts } from './alert.ts';
import { type ReplyUpdate, reply, summary } from './messages.ts';
import { summaryItems } from './replies.ts';

interface AlertEdit {
  watchId: string;
  editKey: string;
  /** All that the alert says from now on. */
  events: readonly WatchEvent[];
  /** The alert isn't edited again: the next one with this key is a new reply. */
  isLast?: boolean;
}

/**
 * Gives the alert with this key new events, and queues an update of the messages that show it, which notifies nobody.
 * A reply that isn't sent yet is changed before it goes out. False if there is no such alert or no such reply. The
 * transaction must hold a lock on the watch, as a poll does.
 */
export async function editAlert(
  store: WorkspaceStore,
  edit: AlertEdit,
  context: QueueContext,
): Promise<boolean> {
  const { watchId, editKey, events, isLast = false } = edit;
  const alert = await store
    .selectFrom('alerts')
    .select(['id', 'message_id'])
    .where('watch_id', '=', watchId)
    .where('edit_key', '=', editKey)
    .executeTakeFirst();
  if (!alert) return false;
  const shown = await lockMessage(store, alert.message_id);
  const { data: message } = reply.safeParse(shown?.payload);
  if (!shown || !message || shown.status === 'failed') return false;
  await store
    .updateTable('alerts')
    .set({
      events: JSON.stringify(events),
      is_critical: events.some(watchRules.isCritical),
      at: context.now,
      ...(isLast && { edit_key: null }),
    })
    .where('id', '=', alert.id)
    .execute();
  await setPayload(store, shown.id, { ...message, events: await readEvents(store, shown.id) });
  if (shown.goes_before !== null) await editSummary(store, shown.goes_before);
  // Nobody has begun to send it, so it goes out as it is now.
  const isUntouched =
    shown.status === 'pending' &&
    shown.attempted_at === null &&
    shown.lease_token === null &&
    shown.goes_before === null;
  if (!isUntouched) await queueReplyUpdates(store, [shown.id], context);
  return true;
}

/**
 * Ends the disputes of vessels that a watch doesn't follow any more, and closes their alerts, since no poll will do it.
 * The transaction must hold a lock on the watch.
 */
export async function endAlerts(
  store: WorkspaceStore,
  { watchId, state }: { watchId: string; state: WatchState },
  context: QueueContext,
): Promise<void> {
  const { now } = context;
  const imos = imosIn(state);
  for (const imo of imos) {
    const dispute = vesselStates(state)[imo]?.dispute;
    if (!dispute) continue;
    const event = endDispute(dispute, { imo, ranked: [], now }, 'over');
    const alert = { watchId, editKey: disputeKey(event) };
    await editAlert(store, { ...alert, events: [event], isLast: true }, context);
  }
  await closeAlertsOfVessels(store, { watchId, imos }, { now });
}

/** The summary in the channel shows the events of its members. */
async function editSummary(store: WorkspaceStore, summaryId: string): Promise<void> {
  const row = await lockMessage(store, summaryId);
  const { data: message } = summary.safeParse(row?.payload);
  if (!message) return;
  const rows = await store
    .selectFrom('outbox')
    .select(['thread_key', 'payload'])
    .where('id', 'in', message.members)
    .where('status', '<>', 'merged')
    .orderBy('sequence')
    .execute();
  const members = rows.flatMap(({ thread_key: watchId, payload }) => {
    const { data } = reply.safeParse(payload);
    return data && watchId !== null ? [{ watchId, message: data }] : [];
  });
  const titles = new Map(message.items.map(({ watchId, title }) => [watchId, title]));
  const items = summaryItems(members, titles);
  await setPayload(store, summaryId, { ...message, items });
}

async function readEvents(store: WorkspaceStore, messageId: string): Promise<readonly WatchEvent[]> {
  const rows = await store
    .selectFrom('alerts')
    .innerJoin(...store.join('outbox', 'outbox.id', 'alerts.id'))
    .selectAll('alerts')
    .where('alerts.message_id', '=', messageId)
    .orderBy('outbox.sequence')
    .execute();
  return readableAlerts(rows).flatMap(({ events }) => events);
}

const lockMessage = (store: WorkspaceStore, id: string) =>
  store
    .selectFrom('outbox')
    .select(['id', 'payload', 'status', 'attempted_at', 'lease_token', 'goes_before'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();

async function setPayload(store: WorkspaceStore, id: string, payload: object): Promise<void> {
  await store
    .updateTable('outbox')
    .set({ payload: JSON.stringify(payload) })
    .where('id', '=', id)
    .execute();
}

/** Queues an update of each of these replies, and of the summaries that show them, unless one is waiting already. */
export async function queueReplyUpdates(
  store: WorkspaceStore,
  messageIds: readonly string[],
  { newId, now, realNow }: QueueContext,
): Promise<void> {
  const replies = await readRows(store, messageIds);
  const summaryIds = [...new Set(replies.flatMap(({ goes_before }) => goes_before ?? []))];
  const summaries = await readRows(store, summaryIds);
  const rows = [...replies, ...summaries].map(
    ({ id: messageId, thread_key: threadKey, channel_id: channelId }) => {
      const message: ReplyUpdate = { kind: 'reply-update', messageId };
      return pendingMessage({ id: newId(), threadKey, channelId, message, now, dueAt: realNow });
    },
  );
  for (const chunk of inChunks(rows)) {
    await store
      .insertInto('outbox', chunk)
      .onConflict((conflict) =>
        conflict
          .column('payload')
          .where(sql<boolean>`kind = 'reply-update' and status = 'pending'`)
          // Changes nothing, but locks the waiting update: nobody renders it before this transaction ends.
          .doUpdateSet({ due_at: sql`outbox.due_at` })
          .where(store.isOwn('outbox')),
      )
      .execute();
  }
}

async function readRows(store: WorkspaceStore, ids: readonly string[]) {
  if (ids.length === 0) return [];
  return await store
    .selectFrom('outbox')
    .select(['id', 'thread_key', 'channel_id', 'goes_before'])
    .where('id', 'in', ids)
    // All transactions write updates in this order, which prevents deadlocks.
    .orderBy('id')
    .execute();
}
