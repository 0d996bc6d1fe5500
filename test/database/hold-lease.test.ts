import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { claimDue, holdLease } from '../../src/database/due.ts';
import { storeOf } from '../../src/database/workspace-store.ts';
import { aroundStatements } from '../support/fail-after.ts';
import { direct } from '../support/statements/direct.ts';
import { addSubjects, databaseNow, engines, passLeaseTime, workspaceId } from '../support/store-engines.ts';
import { createStoreLogger } from '../support/store-logger.ts';
import { useWorkspace } from '../support/use-store.ts';

const startMs = Date.parse('2026-01-01T00:00:00Z');
const leaseMs = 30_000;

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
