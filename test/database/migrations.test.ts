import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { toMessage, toReply } from '../../src/answers/slack/render.ts';
import { readStored } from '../../src/answers/stored.ts';
import { connectDatabase } from '../../src/database/connect.ts';
import { migrate } from '../../src/database/migrate.ts';
import { storeOf } from '../../src/database/workspace-store.ts';
import { digestDetail, digestMessage } from '../../src/features/digests/digest.ts';
import { digestAnswer } from '../../src/features/digests/message.ts';
import { readHistory } from '../../src/features/history/history.ts';
import { budgetNotice } from '../../src/features/polling/call-plan.ts';
import { readPromises } from '../../src/features/promises/store.ts';
import { readFinishedCalls } from '../../src/features/stability/calls.ts';
import type { Imo } from '../../src/reference/codes.ts';
import { createAuditLog } from '../../src/workspaces/audit.ts';
import { createTestDatabase } from '../support/create-test-database.ts';
import { direct } from '../support/statements/direct.ts';
import { workspaceId } from '../support/store-engines.ts';
import { createStoreLogger } from '../support/store-logger.ts';
import { reader } from '../support/view-fixtures.ts';
import { hour } from '../support/watch-story.ts';

const imo = 9461477 as Imo;
const prediction = { imo, port: 'NLRTM', probability: 0.9, eta: hour(9).toISOString(), etaZone: 'given' };
const rowsOf = {
  predictions: JSON.stringify({ scale: 'fraction', records: [prediction] }),
  readings: JSON.stringify({ 72: null, 48: null, 24: null }),
  openCalls: JSON.stringify({
    scale: 'fraction',
    vessels: { [imo]: { port: 'NLRTM', eta: null, at: hour(0), since: hour(0), from: null } },
  }),
};

describe.each([
  'sqlite',
  'postgres',
] as const)('what was watched before the times were stored, %s', (engine) => {
  test('stays visible to those who watch it now', async () => {
    const place = engine === 'sqlite' ? {} : { url: await createTestDatabase('empty') };
    const logger = createStoreLogger();
    const database = await connectDatabase({ ...place, logger, migrateTo: 'none' });
    await migrate(database, '0002-used-install-states');
    const db = direct(database.db);
    const at = hour(-10);
    await sql`insert into workspaces (id, name, created_at) values (${workspaceId}, 'Test', ${at})`.execute(
      db,
    );
    await sql`insert into subjects (id, workspace_id, kind, key, interval_minutes, open_calls, due_at) values
      ('S1', ${workspaceId}, 'shiplist', 'FEEDERS', 15, ${rowsOf.openCalls}, ${at})`.execute(db);
    await sql`insert into watches
      (id, workspace_id, channel_id, destination, owner_id, title, rules, status, created_at) values
      ('W1', ${workspaceId}, 'C1', 'channel', 'U1', 'list FEEDERS', '{}', 'active', ${at})`.execute(db);
    await sql`insert into followings (workspace_id, watch_id, subject_id) values
      (${workspaceId}, 'W1', 'S1')`.execute(db);
    await sql`insert into history (workspace_id, kind, key, polled_at, predictions) values
      (${workspaceId}, 'vessel', ${String(imo)}, ${hour(0)}, ${rowsOf.predictions}),
      (${workspaceId}, 'vessel', ${String(imo)}, ${hour(-20)}, ${rowsOf.predictions})`.execute(db);
    await sql`insert into finished_calls
      (workspace_id, imo, number, previous_port, port, last_eta, ended_at, readings) values
      (${workspaceId}, ${imo}, 1, null, 'NLRTM', ${hour(1)}, ${hour(2)}, ${rowsOf.readings})`.execute(db);
    await migrate({ ...database, db });

    const subject = { kind: 'vessel', imo } as const;
    const seenBy = async (channelId: string) => {
      const [of, store] = [{ filter: { channelId } }, storeOf(database.db, workspaceId)];
      const history = await readHistory(store, { ...of, subject, from: hour(-99) });
      const calls = await readFinishedCalls(store, { ...of, imos: [imo] });
      return [history.map((poll) => poll.at), calls.map(({ port }) => port)];
    };
    expect(await seenBy('C1')).toEqual([[hour(0)], ['NLRTM']]);
    expect(await seenBy('C2')).toEqual([[], []]);
    await database.close();
  });
});

describe.each(['sqlite', 'postgres'] as const)('due dates of watches, %s', (engine) => {
  test('become promises of the vessels that they were about', async () => {
    const place = engine === 'sqlite' ? {} : { url: await createTestDatabase('empty') };
    const database = await connectDatabase({ ...place, logger: createStoreLogger(), migrateTo: 'none' });
    await migrate(database, '0005-messages-and-audit');
    const db = direct(database.db);
    const due = [
      { port: 'NLRTM', at: hour(50) },
      { port: 'nowhere', at: 'never' },
    ];
    const eta = { memory: { due: { [`NLRTM ${hour(50).toISOString()}`]: { eta: hour(49) } } } };
    await sql`insert into workspaces (id, name, created_at) values (${workspaceId}, 'Test', ${hour(0)})`.execute(
      db,
    );
    const watches = [
      ['one', { below: 0.4, due }, [['vessel', String(imo), null]]],
      [
        'several',
        { due },
        [
          ['vessel', '9755933', null],
          ['vessel', '9811000', { kind: 'vessels', vessels: { 9811000: eta } }],
        ],
      ],
      [
        'list',
        { due },
        [['shiplist', 'FEEDERS', { kind: 'vessels', vessels: { 9839430: eta, 9893890: {} } }]],
      ],
      ['port', { due: [] }, [['port', 'NLRTM', null]]],
      ['broken', '{', []],
    ] as const;
    for (const [id, rules, subjects] of watches) {
      const column = typeof rules === 'string' ? rules : JSON.stringify(rules);
      await sql`insert into watches
        (id, workspace_id, channel_id, destination, owner_id, title, rules, status, created_at) values
        (${id}, ${workspaceId}, 'C1', 'channel', 'U1', ${id}, ${column}, 'active', ${hour(-10)})`.execute(db);
      for (const [kind, key, state] of subjects) {
        await sql`insert into subjects (id, workspace_id, kind, key, interval_minutes, due_at) values
          (${`${kind} ${key}`}, ${workspaceId}, ${kind}, ${key}, 15, ${hour(0)})`.execute(db);
        await sql`insert into followings (workspace_id, watch_id, subject_id, state) values
          (${workspaceId}, ${id}, ${`${kind} ${key}`}, ${state && JSON.stringify(state)})`.execute(db);
      }
    }
    await migrate({ ...database, db });
    const promises = await readPromises(storeOf(database.db, workspaceId));
    const of = { port: 'NLRTM', at: hour(50) };
    expect(
      promises.map(({ watchId, imo: vessel, due: one, ownerId }) => [watchId, vessel, one, ownerId]),
    ).toEqual(
      expect.arrayContaining([
        ['one', imo, of, 'U1'],
        ['several', 9811000, of, 'U1'],
        ['list', 9839430, of, 'U1'],
      ]),
    );
    expect(promises).toHaveLength(3);
    const stored = await sql<{ rules: unknown }>`select rules from watches
      where workspace_id = ${workspaceId} and id in ('one', 'port') order by id`.execute(db);
    expect(stored.rows.map(({ rules }) => rules)).toEqual([{ below: 0.4 }, {}]);
    await database.close();
  });
});

test('what an older version left to be sent can be sent: digests and answers in their words, notices of the budget; the audit log says what is personal; the rest stays', async () => {
  const database = await connectDatabase({ logger: createStoreLogger(), migrateTo: 'none' });
  await migrate(database, '0004-watched-times');
  const db = direct(database.db);
  const old = { kind: 'digest-detail', parent: 'D1', destination: 'channel', line: 'portcalls NLRTM' };
  const plan = { plannedCalls: 1_304, dailyCalls: 1_000, stretch: 1.4, users: [] };
  const message = { text: 'Rotterdam: 2 vessels &amp; more', blocks: [{ type: 'divider' }] };
  const isNothing = { hasDetail: false, isForecast: false, isInternal: false, isUnchanged: false };
  const report = { kind: 'answered', line: 'usage', ...isNothing, hasNews: true };
  const brief = [
    'October &amp; `all` <https://a.slack.com/p1|of it>',
    '🟠 from <!date^1^{time}|1 Oct 08:00 UTC>',
  ];
  const digest = {
    ...{ kind: 'digest', digestId: 'D1', number: 1, title: 'Morning', ownerId: 'U1', destination: 'channel' },
    ...{ zone: 'UTC', scheduledFor: null, ranAt: hour(0), nextRunAt: null, since: hour(-24) },
    ...{ news: [], missed: null },
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
  const shownAgain = toMessage(readStored(stored), { line: stored.line, reader, lineOf: () => undefined });
  expect(shownAgain).toMatchObject({ text: message.text });
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
