import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { acquireClaim, releaseClaim, renewClaim } from '../../src/database/claim.ts';
import { engines, seedWorkspace, type TestStore, workspaceId } from '../support/store-engines.ts';

const startMs = Date.parse('2026-01-01T00:00:00Z');
const leaseMs = 15_000;

describe.each(engines)('a name that one process at a time may have, $engine', ({ open }) => {
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
  const take = (name: ReturnType<typeof named>, afterMs = 0) =>
    acquireClaim(store.database.db, name, lease(afterMs));
  const keep = (name: ReturnType<typeof named>, afterMs = 0) =>
    renewClaim(store.database.db, name, lease(afterMs));
  const give = (name: ReturnType<typeof named>) => releaseClaim(store.database.db, name);

  it('is taken by one of those who ask at once', async () => {
    const databases = await Promise.all([1, 2, 3].map(() => store.another()));
    const taken = await Promise.all(
      databases.map(({ db }, index) => acquireClaim(db, named(`holder ${index}`), lease(0))),
    );
    expect(taken.filter(Boolean)).toHaveLength(1);
  });

  it('is free again when its lease has ended, and then is not kept by its first holder', async () => {
    expect(await take(named('a'))).toBe(true);
    expect(await take(named('b'), leaseMs - 1)).toBe(false);
    expect(await take(named('b'), leaseMs)).toBe(true);
    expect(await keep(named('a'), leaseMs)).toBe(false);
    expect(await take(named('c'), 2 * leaseMs - 1)).toBe(false);
    expect(await keep(named('b'), 2 * leaseMs - 1)).toBe(true);
  });

  it('is held for a whole lease from the moment it was last kept', async () => {
    await take(named('a'));
    expect(await keep(named('a'), 10_000)).toBe(true);
    expect(await take(named('b'), 10_000 + leaseMs - 1)).toBe(false);
    expect(await take(named('b'), 10_000 + leaseMs)).toBe(true);
  });

  it('is not taken from a holder whose clock is a little ahead, but after a clock rollback', async () => {
    await take(named('a'));
    expect(await take(named('b'), -leaseMs)).toBe(false);
    expect(await take(named('b'), -leaseMs - 1)).toBe(true);
  });

  it('is free as soon as its holder gives it back; nobody else can', async () => {
    await take(named('a'));
    await give(named('b'));
    expect(await take(named('b'))).toBe(false);
    await give(named('a'));
    expect(await take(named('b'))).toBe(true);
  });

  it.each([
    ['another name', named('a', 'two')],
    ['the same name in another workspace', { ...named('a'), workspaceId: 'T2' }],
  ])('%s has a lease of its own, even of the same holder', async (_, other) => {
    expect(await take(named('a'))).toBe(true);
    expect(await take(other)).toBe(true);
    await keep(other, 10_000);
    expect(await take(named('b'), leaseMs)).toBe(true);
    await give(named('b'));
    await take(named('a'), 10_000);
    await give(other);
    expect(await take(named('b'), 10_000)).toBe(false);
  });
});
