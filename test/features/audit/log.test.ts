import { beforeAll, expect, it } from 'vitest';
import { storeOf } from '../../../src/database/workspace-store.ts';
import {
  type AuditEntry,
  createAuditLog,
  forgetChanges,
  recordChanges,
} from '../../../src/workspaces/audit.ts';
import { openSqlite } from '../../support/store-engines.ts';
import { useStore } from '../../support/use-store.ts';

const now = new Date('2026-11-21T09:00:00Z');

const store = useStore(openSqlite);
beforeAll(async () => {
  const values = { id: 'T1', name: 'One', created_at: now };
  await store.database.db.insertInto('workspaces').values(values).execute();
});

it('audited changes are listed newest first, page by page, for one channel or one person', async () => {
  const { db } = store.database;
  const change = (id: string, minutes: number, rest: Partial<AuditEntry> = {}): AuditEntry => ({
    id,
    at: new Date(now.getTime() + minutes * 60_000),
    actorId: 'U1',
    action: 'watch.add',
    subject: 'DS CYPRESS',
    channelId: 'C1',
    ...rest,
  });
  const [a, b, c] = [
    change('a', 1),
    change('b', 2, { channelId: 'C2', before: { eta: 12 }, after: { eta: 6 } }),
    change('c', 3, { actorId: 'U2', after: [1] }),
  ] as const;
  for (const one of [b, a, c]) await recordChanges(storeOf(db, 'T1'), [one]);
  const log = createAuditLog(storeOf(db, 'T1'));
  expect(await log.list({}, { limit: 2 })).toEqual({
    changes: [c, b],
    total: 3,
  });
  expect(await log.list({}, { limit: 2, offset: 2 })).toEqual({
    changes: [a],
    total: 3,
  });
  const ids = async (filter: object) => (await log.list(filter, { limit: 9 })).changes.map(({ id }) => id);
  expect(await ids({ channelId: 'C1' })).toEqual(['c', 'a']);
  expect(await ids({ actorId: 'U1' })).toEqual(['b', 'a']);
  expect(await ids({ channelId: 'C1', actorId: 'U2' })).toEqual(['c']);
  await forgetChanges(db, b.at);
  expect(await ids({})).toEqual(['c', 'b']);
});
