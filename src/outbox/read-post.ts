import type { Kysely, Selectable } from 'kysely';
import type { Schema } from '../database/schema.ts';
import { readWatch } from '../features/watches/store/watch.ts';
import { outgoing } from './outbox-rows.ts';
import type { Post } from './poster.ts';

/** Undefined when its watch is gone: then the row is gone too. Throws ZodError for what can't be read. */
export async function readPost(
  db: Kysely<Schema>,
  row: Selectable<Schema['outbox']>,
): Promise<Post | undefined> {
  const watch = row.watch_id
    ? await db.selectFrom('watches').selectAll().where('id', '=', row.watch_id).executeTakeFirst()
    : undefined;
  if (row.watch_id && !watch) return undefined;
  const message = outgoing.parse(row.payload);
  const threadTs = message.kind === 'digest-detail' ? await tsOf(db, message.parent) : undefined;
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    channelId: row.channel_id,
    message,
    createdAt: row.created_at,
    watch: watch ? readWatch(watch) : null,
    members: message.kind === 'summary' ? await readMembers(db, message.members) : [],
    ...(threadTs !== undefined && { threadTs }),
    isPossiblyRepeated: false,
  };
}

async function tsOf(db: Kysely<Schema>, id: string): Promise<string | undefined> {
  const row = await db.selectFrom('outbox').select('ts').where('id', '=', id).executeTakeFirst();
  return row?.ts ?? undefined;
}

async function readMembers(db: Kysely<Schema>, ids: readonly string[]): Promise<Post['members']> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('outbox')
    .select(['watch_id', 'ts'])
    .where('id', 'in', [...ids])
    .execute();
  return rows.flatMap(({ watch_id, ts }) => (watch_id && ts ? [{ watchId: watch_id, ts }] : []));
}
