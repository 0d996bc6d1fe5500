import { inChunks } from '../../../database/in-chunks.ts';
import type { WorkspaceStore } from '../../../database/workspace-store.ts';

/** By the subject's id: the channels whose active watches follow it, sorted. Personal watches have none. */
export type ChannelsOf = ReadonlyMap<string, readonly string[]>;

/** Counted with each poll, since other watches may follow the subject later. */
export async function readChannels(
  store: WorkspaceStore,
  subjectIds: readonly string[],
): Promise<ChannelsOf> {
  const rows: { subject_id: string; channel_id: string }[] = [];
  for (const chunk of inChunks(subjectIds)) {
    const found = await store
      .selectFrom('followings')
      .innerJoin(...store.join('watches', 'watches.id', 'followings.watch_id'))
      .select(['subject_id', 'channel_id'])
      .distinct()
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
