import { type Kysely, sql } from 'kysely';
import type { Schema } from '../../database/schema.ts';
import type { Digest } from './digest.ts';

type Channel = Pick<Digest, 'workspaceId' | 'channelId'>;

/** Who adds to the channel waits: so two who do it at once get two numbers, and no more than there may be. */
export async function lockNumbers(db: Kysely<Schema>, { workspaceId, channelId }: Channel): Promise<void> {
  await db
    .insertInto('digest_numbers')
    .values({ workspace_id: workspaceId, channel_id: channelId, last: 0 })
    .onConflict((conflict) =>
      conflict.columns(['workspace_id', 'channel_id']).doUpdateSet({ last: sql`digest_numbers.last` }),
    )
    .execute();
}

/** Never one that was given before; after `lockNumbers`. */
export async function takeNumber(db: Kysely<Schema>, { workspaceId, channelId }: Channel): Promise<number> {
  const { last } = await db
    .updateTable('digest_numbers')
    .set({ last: sql`last + 1` })
    .where('workspace_id', '=', workspaceId)
    .where('channel_id', '=', channelId)
    .returning('last')
    .executeTakeFirstOrThrow();
  return last;
}

/** 0 before the first. */
export async function lastNumber(db: Kysely<Schema>, { workspaceId, channelId }: Channel): Promise<number> {
  const row = await db
    .selectFrom('digest_numbers')
    .select('last')
    .where('workspace_id', '=', workspaceId)
    .where('channel_id', '=', channelId)
    .executeTakeFirst();
  return row?.last ?? 0;
}
