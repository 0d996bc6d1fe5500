import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../../../src/database/connect.ts';
import { forgetHistory } from '../../../../src/features/watches/polling/history.ts';
import { credentialId, openSqlite, seedWorkspace, workspaceId } from '../../../support/store-engines.ts';
import { hour } from '../../../support/watch-story.ts';

let database: Database;
beforeAll(async () => {
  ({ database } = await openSqlite());
  await seedWorkspace(database);
});
afterAll(() => database.close());

test('history is deleted when its retention ends, not before', async () => {
  const { db } = database;
  const polled = (hours: number) => ({
    workspace_id: workspaceId,
    credential_id: credentialId,
    kind: 'vessel',
    key: '1',
    polled_at: hour(hours),
    predictions: '{}',
  });
  await db
    .insertInto('history')
    .values([polled(-401 * 24), polled(-400 * 24), polled(-1)])
    .execute();
  expect(await forgetHistory(db, hour(-400 * 24))).toBe(1);
  expect(await forgetHistory(db, hour(-400 * 24))).toBe(0);
  expect(await db.selectFrom('history').select('key').execute()).toHaveLength(2);
});
