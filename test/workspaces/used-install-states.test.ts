import { beforeEach, describe, expect, it } from 'vitest';
import { takeInstallState } from '../../src/workspaces/save-installation.ts';
import { engines } from '../support/store-engines.ts';
import { useStore } from '../support/use-store.ts';

const now = new Date('2026-11-23T09:00:00Z');
const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000);

describe.each(engines)('the state of an install, $engine', ({ open }) => {
  const store = useStore(open);
  beforeEach(async () => {
    await store.database.db.deleteFrom('used_install_states').execute();
  });

  it('is used once, however many requests come at once, from any process', async () => {
    const other = await store.another();
    const dbs = Array.from({ length: 10 }, (_, index) => (index % 2 ? other : store.database).db);
    const used = await Promise.all(dbs.map((db) => takeInstallState(db, 'state', now)));
    expect(used.filter(Boolean)).toHaveLength(1);
    expect(await takeInstallState(other.db, 'state', later(11))).toBe(false);
    expect(await takeInstallState(other.db, 'another state', now)).toBe(true);
  });

  it('is forgotten when it has long expired', async () => {
    const { db } = store.database;
    await takeInstallState(db, 'state', now);
    await takeInstallState(db, 'another state', later(61));
    expect(await db.selectFrom('used_install_states').select('expires_at').execute()).toEqual([
      { expires_at: later(121) },
    ]);
  });
});
