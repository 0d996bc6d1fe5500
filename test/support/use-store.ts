import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { seedWorkspace, type TestStore } from './store-engines.ts';

/** A store for the tests of this `describe`: one for all, or one for each. It can be used once they run. */
export function useStore(open: () => Promise<TestStore>, { perTest = false } = {}): TestStore {
  let store: TestStore;
  const [before, after] = perTest ? [beforeEach, afterEach] : [beforeAll, afterAll];
  before(async () => {
    store = await open();
  });
  after(() => store.close());
  return {
    get database() {
      return store.database;
    },
    another: () => store.another(),
    close: () => store.close(),
  };
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
