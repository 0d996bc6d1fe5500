import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { connectDatabase, connectTool, type Database } from '../../src/database/connect.ts';
import { storeOf } from '../../src/database/workspace-store.ts';
import { createVesselNames } from '../../src/features/vessels/vessel-names.ts';
import type { Imo } from '../../src/reference/imo.ts';
import { createChannelSettingsStore, createGuestSetting } from '../../src/workspaces/settings.ts';
import { openPostgres, seedWorkspace, type TestStore, workspaceId } from '../support/store-engines.ts';
import { createStoreLogger } from '../support/store-logger.ts';

/** A SQLite file with a bot, and a tool beside it. */
async function openFile(): Promise<TestStore> {
  const location = {
    dataDir: await mkdtemp(join(tmpdir(), 'landfall-second-')),
    logger: createStoreLogger(),
  };
  const database = await connectDatabase(location);
  const tool = await connectTool(location);
  return {
    database,
    another: async () => tool,
    async close() {
      await tool.close();
      await database.close();
      await rm(location.dataDir, { recursive: true });
    },
  };
}

describe.each([
  { engine: 'sqlite', open: openFile },
  { engine: 'postgres', open: openPostgres },
])('what a second connection changes, $engine', ({ open }) => {
  it('shows in the running bot after a second', async () => {
    const store = await open();
    await seedWorkspace(store.database);
    const clock = { realMs: 1_000_000 };
    let ids = 0;
    const servicesOf = ({ db }: Database) => {
      ids += 1;
      const name = `connection ${ids}`;
      let changes = 0;
      const newId = () => {
        changes += 1;
        return `${name}, change ${changes}`;
      };
      const options = {
        store: storeOf(db, workspaceId),
        realNow: () => clock.realMs,
        now: () => new Date(clock.realMs),
        newId,
      };
      return {
        names: createVesselNames(options),
        channels: createChannelSettingsStore(options),
        guests: createGuestSetting(options),
      };
    };
    const bot = servicesOf(store.database);
    const tool = servicesOf(await store.another());
    const seen = async () => ({
      names: (await bot.names.list()).map(({ name }) => name),
      mode: (await bot.channels.getCached('C1')).mode,
      guests: await bot.guests.getCached(),
    });
    const before = { names: [], mode: 'broadcast-critical', guests: 'ask' };
    expect(await seen()).toEqual(before);

    const by = { actorId: 'U1', now: new Date(0) };
    await tool.names.save([{ imo: 9461477 as Imo, name: 'DS CYPRESS' }], by);
    await tool.channels.save('C1', { change: { mode: 'thread' }, ...by, id: 'settings' });
    await tool.guests.change('none', { userId: 'U1', isAdmin: true });
    clock.realMs += 1_000;
    expect(await seen()).toEqual(before);
    clock.realMs += 1;
    expect(await seen()).toEqual({ names: ['DS CYPRESS'], mode: 'thread', guests: 'none' });

    await tool.names.forget([9461477 as Imo], by);
    clock.realMs += 1_001;
    expect((await seen()).names).toEqual([]);
    await store.close();
  });
});
