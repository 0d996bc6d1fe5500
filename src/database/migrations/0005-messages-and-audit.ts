import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { acrossWorkspaces } from '../workspace-store.ts';
import { runStatements } from './0001-schema.ts';

/**
 * Answers that follow a digest were kept as Slack's blocks; now the words and cells of the answer are. The text of an old
 * one says all that its blocks show. Notices of the budget were for admins alone. The audit log says what is personal.
 */
export const messagesAndAudit = (): Migration => ({
  async up(db) {
    await runStatements(db, [
      'alter table audit add column is_personal integer not null default 0',
      `update audit set is_personal = 1 where channel_id like 'D%' or channel_id like 'U%' or channel_id like 'W%'
        /* across workspaces: migrations */`,
    ]);
    const { rows } = await sql<{ id: string; payload: unknown; created_at: unknown }>`
      ${acrossWorkspaces('migrations')} select id, payload, created_at from outbox
      where kind in ('digest-detail', 'budget-notice') and status in ('pending', 'sending')`.execute(db);
    for (const { id, payload, created_at } of rows) {
      const migrated = migratedPayload(payload, new Date(Number(created_at)));
      if (migrated === undefined) continue;
      await sql`${acrossWorkspaces('migrations')} update outbox set payload = ${migrated} where id = ${id}`.execute(
        db,
      );
    }
  },
});

/** Undefined for what can't be read: it stays, and its row fails alone. */
function migratedPayload(column: unknown, createdAt: Date): string | undefined {
  try {
    const { message, ...payload } = Object(typeof column === 'string' ? JSON.parse(column) : column);
    if (payload.kind === 'budget-notice') return JSON.stringify({ isForAdmin: true, ...payload });
    const words = Object(message).text;
    if (typeof words !== 'string') return undefined;
    const answer = { verdict: { strong: '', rest: { mrkdwn: words } } };
    const stored = { version: 1, line: payload.line, answer };
    return JSON.stringify({ ...payload, zone: 'UTC', ranAt: createdAt, stored });
  } catch {
    return undefined;
  }
}
