import { z } from 'zod';
import type { StoredDestination } from '../../../answers/message.ts';
import type { WorkspaceStore } from '../../../database/workspace-store.ts';
import type { OutboxRow } from '../../../outbox/outgoing-message.ts';
import { type Alert, readableAlerts } from '../store/alert.ts';
import { readWatch, type Watch } from '../store/watch.ts';
import { reply, summary, type WatchMessage } from './messages.ts';

/** A message that is about to be sent, or to be shown again. */
export interface WatchPost<M extends WatchMessage = WatchMessage> {
  channelId: string;
  /** Where the watches that it is about are. */
  destination: StoredDestination;
  /** Of these watches, or of the first of them. */
  owner?: string;
  /** The id of its outbox row. */
  id: string;
  message: M;
  /** When the message was queued, on the domain clock. */
  createdAt: Date;
  /** When Slack took the message, if it is shown again. */
  sentAt: Date | null;
  /** Null if the message is about no watch, or about several. */
  watch: Watch | null;
  /** The posted replies that a summary links to. */
  members: { watchId: string; ts: string }[];
  /** The alerts that a reply or a summary shows, oldest first. */
  alerts: readonly Alert[];
}

/** Undefined if the watch is gone. */
export async function readPost<M extends WatchMessage>(
  store: WorkspaceStore,
  message: M,
  row: OutboxRow,
): Promise<WatchPost<M> | undefined> {
  const { id, channel_id: channelId, created_at: createdAt } = row;
  // The thread of a summary is its own.
  const watchId = message.kind === 'summary' ? null : row.thread_key;
  const watch = watchId === null ? null : await findWatch(store, watchId);
  if (watch === undefined) return undefined;
  const [item] = message.kind === 'summary' ? message.items : [];
  // All watches of a summary are in the same place.
  const about = item && (await findWatch(store, item.watchId));
  const memberIds = message.kind === 'summary' ? message.members : [];
  const alerts = await readAlerts(store, alertsIn(message, { id, memberIds }));
  const [sentAt = null] = alerts.flatMap(({ notifiedAt }) => notifiedAt ?? []);
  return {
    channelId,
    ...placeOf(watch ?? about),
    id,
    message,
    createdAt,
    sentAt: row.status === 'sent' ? (sentAt ?? createdAt) : null,
    watch,
    members: await readMembers(store, memberIds),
    alerts,
  };
}

/** A reply or summary that is in Slack, to be shown again. Undefined if it isn't, or if its watch is gone. */
export async function findShown(store: WorkspaceStore, id: string) {
  const row = await store
    .selectFrom('outbox')
    .selectAll()
    .where('id', '=', id)
    .where('status', '=', 'sent')
    .executeTakeFirst();
  if (!row) return undefined;
  const message = z.discriminatedUnion('kind', [reply, summary]).parse(row.payload);
  const post = await readPost(store, message, row);
  return post && { row, post };
}

async function findWatch(store: WorkspaceStore, id: string): Promise<Watch | undefined> {
  const row = await store.selectFrom('watches').selectAll().where('id', '=', id).executeTakeFirst();
  return row && readWatch(row);
}

/** The alerts with these ids, or those that these messages show. */
function alertsIn(message: WatchMessage, shown: { id: string; memberIds: readonly string[] }) {
  switch (message.kind) {
    case 'reply':
      return { by: 'message_id', ids: [shown.id] } as const;
    case 'assignment':
      return { by: 'id', ids: message.alertIds } as const;
    case 'alert-reminder':
      return { by: 'id', ids: [message.alertId] } as const;
    default:
      return { by: 'message_id', ids: shown.memberIds } as const;
  }
}

async function readAlerts(
  store: WorkspaceStore,
  { by, ids }: { by: 'id' | 'message_id'; ids: readonly string[] },
): Promise<Alert[]> {
  if (ids.length === 0) return [];
  const rows = await store
    .selectFrom('alerts')
    .selectAll()
    .where(by, 'in', ids)
    .orderBy('at')
    .orderBy('id')
    .execute();
  return readableAlerts(rows);
}

/** The posted replies that a summary links to. */
async function readMembers(store: WorkspaceStore, ids: readonly string[]): Promise<WatchPost['members']> {
  if (ids.length === 0) return [];
  const rows = await store.selectFrom('outbox').select(['thread_key', 'ts']).where('id', 'in', ids).execute();
  return rows.flatMap(({ thread_key, ts }) => (thread_key && ts ? [{ watchId: thread_key, ts }] : []));
}

const placeOf = (watch: Watch | undefined): Pick<WatchPost, 'destination' | 'owner'> =>
  watch ? { destination: watch.destination, owner: watch.ownerId } : { destination: 'channel' };
