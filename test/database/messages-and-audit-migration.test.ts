import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { toMessage, toReply } from '../../src/answers/slack/render.ts';
import { readStored } from '../../src/answers/stored.ts';
import { connectDatabase } from '../../src/database/connect.ts';
import { migrate } from '../../src/database/migrate.ts';
import { storeOf } from '../../src/database/workspace-store.ts';
import { digestDetail, digestMessage } from '../../src/features/digests/digest.ts';
import { digestAnswer } from '../../src/features/digests/message.ts';
import { budgetNotice } from '../../src/features/polling/call-plan.ts';
import { createAuditLog } from '../../src/workspaces/audit.ts';
import { direct } from '../support/statements/direct.ts';
import { workspaceId } from '../support/store-engines.ts';
import { createStoreLogger } from '../support/store-logger.ts';
import { reader } from '../support/view-fixtures.ts';
import { hour } from '../support/watch-story.ts';

test('what an older version left to be sent can be sent: digests and answers in their words, notices of the budget; the audit log says what is personal; the rest stays', async () => {
  const database = await connectDatabase({ logger: createStoreLogger(), migrateTo: 'none' });
  await migrate(database, '0004-watched-times');
  const db = direct(database.db);
  const old = { kind: 'digest-detail', parent: 'D1', destination: 'channel', line: 'portcalls NLRTM' };
  const plan = { plannedCalls: 1_304, dailyCalls: 1_000, stretch: 1.4, users: [] };
  const message = { text: 'Rotterdam: 2 vessels &amp; more', blocks: [{ type: 'divider' }] };
  const answered = {
    kind: 'answered',
    line: 'usage',
    hasDetail: false,
    isForecast: false,
    isInternal: false,
  };
  const report = { ...answered, isUnchanged: false, hasNews: true };
  const brief = [
    'October &amp; `all` <https://a.slack.com/p1|of it>',
    '🟠 from <!date^1^{time}|1 Oct 08:00 UTC>',
  ];
  const digest = {
    ...{ kind: 'digest', digestId: 'D1', number: 1, title: 'Morning', ownerId: 'U1', destination: 'channel' },
    ...{
      zone: 'UTC',
      scheduledFor: null,
      ranAt: hour(0),
      nextRunAt: null,
      since: hour(-24),
      news: [],
      missed: null,
    },
    reports: [
      { ...report, brief },
      { ...report, brief: [] },
      { kind: 'failed', line: 'usage', reason: 'No answer', ref: '7K3F' },
    ],
  };
  const rows = [
    ['digest', 'pending', JSON.stringify(digest)],
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
      (${id}, ${workspaceId}, 'C1', ${{ budget: 'budget-notice', digest: 'digest' }[id as string] ?? 'digest-detail'}, ${payload}, 0, ${status}, ${hour(0)}, ${hour(0)}, 0)`.execute(
      db,
    );
  await sql`insert into digests
    (id, workspace_id, channel_id, destination, number, owner_id, title, lines, schedule, zone, only_news, status, baseline, created_at, due_at, attempts) values
    ('D1', ${workspaceId}, 'C1', 'channel', 1, 'U1', 'Morning', '[]', '{}', 'UTC', 0, 'active', '{"lines":{}}', ${hour(0)}, ${hour(0)}, 0)`.execute(
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
  expect(payloads.get('sent')).toEqual(JSON.parse(rows[2][2]));
  const { stored, ...migrated } = digestDetail.parse(payloads.get('waits'));
  expect(migrated).toEqual({ ...old, isInternal: true, zone: 'UTC', ranAt: hour(0) });
  expect(toMessage(readStored(stored), { line: stored.line, reader, lineOf: () => undefined })).toMatchObject(
    {
      text: message.text,
    },
  );
  const shown = digestAnswer(digestMessage.parse(payloads.get('digest')), { vessels: new Map() }, reader);
  expect(toReply(shown, { reader, lineOf: () => undefined }).text).toContain(
    'Morning: October &amp; all of it; 1 line could not be answered; 🟠 from 1 Oct 08:00 UTC. `/usage`: in the thread.',
  );
  const digests = await sql`select baseline from digests where workspace_id = ${workspaceId}`.execute(db);
  expect(digests.rows).toEqual([{ baseline: null }]);
  expect(budgetNotice.parse(payloads.get('budget'))).toMatchObject({ ...plan, isForAdmin: true });
  const log = createAuditLog(storeOf(database.db, workspaceId));
  const { changes } = await log.list({}, { limit: 9 });
  expect(changes.flatMap(({ id, isPersonal }) => (isPersonal ? id : [])).sort()).toEqual([
    'of a digest',
    'of a watch',
  ]);
  await database.close();
});
