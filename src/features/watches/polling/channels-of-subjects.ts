import type { Kysely } from 'kysely';
import { inChunks } from '../../../database/in-chunks.ts';
import type { Schema } from '../../../database/schema.ts';

/** By the subject's id: the channels whose active watches follow it, sorted. Personal watches have none. */
export type ChannelsOf = ReadonlyMap<string, readonly string[]>;

/** Counted with each poll, since other watches may follow the subject later. */
export async function readChannels(
  db: Kysely<Schema>,
  { workspaceId, subjectIds }: { workspaceId: string; subjectIds: readonly string[] },
): Promise<ChannelsOf> {
  const rows: { subject_id: string; channel_id: string }[] = [];
  for (const chunk of inChunks(subjectIds)) {
    const found = await db
      .selectFrom('followings')
      .innerJoin('watches', (join) =>
        join
          .onRef('watches.workspace_id', '=', 'followings.workspace_id')
          .onRef('watches.id', '=', 'followings.watch_id'),
      )
      .select(['subject_id', 'channel_id'])
      .distinct()
      .where('followings.workspace_id', '=', workspaceId)
      .where('subject_id', 'in', chunk)
      .where('destination', '=', 'channel')
      .where('status', '=', 'active')
      .execute();
    rows.push(...found);
  }
  return new Map(
    [...Map.groupBy(rows, ({ subject_id }) => subject_id)].map(([id, of]) => [
      id,
      of.map(({ channel_id }) => channel_id).sort(),
    ]),
  );
}
