import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createClaim } from '../../src/database/claim.ts';
import { engines, seedWorkspace, type TestStore, workspaceId } from '../support/store-engines.ts';

const startMs = Date.parse('2026-01-01T00:00:00Z');
const leaseMs = 15_000;

describe.each(engines)('a name that one process at a time can claim, $engine', ({ open }) => {
  let store: TestStore;
  beforeAll(async () => {
    store = await open();
    await seedWorkspace(store.database);
    const other = { id: 'T2', name: 'Other', created_at: new Date(startMs) };
    await store.database.db.insertInto('workspaces').values(other).execute();
  });
  afterAll(() => store.close());
  beforeEach(async () => {
    await store.database.db.deleteFrom('claims').execute();
  });

  const named = (holder: string, key = 'one') => ({ workspaceId, key, holder });
  const lease = (afterMs: number) => ({ realNow: new Date(startMs + afterMs), leaseMs });
  const acquire = (name: ReturnType<typeof named>, afterMs = 0) =>
    createClaim(store.database.db, name).acquire(lease(afterMs));
  const renew = (name: ReturnType<typeof named>, afterMs = 0) =>
    createClaim(store.database.db, name).renew(lease(afterMs));
  const release = (name: ReturnType<typeof named>) => createClaim(store.database.db, name).release();

  it('goes to one of the processes that ask at once', async () => {
    const databases = await Promise.all([1, 2, 3].map(() => store.another()));
    const taken = await Promise.all(
      databases.map(({ db }, index) => createClaim(db, named(`holder ${index}`)).acquire(lease(0))),
    );
    expect(taken.filter(Boolean)).toHaveLength(1);
  });

  it("is free again when its lease has ended, and then its first holder can't renew it", async () => {
    expect(await acquire(named('a'))).toBe(true);
    expect(await acquire(named('b'), leaseMs - 1)).toBe(false);
    expect(await acquire(named('b'), leaseMs)).toBe(true);
    expect(await renew(named('a'), leaseMs)).toBe(false);
    expect(await acquire(named('c'), 2 * leaseMs - 1)).toBe(false);
    expect(await renew(named('b'), 2 * leaseMs - 1)).toBe(true);
  });

  it('is held for a whole lease from the last renewal', async () => {
    await acquire(named('a'));
    expect(await renew(named('a'), 10_000)).toBe(true);
    expect(await acquire(named('b'), 10_000 + leaseMs - 1)).toBe(false);
    expect(await acquire(named('b'), 10_000 + leaseMs)).toBe(true);
  });

  it('is not taken from a holder whose clock is slightly ahead, but is taken after a clock rollback', async () => {
    await acquire(named('a'));
    expect(await acquire(named('b'), -leaseMs)).toBe(false);
    expect(await acquire(named('b'), -leaseMs - 1)).toBe(true);
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
    ['the same name in another workspace', { ...named('a'), workspaceId: 'T2' }],
  ])('%s has a lease of its own, even for the same holder', async (_, other) => {
    expect(await acquire(named('a'))).toBe(true);
    expect(await acquire(other)).toBe(true);
    await renew(other, 10_000);
    expect(await acquire(named('b'), leaseMs)).toBe(true);
    await release(named('b'));
    await acquire(named('a'), 10_000);
    await release(other);
    expect(await acquire(named('b'), 10_000)).toBe(false);
  });
});
