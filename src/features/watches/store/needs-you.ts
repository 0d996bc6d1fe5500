import { type Selectable, sql } from 'kysely';
import type { Schema } from '../../../database/schema.ts';
import type { WorkspaceStore } from '../../../database/workspace-store.ts';
import { type Alert, readableAlerts } from './alert.ts';

/** An open alert, with its watch. */
export interface AlertOfWatch {
  alert: Alert;
  /** Its stored title. */
  title: string;
  channelId: string;
  /** The message that shows it; null while it isn't sent. */
  ts: string | null;
  /** The person owns the watch. */
  isOwn: boolean;
  isAssigned: boolean;
}

/** More than anybody has an eye for. */
const maxRead = 200;

type Row = Selectable<Schema['alerts']> & {
  title: string;
  channel_id: string;
  owner_id: string;
  ts: string | null;
};

/** The open alerts assigned to a person, then those of the watches that they own; critical and newest first. */
export async function readOpenAlerts(store: WorkspaceStore, userId: string): Promise<AlertOfWatch[]> {
  const { rows } = await sql<Row>`
    with open (id) as (
      select id from alerts
      where ${store.isOwn('alerts')} and assignee_id = ${userId} and acknowledged_at is null
      union
      select alerts.id from watches join alerts on alerts.watch_id = watches.id
      where ${store.isOwn('watches')} and ${store.isOwn('alerts')}
        and owner_id = ${userId} and acknowledged_at is null and closed_at is null
    )
    select alerts.*, watches.title, watches.channel_id, watches.owner_id, outbox.ts
    from open
    join alerts on ${store.isOwn('alerts')} and alerts.id = open.id
    join watches on ${store.isOwn('watches')} and watches.id = alerts.watch_id
    left join outbox on ${store.isOwn('outbox')} and outbox.id = alerts.message_id
    order by case when assignee_id = ${userId} then 0 else 1 end, is_critical desc, alerts.at desc, alerts.id
    limit ${maxRead}`.execute(store);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return readableAlerts(rows).flatMap((alert) => {
    const row = byId.get(alert.id);
    if (!row) return [];
    const { title, channel_id: channelId, owner_id, ts } = row;
    const isAssigned = alert.assignment?.assigneeId === userId;
    return [{ alert, title, channelId, ts, isOwn: owner_id === userId, isAssigned }];
  });
}
