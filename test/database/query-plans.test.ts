import { type CompiledQuery, Kysely } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../../src/database/connect.ts';
import { storeDialect } from '../../src/database/dialect.ts';
import { dueWorkspaces } from '../../src/database/due.ts';
import { migrate } from '../../src/database/migrate.ts';
import type { Schema } from '../../src/database/schema.ts';
import { openSqlite, sqliteDialect, sqliteEngine, withoutRowLocks } from '../../src/database/sqlite.ts';
import { storeOf } from '../../src/database/workspace-store.ts';
import { readOpenAlerts } from '../../src/features/alerts/alert.ts';
import { editAlert } from '../../src/features/alerts/edit-alert.ts';
import { dueReminders, remindDue } from '../../src/features/alerts/reminders.ts';
import { createState } from '../../src/features/ctx.ts';
import { forgetRemovedDigests } from '../../src/features/digests/digest-store.ts';
import { dueDigests } from '../../src/features/digests/run-due.ts';
import { forgetHistory, portHistory } from '../../src/features/history/history.ts';
import { duePolls } from '../../src/features/polling/poll.ts';
import { listWatches } from '../../src/features/polling/watch-list.ts';
import { chooseRules } from '../../src/features/rules/registry.ts';
import { dueMessages } from '../../src/outbox/outbox.ts';
import { createAuditLog, forgetChanges } from '../../src/workspaces/audit.ts';
import { forgetWorkspace } from '../../src/workspaces/workspaces.ts';
import { createDigestFixture } from '../support/digest-fixture.ts';
import { seedWorkspace, workspaceId } from '../support/store-engines.ts';
import { port } from '../support/view-fixtures.ts';
import { createWatchFixture } from '../support/watch-fixture.ts';
import { rateLimited } from '../support/watch-slack.ts';
import { createAlertStore } from '../support/watch-stores.ts';
import { cypress, hour } from '../support/watch-story.ts';

let database: Database;
const queries = new Map<string, CompiledQuery>();

beforeAll(async () => {
  const db = new Kysely<Schema>({
    dialect: storeDialect(sqliteDialect(openSqlite(undefined)), { max: 1, maxBackground: 1 }),
    plugins: [withoutRowLocks],
    log: ({ query }) => void queries.set(query.sql, query),
  });
  database = { db, engine: sqliteEngine, close: () => db.destroy() };
  await migrate(database);
  await seedWorkspace(database);
});
afterAll(() => database.close());

/** The tables that grow. */
const scan = /\bSCAN (?:outbox|due|other|earlier|history|audit|watches|subjects|followings|alerts|digests)\b/;

/** All rows of a workspace. The indexes that it leaves out have only rows that wait. */
const ofWorkspace =
  /\bSEARCH \w+ USING (?:COVERING )?INDEX (?!outbox_(?:by_due|replies|one_)|digests_by_|alerts_by_(?:due|assignee))\w+ \(workspace_id=\?\)/;

/** They read every subject of the workspace: to add up its calls, and after a clock rollback. */
const readsAll = /"plannedCalls"|^update "subjects" set "due_at" = case/;

/** The steps of SQLite's plans that match, with their statements. */
async function scans(...patterns: RegExp[]): Promise<string[]> {
  const found: string[] = [];
  const statements = [...queries.values()].filter(({ sql }) => /^\s*(?:select|with|update|delete)/.test(sql));
  for (const query of statements) {
    const { rows } = await database.db.executeQuery<{ detail: string }>({
      ...query,
      sql: `explain query plan ${query.sql}`,
    });
    for (const { detail } of rows)
      if (patterns.some((pattern) => pattern.test(detail))) found.push(`${detail}: ${query.sql}`);
  }
  expect(statements.length).toBeGreaterThan(0);
  return found;
}

it('nothing that happens often reads a whole table', async () => {
  const store = storeOf(database.db, workspaceId);
  const ids = { next: 0 };
  const watches = createWatchFixture(database, ids);
  const digests = createDigestFixture(database, ids);
  queries.clear();
  watches.vessels.set(cypress, { NLRTM: [0.9, 500] });
  const watch = () =>
    watches.watch([{ kind: 'vessel', imo: cypress }], { rules: chooseRules({ diverted: true }) });
  const made = [await watch(), await watch(), await watch(), await watch(), await watch()] as const;
  await digests.add();
  await digests.at('2026-11-23T08:00Z');
  await watches.at(0);
  watches.vessels.set(cypress, { DEHAM: [0.9, 500] });
  expect(await watches.at(7)).toMatchObject({ replies: 5 });
  digests.clock.realMs = watches.clock.realMs;
  digests.slack.onPost = () => rateLimited(1_000);
  expect(await digests.outbox.runDue(hour(7))).toMatchObject({ sent: 0 });
  digests.slack.onPost = () => undefined;
  digests.clock.realMs += 60_000;
  expect((await digests.outbox.runDue(hour(7))).sent).toBeGreaterThan(4);
  const page = { limit: 10, withLatest: true };
  const subject = { kind: 'vessel', imo: cypress } as const;
  const filters = [{ channelId: 'C1' }, { ownerId: 'U1' }, { channelId: 'C1', cardTs: 'x' }, { subject }];
  for (const filter of filters) await listWatches(store, { ...filter }, page);
  await digests.store.list({ channelId: 'C1' });
  await createAuditLog(store).list({ channelId: 'C1' }, page);
  const [first] = made;
  await watches.store.change(first.id, { snooze: { kind: 'until', at: hour(12) } }, watches.by());
  await watches.store.refresh(first.id, watches.by());
  const alerts = createAlertStore({ store, newId: watches.newId });
  const [alert] = await alerts
    .assign({ watchId: first.id, assigneeId: 'U1' }, watches.by())
    .then((all) => all ?? []);
  const services = { store, realNow: () => watches.clock.realMs, state: createState() };
  expect(await remindDue(hour(8), () => true, { services })).toEqual({ reminded: 1 });
  expect(await readOpenAlerts(store, 'U1')).toHaveLength(5);
  await alerts.ofMessage(alert?.messageId ?? '');
  await alerts.acknowledge({ watchId: first.id, alertIds: [alert?.id ?? ''] }, watches.by());
  await editAlert(
    store,
    { watchId: first.id, editKey: 'a', events: [] },
    { newId: watches.newId, ...watches.by() },
  );
  await watches.store.stop(first.id, watches.by());
  const ofPorts = portHistory({
    store,
    filter: async () => ({ anyOf: { ownerId: 'U1', channelIds: ['C1'] } }),
  });
  const ofPort = { times: [hour(0), hour(24)], withinMs: 10_800_000 };
  await Array.fromAsync(
    ofPorts.readPolls(port('NLRTM'), [hour(0), ...(await ofPorts.findPolls(port('NLRTM'), ofPort))]),
  );
  const found = await scans(scan, ofWorkspace);
  expect(found.filter((step) => !readsAll.test(step.replace(/^.*?: /, '')))).toEqual([]);
  // Most alerts close by themselves, and nobody ever acknowledges them.
  const throughClosed = await scans(/ alerts_by_watch \(watch_id=\? AND acknowledged_at=\?\)/);
  expect(throughClosed.filter((step) => /closed_at"? is null/.test(step))).toEqual([]);
});

it('finds the workspaces with due work without reading their rows', async () => {
  const { db } = database;
  queries.clear();
  for (const due of [duePolls, dueReminders, dueDigests, dueMessages])
    await dueWorkspaces(db, { ...due, now: hour(0) });
  const plans = [...queries.values()].map(async (query) => {
    const { rows } = await db.executeQuery<{ detail: string }>({
      ...query,
      sql: `explain query plan ${query.sql}`,
    });
    return rows.map(({ detail }) => detail).filter((detail) => /\bdue\b/.test(detail));
  });
  expect(await Promise.all(plans)).toEqual(
    ['subjects_by_due', 'alerts_by_due', 'digests_by_due', 'outbox_by_due'].map((index) => [
      // The first workspace, the next one, and whether anything of it is due.
      expect.stringMatching(new RegExp(`^SCAN due USING (COVERING )?INDEX ${index}$`)),
      expect.stringMatching(
        new RegExp(`^SEARCH due USING (COVERING )?INDEX ${index} \\(workspace_id>\\?\\)$`),
      ),
      expect.stringMatching(
        new RegExp(
          `^SEARCH due EXISTS USING (COVERING )?INDEX ${index} \\(workspace_id=\\? AND due_at<\\?\\)$`,
        ),
      ),
    ]),
  );
});

it('retention and uninstall find their rows by an index', async () => {
  const { db } = database;
  queries.clear();
  await forgetChanges(db, hour(-1));
  await forgetHistory(db, hour(-1));
  await forgetRemovedDigests(db, hour(-1));
  await forgetWorkspace(db, workspaceId, hour(0));
  expect(await scans(scan)).toEqual([]);
});
