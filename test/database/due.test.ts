import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { botSettings } from '../../src/config/bot.ts';
import {
  backOff,
  backoffMs,
  claimDue,
  clearLeases,
  createLease,
  dueWorkspaces,
  holdLease,
  maxLeaseMs,
  release,
} from '../../src/database/due.ts';
import { storeOf } from '../../src/database/workspace-store.ts';
import { pendingMessage } from '../../src/outbox/outgoing-message.ts';
import { aroundStatements } from '../support/fail-after.ts';
import { direct } from '../support/statements/direct.ts';
import {
  addSubjects,
  databaseNow,
  engines,
  openPostgres,
  passLeaseTime,
  workspaceId,
} from '../support/store-engines.ts';
import { createStoreLogger } from '../support/store-logger.ts';
import { useWorkspace } from '../support/use-store.ts';
import { waitUntil } from '../support/wait-until.ts';

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

  it('leases and backs off for the requested time, on the clock of the database', async () => {
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

  it('claims only rows that satisfy a further condition', async () => {
    await add(['a', 'b']);
    expect(await claim('t1', { where: sql<SqlBool>`due.key = 'b'` })).toMatchObject([{ id: 'b' }]);
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

const startMs = Date.parse('2026-01-01T00:00:00Z');

describe.each(engines)('the lease of work under way, $engine', ({ engine, open }) => {
  const store = useWorkspace(open);
  let logger: ReturnType<typeof createStoreLogger>;
  beforeEach(async () => {
    // Other timers stay real: the store needs them.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    logger = createStoreLogger();
    await addSubjects(store.database, ['a', 'b'], new Date(startMs));
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const claim = (leaseToken: string, limit: number) =>
    claimDue({
      ...{ store: storeOf(store.database.db, workspaceId), table: 'subjects', leaseToken },
      now: new Date(startMs),
      limit,
    });
  /** For the two rows, whichever of them the claim has. */
  const hold = <T>(work: () => Promise<T>, db = store.database.db) =>
    holdLease(
      {
        store: storeOf(db, workspaceId),
        table: 'subjects',
        rows: [{ id: 'a' }, { id: 'b' }],
        leaseToken: 't1',
        logger,
      },
      work,
    );
  const later = (ms: number) => vi.advanceTimersByTime(ms);
  const leases = async () => {
    const rows = await direct(store.database.db)
      .selectFrom('subjects')
      .select(['lease_token', 'lease_until'])
      .orderBy('id')
      .execute();
    return rows.map((row) => [row.lease_token, row.lease_until?.getTime() ?? null]);
  };
  /** The store, but it counts renewals, and each takes until `until` settles. */
  const watched = (until: () => Promise<unknown> = async () => {}) => {
    const seen = { renewals: 0 };
    const before: Parameters<typeof aroundStatements>[0]['before'] = ({ kind }) => {
      if (kind === 'UpdateQueryNode') seen.renewals += 1;
    };
    const plugin = aroundStatements({ before, after: until });
    return { seen, db: store.database.db.withPlugin(plugin) };
  };

  it('is renewed every third of its length, without renewing the leases of others', async () => {
    await claim('t1', 1);
    await claim('t2', 1);
    await passLeaseTime(store.database, leaseMs);
    const [, other] = await leases();
    const { seen, db } = watched();
    const before = await databaseNow(store.database);
    const result = await hold(async () => {
      later(leaseMs / 3 - 1);
      expect(seen.renewals).toBe(0);
      later(1);
      return 'done';
    }, db);
    expect(result).toBe('done');
    expect(seen.renewals).toBe(1);
    expect(await leases()).toEqual([['t1', expect.any(Number)], other]);
    expect((await leases())[0]?.[1]).toBeGreaterThanOrEqual(before + leaseMs);
  });

  it.runIf(engine === 'postgres')(
    'is renewed without waiting for rows whose work is being committed',
    async () => {
      await claim('t1', 2);
      await passLeaseTime(store.database, leaseMs);
      const [committing] = await leases();
      const before = await databaseNow(store.database);
      await (await store.another()).db.transaction().execute(async (transaction) => {
        await direct(transaction)
          .selectFrom('subjects')
          .select('id')
          .where('id', '=', 'a')
          .forUpdate()
          .execute();
        await hold(async () => later(leaseMs / 3));
      });
      const [first, second] = await leases();
      expect(first).toEqual(committing);
      expect(second?.[1]).toBeGreaterThanOrEqual(before + leaseMs);
    },
  );

  it('stays lost once it is lost; a released row stays free', async () => {
    await claim('t1', 2);
    const { db } = store.database;
    await direct(db).updateTable('subjects').set({ lease_token: 't2' }).where('id', '=', 'a').execute();
    const free = { lease_token: null, lease_until: null };
    await direct(db).updateTable('subjects').set(free).where('id', '=', 'b').execute();
    await passLeaseTime(store.database, leaseMs);
    const before = await leases();
    await hold(async () => later(leaseMs / 3));
    expect(await leases()).toEqual(before);
    expect(before).toEqual([
      ['t2', expect.any(Number)],
      [null, null],
    ]);
  });

  it('has one renewal at a time, and the work does not end before the renewal under way', async () => {
    await claim('t1', 2);
    const slow = Promise.withResolvers<void>();
    const { seen, db } = watched(() => slow.promise);
    const worked = Promise.withResolvers<void>();
    let ended = false;
    const held = hold(async () => {
      later(leaseMs / 3);
      later(leaseMs / 3);
      await worked.promise;
    }, db).finally(() => {
      ended = true;
    });
    expect(seen.renewals).toBe(1);
    worked.resolve();
    await leases();
    expect(ended).toBe(false);
    slow.resolve();
    await held;
  });

  it('is renewed again after a slow renewal, but not after the work has ended', async () => {
    await claim('t1', 2);
    let answer = Promise.withResolvers<void>();
    const { seen, db } = watched(async () => answer.resolve());
    const answered = async () => {
      await answer.promise;
      await new Promise(setImmediate);
      answer = Promise.withResolvers();
    };
    await hold(async () => {
      for (const times of [1, 2, 3]) {
        later(leaseMs / 3);
        expect(seen.renewals).toBe(times);
        await answered();
      }
    }, db);
    later(10 * leaseMs);
    expect(seen.renewals).toBe(3);
  });

  it("that can't be renewed is logged and does not end the work", async () => {
    await claim('t1', 2);
    const { db } = watched(() => Promise.reject(new Error('connect ECONNREFUSED')));
    const result = await hold(async () => {
      later(leaseMs / 3);
      return 'done';
    }, db);
    expect(result).toBe('done');
    expect(logger.lines).toMatchObject([
      { level: 'warn', fields: { table: 'subjects' }, message: 'a lease was not renewed' },
    ]);
    const failing = hold(() => Promise.reject(new Error('the work itself')));
    await expect(failing).rejects.toThrow('the work itself');
    later(10 * leaseMs);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe.each(engines)('a name that one process at a time holds, $engine', ({ open }) => {
  const store = useWorkspace(open);
  beforeEach(async () => {
    const other = { id: 'T2', name: 'Other', created_at: new Date() };
    await store.database.db.insertInto('workspaces').values(other).execute();
  });

  const named = (token: string, key = 'one') => ({ of: workspaceId, key, token });
  const leaseOf = ({ of, ...name }: ReturnType<typeof named>) =>
    createLease(storeOf(store.database.db, of), name);
  const acquire = (name: ReturnType<typeof named>, ms = leaseMs) => leaseOf(name).acquire(ms);
  const renew = (name: ReturnType<typeof named>, ms = leaseMs) => leaseOf(name).renew(ms);
  const release = (name: ReturnType<typeof named>) => leaseOf(name).release();
  const pass = (ms: number) => passLeaseTime(store.database, ms);

  it('goes to one of the processes that ask at once', async () => {
    const databases = await Promise.all([1, 2, 3].map(() => store.another()));
    const taken = await Promise.all(
      databases.map(({ db }, index) =>
        createLease(storeOf(db, workspaceId), named(`token ${index}`)).acquire(leaseMs),
      ),
    );
    expect(taken.filter(Boolean)).toHaveLength(1);
  });

  it('is measured in Unix milliseconds', async () => {
    // On one machine, the database's clock is that of the test.
    expect(Math.abs((await databaseNow(store.database)) - Date.now())).toBeLessThan(60_000);
  });

  it("is free again when its lease has ended, and then its first holder can't renew it", async () => {
    expect(await acquire(named('a'))).toBe(true);
    expect(await acquire(named('b'))).toBe(false);
    await pass(leaseMs);
    expect(await acquire(named('b'))).toBe(true);
    expect(await renew(named('a'))).toBe(false);
    expect(await acquire(named('c'))).toBe(false);
    expect(await renew(named('b'))).toBe(true);
  });

  it('is held for a whole lease from the last renewal', async () => {
    await acquire(named('a'));
    await pass(leaseMs);
    expect(await renew(named('a'), maxLeaseMs)).toBe(true);
    await pass(maxLeaseMs / 2);
    expect(await acquire(named('b'))).toBe(false);
    await pass(maxLeaseMs / 2);
    expect(await acquire(named('b'))).toBe(true);
  });

  it('is held for ten minutes at most, also if the clock of the database is turned back, by minutes or by a day', async () => {
    await acquire(named('a'), 100 * maxLeaseMs);
    await pass(-maxLeaseMs / 2);
    expect(await acquire(named('b'))).toBe(false);
    await pass(1.5 * maxLeaseMs);
    expect(await acquire(named('b'))).toBe(true);
    await pass(-86_400_000);
    expect(await acquire(named('c'))).toBe(true);
    expect(await acquire(named('d'))).toBe(false);
  });

  it('is free as soon as its holder releases it; nobody else can release it', async () => {
    await acquire(named('a'));
    await release(named('b'));
    expect(await acquire(named('b'))).toBe(false);
    await release(named('a'));
    expect(await acquire(named('b'))).toBe(true);
  });

  it.each([
    ['another name', named('a', 'two')],
    ['the same name in another workspace', { ...named('a'), of: 'T2' }],
  ])('%s has a lease of its own, even with the same token', async (_, other) => {
    expect(await acquire(named('a'))).toBe(true);
    expect(await acquire(other)).toBe(true);
    await pass(leaseMs);
    await renew(other);
    expect(await acquire(named('b'))).toBe(true);
    await release(other);
    expect(await acquire(named('c'))).toBe(false);
  });
});

it('the longest lease in the settings is one that the store accepts', () => {
  const { schema } = botSettings.LEASE_MS;
  expect(schema.parse(String(maxLeaseMs))).toBe(maxLeaseMs);
  expect(schema.safeParse(String(maxLeaseMs + 1)).success).toBe(false);
});

describe('a claim that waits for a lock, postgres', () => {
  const store = useWorkspace(openPostgres);

  it('has its whole lease from the moment when it gets the lock', async () => {
    const { db } = store.database;
    const name = { key: 'one' };
    await createLease(storeOf(db, workspaceId), { ...name, token: 'ended' }).acquire(leaseMs);
    await passLeaseTime(store.database, leaseMs);
    const { claiming, lockedUntil } = await db.transaction().execute(async (transaction) => {
      await direct(transaction).selectFrom('leases').select('key').forUpdate().execute();
      const claiming = createLease(storeOf((await store.another()).db, workspaceId), {
        ...name,
        token: 'next',
      }).acquire(leaseMs);
      await waitUntil('the claim waits', async () => {
        const { rows } = await sql`
          select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
          db,
        );
        return rows.length > 0;
      });
      const waitsSince = await databaseNow(store.database);
      await waitUntil('time passes', async () => (await databaseNow(store.database)) > waitsSince + 20);
      return { claiming, lockedUntil: await databaseNow(store.database) };
    });
    expect(await claiming).toBe(true);
    const row = await direct(db).selectFrom('leases').select('lease_until').executeTakeFirstOrThrow();
    expect(Number(row.lease_until)).toBeGreaterThanOrEqual(lockedUntil + leaseMs);
  });
});
