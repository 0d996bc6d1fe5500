import type { Database } from '../../src/database/connect.ts';
import { watchMessage } from '../../src/features/watches/messages/messages.ts';
import type { Imo } from '../../src/reference/codes.ts';
import { direct } from './statements/direct.ts';

export const portChange = (watchId: string | null, imo: Imo, was: string, next: string): string =>
  `${watchId} ${imo} ${was} → ${next}`;

/** All sent events as text (see `portChange`), sorted. */
export async function sentEvents({ db }: Database): Promise<string[]> {
  const rows = await direct(db)
    .selectFrom('outbox')
    .select(['thread_key', 'payload'])
    .where('kind', '=', 'reply')
    .where('status', '=', 'sent')
    .execute();
  const events = rows.flatMap(({ thread_key, payload }) => {
    const message = watchMessage.parse(payload);
    return message.kind === 'reply' ? message.events.map((event) => ({ thread_key, event })) : [];
  });
  return events
    .map(({ thread_key, event }) =>
      event.kind === 'diverted'
        ? portChange(thread_key, event.imo, event.was.port, event.next.port)
        : `${thread_key} ${event.kind}`,
    )
    .sort();
}

/** The ids of all replies, sent or not, sorted. */
export async function replyIds({ db }: Database): Promise<string[]> {
  const rows = await direct(db).selectFrom('outbox').select('id').where('kind', '=', 'reply').execute();
  return rows.map(({ id }) => id).sort();
}

export async function unsentCount({ db }: Database): Promise<number> {
  const rows = await direct(db)
    .selectFrom('outbox')
    .select('id')
    .where('status', 'in', ['pending', 'sending'])
    .execute();
  return rows.length;
}
