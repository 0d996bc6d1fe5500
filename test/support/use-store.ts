import { beforeEach } from 'vitest';
import { seedWorkspace, type TestStore } from './store-engines.ts';
import { useStarted as useStore } from './use-started.ts';

export { useStore };

/** A store without a workspace, an installation or a login before each test of this `describe`. */
export function useEmptyStore(open: () => Promise<TestStore>): TestStore {
  const store = useStore(open);
  beforeEach(async () => {
    for (const table of ['workspaces', 'installations', 'logins', 'used_install_states'] as const)
      await store.database.db.deleteFrom(table).execute();
  });
  return store;
}

/** A store with one workspace, which is empty before each test of this `describe`. */
export function useWorkspace(open: () => Promise<TestStore>): TestStore {
  const store = useStore(open);
  beforeEach(async () => {
    await store.database.db.deleteFrom('workspaces').execute();
    await seedWorkspace(store.database);
  });
  return store;
}
