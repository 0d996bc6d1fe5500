import type { Kysely } from 'kysely';
import type { Schema } from '../../../database/schema.ts';
import { type Imo, isImo } from '../../../reference/imo.ts';
import { type Following, listWatches } from './watch-list.ts';

/** What the card at the head of a thread is about: its vessels, those of a list or of a port as last notified. None of any other thread. */
export async function vesselsOfCard(
  db: Kysely<Schema>,
  card: { workspaceId: string; channelId: string; cardTs: string },
): Promise<Imo[]> {
  const { watches } = await listWatches(db, card, { limit: 1 });
  return [...new Set((watches[0]?.followings ?? []).flatMap(vesselsOfFollowing))];
}

/** Those of a list or of a port as last notified. */
export function vesselsOfFollowing({ subject, state }: Following): Imo[] {
  if (subject.kind === 'vessel') return [subject.imo];
  if (state?.kind === 'vessels') return Object.keys(state.vessels).map(Number).filter(isImo);
  return state?.expected?.map(({ imo }) => imo) ?? [];
}
