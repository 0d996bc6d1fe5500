import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { undoStop } from '../../../../src/features/watches/button-values.ts';
import { openSqlite, seedWorkspace, type TestStore } from '../../../support/store-engines.ts';
import { createWatchFixture } from '../../../support/watch-fixture.ts';
import {
  ada,
  createWatchServiceHarness,
  request,
  type WatchServiceHarness,
} from '../../../support/watch-service-harness.ts';
import { cypress } from '../../../support/watch-story.ts';

describe('a personal watch', () => {
  let store: TestStore;
  let harness: WatchServiceHarness;
  beforeAll(async () => {
    store = await openSqlite();
  });
  afterAll(() => store.close());
  beforeEach(async () => {
    await store.database.db.deleteFrom('workspaces').execute();
    await seedWorkspace(store.database);
    const fixture = createWatchFixture(store.database);
    fixture.vessels.set(cypress, { NLRTM: [0.9, 300] });
    harness = createWatchServiceHarness(fixture, store.database);
  });

  const direct = { channelId: 'D1', destination: 'direct-message' } as const;
  const response = { channelId: 'U1', destination: 'response' } as const;
  const channel = { channelId: 'C1', destination: 'channel' } as const;

  it("is in the person's direct message, and only they can change it", async () => {
    const { watch } = await harness.service.add(request(response), ada);
    expect(await harness.service.find(watch.id)).toMatchObject(direct);
    const admin = { userId: 'U9', isAdmin: true, channelId: 'C1' };
    harness.channels.set('U9', new Set(['C1', 'D1']));
    await expect(harness.service.stop(watch.id, admin)).rejects.toMatchObject({ code: 'unknown-watch' });
    expect(await harness.service.stop(watch.id, ada)).toMatchObject(direct);
  });

  it.each([direct, channel])('is back in the same place after Undo: $destination', async (place) => {
    const { watch } = await harness.service.add(request(place), { ...ada, channelId: place.channelId });
    const undo = undoStop(await harness.service.stop(watch.id, ada)) ?? '';
    expect((await harness.service.undo(undo, ada)).watch).toMatchObject(place);
  });

  it.each([
    direct,
    channel,
  ])('is back in the same place after the Undo of an older button: $destination', async (place) => {
    const { watch } = await harness.service.add(request(place), { ...ada, channelId: place.channelId });
    const { destination, ...older } = JSON.parse(undoStop(await harness.service.stop(watch.id, ada)) ?? '{}');
    expect(destination).toBe(place.destination);
    expect((await harness.service.undo(JSON.stringify(older), ada)).watch).toMatchObject(place);
  });
});
