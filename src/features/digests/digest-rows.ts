import type { Insertable, Updateable } from 'kysely';
import type { Schema } from '../../database/schema.ts';
import type { Digest } from './digest.ts';
import { nextRun } from './next-run.ts';

export interface NewDigest
  extends Pick<
    Digest,
    | 'workspaceId'
    | 'channelId'
    | 'destination'
    | 'ownerId'
    | 'title'
    | 'lines'
    | 'schedule'
    | 'zone'
    | 'onlyNews'
  > {
  /** The same for what is asked for once and delivered several times. */
  id?: string;
}

/** What people change of it. */
export type DigestChange = Partial<
  Pick<Digest, 'title' | 'lines' | 'schedule' | 'zone' | 'onlyNews' | 'ownerId'>
>;

export function toRow(
  digest: NewDigest,
  { id, number, now }: { id: string; number: number; now: Date },
): Insertable<Schema['digests']> {
  return {
    id,
    workspace_id: digest.workspaceId,
    channel_id: digest.channelId,
    destination: digest.destination,
    number,
    owner_id: digest.ownerId,
    title: digest.title,
    lines: JSON.stringify(digest.lines),
    schedule: JSON.stringify(digest.schedule),
    zone: digest.zone,
    only_news: digest.onlyNews,
    status: 'active',
    pause_reason: null,
    baseline: null,
    missed: null,
    last_run_at: null,
    created_at: now,
    due_at: nextRun(digest.schedule, digest.zone, now),
    lease_until: null,
    lease_token: null,
    attempts: 0,
  };
}

export function columnsOf({
  title,
  lines,
  schedule,
  zone,
  onlyNews,
  ownerId,
}: DigestChange): Updateable<Schema['digests']> {
  return {
    ...(title !== undefined && { title }),
    ...(lines !== undefined && { lines: JSON.stringify(lines) }),
    ...(schedule !== undefined && { schedule: JSON.stringify(schedule) }),
    ...(zone !== undefined && { zone }),
    ...(onlyNews !== undefined && { only_news: onlyNews }),
    ...(ownerId !== undefined && { owner_id: ownerId }),
  };
}

/** What the audit log says of a digest. */
export function settingsOf({ ownerId, title, lines, schedule, zone, onlyNews, status }: Digest) {
  return { ownerId, title, lines, schedule, zone, onlyNews, status };
}
