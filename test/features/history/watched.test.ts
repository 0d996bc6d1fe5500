import { beforeEach, describe, expect, it } from 'vitest';
import { storeOf } from '../../../src/database/workspace-store.ts';
import { watchedLists, watchedVessels } from '../../../src/features/history/subject.ts';
import type { Imo, Locode } from '../../../src/reference/codes.ts';
import { engines, seedWorkspace, workspaceId } from '../../support/store-engines.ts';
import { useStore } from '../../support/use-store.ts';
import { createWatchFixture } from '../../support/watch-fixture.ts';
import { ada, ben } from '../../support/watch-service-harness.ts';
import { cypress, diana, vessel } from '../../support/watch-story.ts';

describe.each(engines)('what is watched, $engine', ({ open }) => {
  const store = useStore(open, { perTest: true });
  beforeEach(async () => {
    await seedWorkspace(store.database);
  });

  it('is that of a channel or a person, with the vessels of lists, and without ports', async () => {
    const fixture = createWatchFixture(store.database);
    const services = {
      store: storeOf(store.database.db, workspaceId),
      access: { mayUse: async (_: string, actor: { userId: string }) => actor.userId !== ben.userId },
    };
    const at = { port: 'NLRTM' as Locode, imos: [9811000 as Imo] };
    fixture.lists.set('L', { [diana]: { NLRTM: [0.9, 300] } });
    await fixture.watch([vessel()]);
    await fixture.watch([{ kind: 'shiplist', name: 'L' }]);
    await fixture.watch([{ kind: 'port', port: at.port }], { condition: at });
    const here = { channelId: 'C1' };
    expect(await watchedVessels(here, ada, services)).toEqual([cypress]);
    await fixture.at(0);
    expect(await watchedVessels(here, ada, services)).toEqual([cypress, diana]);
    expect(await watchedVessels({ ownerId: 'U1' }, ada, services)).toEqual([cypress, diana]);
    expect(await watchedVessels({ channelId: 'C2' }, ada, services)).toEqual([]);
    expect(await watchedLists(here, ada, services)).toEqual(['L']);
    expect(await watchedLists({ ownerId: 'U1' }, ada, services)).toEqual(['L']);
    await expect(watchedVessels(here, ben, services)).rejects.toThrow(
      'You are not in that channel, or Landfall is not.',
    );
    expect(await watchedLists(here, ben, services)).toEqual([]);
  });
});
