import { type Kysely, sql } from 'kysely';
import type { Schema } from '../../src/database/schema.ts';
import { direct } from './statements/direct.ts';

/** As if Slack had taken all pending messages of watches now; without `now`, each when its change was found out. */
export async function sendReplies(db: Kysely<Schema>, now?: Date): Promise<void> {
  await direct(db)
    .updateTable('alerts')
    .set(({ ref }) => ({ notified_at: now ?? ref('at') }))
    .where('notified_at', 'is', null)
    .where(sql<boolean>`message_id in (select id from outbox where status = 'pending')`)
    .execute();
  await direct(db).updateTable('outbox').set({ status: 'sent' }).where('status', '=', 'pending').execute();
}
