import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { backOff, backoffMs, claimDue, clearLeases, dueWorkspaces, release } from '../../src/database/due.ts';
import { storeOf } from '../../src/database/workspace-store.ts';
import { pendingMessage } from '../../src/outbox/outgoing-message.ts';
import { direct } from '../support/statements/direct.ts';
import { addSubjects, databaseNow, engines, passLeaseTime, workspaceId } from '../support/store-engines.ts';
import { useWorkspace } from '../support/use-store.ts';

const now = new Date('2026-11-21T09:00:00Z');
const leaseMs = 30_000;
const later = (date: Date, ms: number) => new Date(date.getTime() + ms);

describe.each(engines)('due work, $engine', ({ engine, open }) => {
  const store = useWorkspace(open);

  const add = (ids: string[], dueAt = now, ofWorkspace = workspaceId) =>
    addSubjects(store.database, ids, dueAt, ofWorkspace);
  const claim = (leaseToken: string, options: Partial<Parameters<typeof claimDue>[0]> = {}) =>
    claimDue({ store: own(), now, limit: 10, ...options, table: 'subjects', leaseToken });
  const own = () => storeOf(store.database.db, workspaceId);
  const pass = (ms: number) => passLeaseTime(store.database, ms);
  /** `write` makes the row wait for `ms` on the clock of the database. */
  const expectWait = async (id: string, ms: number, write: () => Promise<unknown>) => {
    const before = await databaseNow(store.database);
    await write();
    const after = await databaseNow(store.database);
    const startedAt = Number((await row(id))?.lease_until) - ms;
    expect(startedAt).toBeGreaterThanOrEqual(before);
    expect(startedAt).toBeLessThanOrEqual(after);
  };
  const row = (id: string) =>
    direct(store.database.db)
      .selectFrom('subjects')
      .select(['due_at', 'lease_until', 'lease_token', 'attempts'])
      .where('id', '=', id)
      .executeTakeFirst();

  it('lets another process claim a row once its lease has ended, whatever the domain clock says', async () => {
    await add(['a']);
    await claim('t1');
    expect(await claim('t2', { now: later(now, 86_400_000) })).toEqual([]);
    await pass(leaseMs / 2);
    expect(await claim('t2')).toEqual([]);
    await pass(leaseMs / 2);
    expect(await claim('t2')).toHaveLength(1);
    const lost = { table: 'subjects', id: 'a', leaseToken: 't1', dueAt: now, attempts: 0 } as const;
    expect(await release(own(), lost)).toBe(false);
    expect(await release(own(), { ...lost, leaseToken: 't2' })).toBe(true);
  });

  it('finds the workspaces with due rows that nobody holds', async () => {
    const { db } = store.database;
    const ids = ['T2', 'T3', 'T4', 'T5'];
    const rows = ids.map((id) => ({ id, name: id, created_at: now }));
    await db.insertInto('workspaces').values(rows).execute();
    const find = (where?: RawBuilder<SqlBool>) =>
      dueWorkspaces(db, { table: 'subjects', now, ...(where && { where }) });
    expect(await find()).toEqual([]);
    await add(['a', 'b'], now, 'T4');
    await add(['c'], later(now, 1), 'T3');
    await add(['d'], later(now, 1), 'T2');
    await add(['e', 'f'], later(now, -1000), 'T2');
    await add(['g'], now);
    expect(await find()).toEqual(['T1', 'T2', 'T4']);
    expect(await find(sql<SqlBool>`due.key <> 'g'`)).toEqual(['T2', 'T4']);
    const claimOf = (ofWorkspace: string) =>
      claim(ofWorkspace, { store: storeOf(db, ofWorkspace), limit: 1 });
    expect(await claimOf('T1')).toMatchObject([{ id: 'g' }]);
    expect(await claimOf('T4')).toMatchObject([{ id: 'a' }]);
    expect(await claimOf('T3')).toEqual([]);
    expect(await find()).toEqual(['T2', 'T4']);
    await claimOf('T4');
    const failed = { table: 'subjects', id: 'b', attempts: 1 } as const;
    await backOff(storeOf(db, 'T4'), { ...failed, leaseToken: 'T4' });
    expect(await find()).toEqual(['T2']);
    await pass(leaseMs);
    expect(await find()).toEqual(['T1', 'T2', 'T4']);
    const setOf = (id: string, change: object) =>
      direct(db).updateTable('workspaces').set(change).where('id', '=', id).execute();
    await setOf('T1', { paused_at: now });
    await setOf('T2', { uninstalled_at: now });
    expect(await find()).toEqual(['T4']);
    await setOf('T1', { paused_at: null });
    expect(await find()).toEqual(['T1', 'T4']);
  });

  it('leases for the requested time on the clock of the database, at which the back-off starts', async () => {
    await add(['a']);
    await expectWait('a', 5_000, () => claim('t1', { leaseMs: 5_000 }));
    const failed = { table: 'subjects', id: 'a', leaseToken: 't1', attempts: 2 } as const;
    await expectWait('a', 10_000, () => backOff(own(), { ...failed, leaseMs: 5_000 }));
  });

  it('leaves a failed row alone until its back-off is over, which a lost claim does not change', async () => {
    await add(['a']);
    await claim('t1');
    const failed = { table: 'subjects', id: 'a', attempts: 5 } as const;
    await expectWait('a', 480_000, () => backOff(own(), { ...failed, leaseToken: 't1' }));
    await backOff(own(), { ...failed, leaseToken: 'lost', attempts: 50 });
    await pass(470_000);
    expect(await claim('t2')).toEqual([]);
    await pass(10_000);
    expect(await claim('t2')).toMatchObject([{ attempts: 5 }]);
    const again = { ...failed, leaseToken: 't2', attempts: 50 };
    await expectWait('a', 600_000, () => backOff(own(), again));
    await pass(600_000);
    expect(await claim('t3')).toHaveLength(1);
  });

  it('claims as many rows as requested, the oldest first, rows of the same age by their ids', async () => {
    await add(['d', 'c', 'b']);
    await add(['z'], later(now, -1000));
    await add(['a'], later(now, 1000));
    const ids = async (limit: number) => (await claim(`t${limit}`, { limit })).map(({ id }) => id).toSorted();
    expect(await ids(2)).toEqual(['b', 'z']);
    expect(await ids(1)).toEqual(['c']);
    expect(await ids(10)).toEqual(['d']);
  });

  it('releases a row of a claim with its next due date, backs off another at its old one, and leaves the others leased', async () => {
    await add(['a', 'b', 'c']);
    await claim('t1');
    const claimed = { table: 'subjects', leaseToken: 't1', dueAt: later(now, 5000) } as const;
    expect(await release(own(), { ...claimed, id: 'a', attempts: 3 })).toBe(true);
    await backOff(own(), { ...claimed, id: 'b', attempts: 1 });
    const ended = [await row('a'), await row('b')];
    const resting = { due_at: now, lease_until: expect.any(Date), lease_token: null, attempts: 1 };
    expect(ended).toEqual([
      { due_at: later(now, 5000), lease_until: null, lease_token: null, attempts: 3 },
      resting,
    ]);
    expect(await row('c')).toEqual({ ...resting, lease_token: 't1', attempts: 0 });
    // Their claims have ended.
    expect(await release(own(), { ...claimed, id: 'a', attempts: 9 })).toBe(false);
    await backOff(own(), { ...claimed, id: 'b', attempts: 9 });
    expect([await row('a'), await row('b')]).toEqual(ended);
  });

  it('frees claimed rows at the start of a store that nobody else uses, but not failed ones', async () => {
    const { db } = store.database;
    await add(['a', 'b']);
    await claim('t1');
    await backOff(storeOf(db, workspaceId), { table: 'subjects', id: 'a', leaseToken: 't1', attempts: 1 });
    const about = { id: 'm', channelId: 'C1', now, dueAt: now };
    await storeOf(db, workspaceId)
      .insertInto('outbox', pendingMessage({ ...about, message: { kind: 'card' } }))
      .execute();
    const claimMessage = () =>
      claimDue({ store: storeOf(db, workspaceId), table: 'outbox', now, limit: 1, leaseToken: 't1' });
    await claimMessage();
    expect(await claimMessage()).toEqual([]);
    await clearLeases(db);
    expect(await claim('t2')).toMatchObject([{ id: 'b' }]);
    expect(await claimMessage()).toMatchObject([{ id: 'm' }]);
  });

  it('shares rows between claimers: each row goes to one claimer', async () => {
    const ids = Array.from({ length: 40 }, (_, index) => `s${index}`);
    await add(ids);
    const databases = await Promise.all([1, 2, 3, 4].map(() => store.another()));
    const claimed = await Promise.all(
      databases.flatMap(({ db }, index) =>
        [0, 1, 2].map((round) =>
          claim(`${engine}${index}${round}`, { store: storeOf(db, workspaceId), limit: 5 }),
        ),
      ),
    );
    const all = claimed.flat().map(({ id }) => id);
    expect(new Set(all).size).toBe(all.length);
    expect(all.length).toBe(40);
  });
});

it('waits twice as long after each failure, up to a bound', () => {
  const waits = [0, 1, 2, 3, 4, 50].map((attempts) => backoffMs(attempts, { firstMs: 1000, maxMs: 5000 }));
  expect(waits).toEqual([1000, 1000, 2000, 4000, 5000, 5000]);
});
