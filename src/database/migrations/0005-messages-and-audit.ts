import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { acrossWorkspaces } from '../workspace-store.ts';
import { runStatements } from './0001-schema.ts';

/**
 * What digests send was kept as Slack's blocks and markup; now the words and cells of the answers are. The text of an old
 * answer says all that its blocks show. Notices of the budget were for admins alone. What digests compare has another
 * shape: the next one is a first one, and says so. The audit log says what is personal.
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
      where kind in ('digest', 'digest-detail', 'budget-notice') and status in ('pending', 'sending')`.execute(
      db,
    );
    for (const { id, payload, created_at } of rows) {
      const migrated = migratedPayload(payload, new Date(Number(created_at)));
      if (migrated === undefined) continue;
      await sql`${acrossWorkspaces('migrations')} update outbox set payload = ${migrated} where id = ${id}`.execute(
        db,
      );
    }
    await sql`${acrossWorkspaces('migrations')} update digests set baseline = null`.execute(db);
  },
});

/** Undefined for what can't be read: it stays, and its row fails alone. */
function migratedPayload(column: unknown, createdAt: Date): string | undefined {
  try {
    const { message, ...payload } = Object(typeof column === 'string' ? JSON.parse(column) : column);
    if (payload.kind === 'budget-notice') return JSON.stringify({ isForAdmin: true, ...payload });
    if (payload.kind === 'digest') {
      const reports = payload.reports.map(({ brief, ...report }: { brief?: string[]; line: string }) =>
        brief ? { ...report, brief: brief.length > 0 ? stored(report.line, brief) : null } : report,
      );
      return JSON.stringify({ ...payload, reports });
    }
    const words = Object(message).text;
    if (typeof words !== 'string') return undefined;
    const answer = stored(payload.line, words.split('\n'));
    return JSON.stringify({ ...payload, zone: 'UTC', ranAt: createdAt, stored: answer });
  } catch {
    return undefined;
  }
}

function stored(line: string, mrkdwn: readonly string[]) {
  const [rest, ...lines] = mrkdwn.map(plain);
  return { version: 1, line, answer: { verdict: { strong: '', rest, lines } } };
}

/** A link has its label left, a time what programs show of it. */
const plain = (mrkdwn: string): string =>
  mrkdwn
    .replace(/<[^|>]*\|([^>]*)>/g, '$1')
    .replace(/<#[^>]*>/g, 'a channel')
    .replace(/<@[^>]*>/g, 'somebody')
    .replaceAll('`', '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
