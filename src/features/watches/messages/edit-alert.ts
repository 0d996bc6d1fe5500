import type { WorkspaceStore } from '../../../database/workspace-store.ts';
import type { WatchEvent } from '../../rules/list.ts';
import { watchRules } from '../../rules/registry.ts';
import { readableAlerts } from '../store/alert.ts';
import { summaryItems } from './group-replies.ts';
import { reply, summary } from './messages.ts';
import { queueReplyUpdates } from './reply-updates.ts';

interface AlertEdit {
  watchId: string;
  editKey: string;
  /** All that the alert says from now on. */
  events: readonly WatchEvent[];
  /** The alert isn't edited again: the next one with this key is a new reply. */
  isLast?: boolean;
}

interface EditContext {
  newId: () => string;
  now: Date;
  realNow: Date;
}

/**
 * Gives the alert with this key new events, and queues an update of the messages that show it, which notifies nobody.
 * A reply that isn't sent yet is changed before it goes out. False if there is no such alert or no such reply. The
 * transaction must hold a lock on the watch, as a poll does.
 */
export async function editAlert(
  store: WorkspaceStore,
  edit: AlertEdit,
  context: EditContext,
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
