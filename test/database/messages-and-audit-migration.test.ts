import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { toMessage } from '../../src/answers/slack/render.ts';
import { readStored } from '../../src/answers/stored.ts';
import { connectDatabase } from '../../src/database/connect.ts';
import { migrate } from '../../src/database/migrate.ts';
import { storeOf } from '../../src/database/workspace-store.ts';
import { digestDetail } from '../../src/features/digests/digest.ts';
import { budgetNotice } from '../../src/features/polling/call-plan.ts';
import { createAuditLog } from '../../src/workspaces/audit.ts';
import { direct } from '../support/statements/direct.ts';
import { workspaceId } from '../support/store-engines.ts';
import { createStoreLogger } from '../support/store-logger.ts';
import { reader } from '../support/view-fixtures.ts';
import { hour } from '../support/watch-story.ts';

test('what an older version left to be sent can be sent: answers in their words, notices of the budget; the audit log says what is personal; the rest stays', async () => {
  const database = await connectDatabase({ logger: createStoreLogger(), migrateTo: 'none' });
  await migrate(database, '0004-watched-times');
  const db = direct(database.db);
  const old = { kind: 'digest-detail', parent: 'D1', destination: 'channel', line: 'portcalls NLRTM' };
  const plan = { plannedCalls: 1_304, dailyCalls: 1_000, stretch: 1.4, users: [] };
  const message = { text: 'Rotterdam: 2 vessels &amp; more', blocks: [{ type: 'divider' }] };
  const rows = [
    ['waits', 'pending', JSON.stringify({ ...old, isInternal: true, message })],
    ['sent', 'sent', JSON.stringify({ ...old, message })],
    ['broken', 'pending', '{'],
    ['budget', 'pending', JSON.stringify({ kind: 'budget-notice', ...plan })],
  ] as const;
  await sql`insert into workspaces (id, name, created_at) values (${workspaceId}, 'Test', ${hour(0)})`.execute(
    db,
  );
  for (const [id, status, payload] of rows)
    await sql`insert into outbox
      (id, workspace_id, channel_id, kind, payload, is_in_channel, status, created_at, due_at, attempts) values
      (${id}, ${workspaceId}, 'C1', ${id === 'budget' ? 'budget-notice' : 'digest-detail'}, ${payload}, 0, ${status}, ${hour(0)}, ${hour(0)}, 0)`.execute(
      db,
    );
  for (const [id, channel] of [
    ['of a watch', 'D1'],
    ['of a digest', 'U1'],
    ['in a channel', 'C1'],
    ['a name', null],
  ])
    await sql`insert into audit (id, workspace_id, at, actor_id, action, subject, channel_id)
      values (${id}, ${workspaceId}, ${hour(0)}, 'U1', 'watch.add', 'x', ${channel})`.execute(db);
  await migrate({ ...database, db });

  const found = await sql<{ id: string; payload: unknown }>`
    select id, payload from outbox where workspace_id = ${workspaceId}`.execute(db);
  const payloads = new Map(found.rows.map(({ id, payload }) => [id, payload]));
  expect(payloads.get('sent')).toEqual(JSON.parse(rows[1][2]));
  const { stored, ...migrated } = digestDetail.parse(payloads.get('waits'));
  expect(migrated).toEqual({ ...old, isInternal: true, zone: 'UTC', ranAt: hour(0) });
  expect(toMessage(readStored(stored), { line: stored.line, reader, lineOf: () => undefined })).toMatchObject(
    {
      text: message.text,
    },
  );
  expect(budgetNotice.parse(payloads.get('budget'))).toMatchObject({ ...plan, isForAdmin: true });
  const log = createAuditLog(storeOf(database.db, workspaceId));
  const { changes } = await log.list({}, { limit: 9 });
  expect(changes.flatMap(({ id, isPersonal }) => (isPersonal ? id : [])).sort()).toEqual([
    'of a digest',
    'of a watch',
  ]);
  await database.close();
});
