import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { storeCommands } from '../support/store-commands.ts';
import { openPostgres, openSqlite, type TestStore } from '../support/store-engines.ts';
import { contentsOf, createStoreWorld } from '../support/store-world.ts';

let stores: { sqlite: TestStore; postgres: TestStore };
beforeAll(async () => {
  stores = { sqlite: await openSqlite(), postgres: await openPostgres() };
});
afterAll(() => Promise.all(Object.values(stores).map((store) => store.close())));

it('both engines answer the same to the same actions, and store the same', async () => {
  await fc.assert(
    fc.asyncProperty(fc.commands(storeCommands, { size: 'max', maxCommands: 100 }), async (commands) => {
      const sqlite = await createStoreWorld(stores.sqlite);
      const postgres = await createStoreWorld(stores.postgres);
      await fc.asyncModelRun(() => ({ model: sqlite, real: postgres }), commands);
      expect(await contentsOf(postgres)).toEqual(await contentsOf(sqlite));
    }),
    { numRuns: 12 },
  );
});
