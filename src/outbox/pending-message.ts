import type { Insertable } from 'kysely';
import type { Schema } from '../database/schema.ts';

export interface PendingMessage {
  /** Stored in the message's metadata, so that the message can be found in Slack. */
  id: string;
  workspaceId: string;
  watchId?: string | null;
  digestId?: string | null;
  channelId: string;
  /** JSON-able. */
  message: { kind: string };
  /** The domain clock. */
  now: Date;
  /** The real clock, which paces deliveries to Slack. */
  realNow: Date;
}

/** A row of the outbox, to be written in the same transaction as the change that it reports. */
export function pendingMessage(row: PendingMessage): Insertable<Schema['outbox']> {
  return {
    id: row.id,
    workspace_id: row.workspaceId,
    watch_id: row.watchId ?? null,
    digest_id: row.digestId ?? null,
    channel_id: row.channelId,
    kind: row.message.kind,
    payload: JSON.stringify(row.message),
    status: 'pending',
    created_at: row.now,
    attempted_at: null,
    ts: null,
    error: null,
    due_at: row.realNow,
    lease_until: null,
    lease_token: null,
    attempts: 0,
  };
}
