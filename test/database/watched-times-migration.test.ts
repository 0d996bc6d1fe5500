import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { connectDatabase } from '../../src/database/connect.ts';
import { migrate } from '../../src/database/migrate.ts';
import { storeOf } from '../../src/database/workspace-store.ts';
import { readHistory } from '../../src/features/history/history.ts';
import { readFinishedCalls } from '../../src/features/stability/finished-calls.ts';
import type { Imo } from '../../src/reference/codes.ts';
import { createTestDatabase } from '../support/create-test-database.ts';
import { direct } from '../support/statements/direct.ts';
import { workspaceId } from '../support/store-engines.ts';
import { createStoreLogger } from '../support/store-logger.ts';
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
      const of = { filter: { channelId } };
      const history = await readHistory(storeOf(database.db, workspaceId), {
        ...of,
        subject,
        from: hour(-99),
      });
      const calls = await readFinishedCalls(storeOf(database.db, workspaceId), { ...of, imos: [imo] });
      return [history.map((poll) => poll.at), calls.map(({ port }) => port)];
    };
    expect(await seenBy('C1')).toEqual([[hour(0)], ['NLRTM']]);
    expect(await seenBy('C2')).toEqual([[], []]);
    await database.close();
  });
});
