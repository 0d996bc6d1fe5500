import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { botSettings } from '../../src/config/bot.ts';
import { createLease, maxLeaseMs } from '../../src/database/due.ts';
import { storeOf } from '../../src/database/workspace-store.ts';
import { direct } from '../support/statements/direct.ts';
import { databaseNow, engines, openPostgres, passLeaseTime, workspaceId } from '../support/store-engines.ts';
import { useWorkspace } from '../support/use-store.ts';
import { waitUntil } from '../support/wait-until.ts';

const leaseMs = 15_000;

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
