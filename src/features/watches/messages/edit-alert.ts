import type { Kysely } from 'kysely';
import type { Schema } from '../../../database/schema.ts';
import type { WatchEvent } from '../rules/index.ts';
import { watchRules } from '../rules/registry.ts';
import { readableAlerts } from '../store/alert.ts';
import { summaryItems } from './group-replies.ts';
import { reply, summary } from './messages.ts';
import { queueReplyUpdates } from './reply-updates.ts';

interface AlertEdit {
  workspaceId: string;
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
export async function editAlert(db: Kysely<Schema>, edit: AlertEdit, context: EditContext): Promise<boolean> {
  const { workspaceId, watchId, editKey, events, isLast = false } = edit;
  const alert = await db
    .selectFrom('alerts')
    .select(['id', 'message_id'])
    .where('workspace_id', '=', workspaceId)
    .where('watch_id', '=', watchId)
    .where('edit_key', '=', editKey)
    .executeTakeFirst();
  if (!alert) return false;
  const shown = await lockMessage(db, { workspaceId, id: alert.message_id });
  const { data: message } = reply.safeParse(shown?.payload);
  if (!shown || !message || shown.status === 'failed') return false;
  await db
    .updateTable('alerts')
    .set({
      events: JSON.stringify(events),
      is_critical: events.some(watchRules.isCritical),
      at: context.now,
      ...(isLast && { edit_key: null }),
    })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', alert.id)
    .execute();
  await setPayload(db, {
    workspaceId,
    id: shown.id,
    payload: { ...message, events: await readEvents(db, { workspaceId, messageId: shown.id }) },
  });
  if (shown.goes_before !== null) await editSummary(db, { workspaceId, summaryId: shown.goes_before });
  // Nobody has begun to send it, so it goes out as it is now.
  const isUntouched =
    shown.status === 'pending' &&
    shown.attempted_at === null &&
    shown.lease_token === null &&
    shown.goes_before === null;
  if (!isUntouched) await queueReplyUpdates(db, [shown.id], { workspaceId, ...context });
  return true;
}

/** The summary in the channel shows the events of its members. */
async function editSummary(
  db: Kysely<Schema>,
  { workspaceId, summaryId }: { workspaceId: string; summaryId: string },
): Promise<void> {
  const row = await lockMessage(db, { workspaceId, id: summaryId });
  const { data: message } = summary.safeParse(row?.payload);
  if (!message) return;
  const rows = await db
    .selectFrom('outbox')
    .select(['thread_key', 'payload'])
    .where('workspace_id', '=', workspaceId)
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
  await setPayload(db, { workspaceId, id: summaryId, payload: { ...message, items } });
}

async function readEvents(
  db: Kysely<Schema>,
  { workspaceId, messageId }: { workspaceId: string; messageId: string },
): Promise<readonly WatchEvent[]> {
  const rows = await db
    .selectFrom('alerts')
    .innerJoin('outbox', (join) =>
      join.onRef('outbox.workspace_id', '=', 'alerts.workspace_id').onRef('outbox.id', '=', 'alerts.id'),
    )
    .selectAll('alerts')
    .where('alerts.workspace_id', '=', workspaceId)
    .where('alerts.message_id', '=', messageId)
    .orderBy('outbox.sequence')
    .execute();
  return readableAlerts(rows).flatMap(({ events }) => events);
}

const lockMessage = (db: Kysely<Schema>, { workspaceId, id }: { workspaceId: string; id: string }) =>
  db
    .selectFrom('outbox')
    .select(['id', 'payload', 'status', 'attempted_at', 'lease_token', 'goes_before'])
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();

async function setPayload(
  db: Kysely<Schema>,
  { workspaceId, id, payload }: { workspaceId: string; id: string; payload: object },
): Promise<void> {
  await db
    .updateTable('outbox')
    .set({ payload: JSON.stringify(payload) })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute();
}
