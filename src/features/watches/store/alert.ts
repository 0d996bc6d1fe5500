import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Schema } from '../../../database/schema.ts';
import type { WatchEvent } from '../../rules/list.ts';
import { watchRules } from '../../rules/registry.ts';

/** The assignee of a critical alert that nobody acknowledges for so long is reminded, once. */
export const reminderMinutes = 30;

/** Who did something, and when, on the domain clock. */
export interface DoneBy {
  by: string;
  at: Date;
}

/** What one poll found out about one subject of a watch: a reply in its thread, or a part of one. */
export interface Alert {
  id: string;
  watchId: string;
  /** The outbox row whose message shows it. */
  messageId: string;
  /** When the events were found out. */
  at: Date;
  /** When Slack took the message; null before that. */
  notifiedAt: Date | null;
  events: readonly WatchEvent[];
  isCritical: boolean;
  assignment: (DoneBy & { assigneeId: string }) | null;
  acknowledgement: DoneBy | null;
  /** It says nothing any more, and nobody was assigned to it. */
  isClosed: boolean;
}

export const alertEvents = z.array(watchRules.event).readonly();

/** Throws ZodError if a later version wrote it. */
export function readAlert(row: Selectable<Schema['alerts']>): Alert {
  const { assignee_id: assigneeId, assigned_by, assigned_at, acknowledged_by, acknowledged_at } = row;
  return {
    id: row.id,
    watchId: row.watch_id,
    messageId: row.message_id,
    at: row.at,
    notifiedAt: row.notified_at,
    events: alertEvents.parse(row.events),
    isCritical: row.is_critical,
    assignment:
      assigneeId && assigned_by && assigned_at ? { assigneeId, by: assigned_by, at: assigned_at } : null,
    acknowledgement: acknowledged_by && acknowledged_at ? { by: acknowledged_by, at: acknowledged_at } : null,
    isClosed: row.closed_at !== null,
  };
}

/** Those that can be read: one bad row must not hide the others. */
export function readableAlerts(rows: readonly Selectable<Schema['alerts']>[]): Alert[] {
  return rows.flatMap((row) => (alertEvents.safeParse(row.events).success ? [readAlert(row)] : []));
}
