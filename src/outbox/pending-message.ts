import type { Insertable } from 'kysely';
import type { Schema } from '../database/schema.ts';

export interface PendingMessage {
  /** Stands in the message's metadata, so that it can be found again in Slack. */
  id: string;
  workspaceId: string;
  watchId?: string | null;
  digestId?: string | null;
  channelId: string;
  /** JSON-able. */
  message: { kind: string };
  /** The domain clock. */
  now: Date;
  /** The real clock: what waits in the outbox waits for Slack. */
  realNow: Date;
}

/** A row of the outbox, to be written in the transaction of the change that it tells of. */
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
