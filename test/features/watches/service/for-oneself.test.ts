import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { undoStop } from '../../../../src/features/watches/service/undo.ts';
import { openEmbedded, seedWorkspace, type TestStore } from '../../../support/store-engines.ts';
import { ada, createDeskRoom, type DeskRoom, request } from '../../../support/watch-desk.ts';
import { createWatchRoom } from '../../../support/watch-room.ts';
import { cypress } from '../../../support/watch-story.ts';

describe('a watch for oneself', () => {
  let store: TestStore;
  let desks: DeskRoom;
  beforeAll(async () => {
    store = await openEmbedded();
  });
  afterAll(() => store.close());
  beforeEach(async () => {
    await store.database.db.deleteFrom('workspaces').execute();
    await seedWorkspace(store.database);
    const room = createWatchRoom(store.database);
    room.vessels.set(cypress, { NLRTM: [0.9, 300] });
    desks = createDeskRoom(room, store.database);
  });

  const direct = { channelId: 'D1', destination: 'direct-message' } as const;
  const response = { channelId: 'U1', destination: 'response' } as const;
  const channel = { channelId: 'C1', destination: 'channel' } as const;

  it("stands in the person's direct message, and is nobody else's", async () => {
    const { watch } = await desks.desk.add(request(response), ada);
    expect(await desks.desk.find(watch.id)).toMatchObject(direct);
    const admin = { userId: 'U9', isAdmin: true, channelId: 'C1' };
    desks.channels.set('U9', new Set(['C1', 'D1']));
    await expect(desks.desk.stop(watch.id, admin)).rejects.toMatchObject({ code: 'not-allowed' });
    expect(await desks.desk.stop(watch.id, ada)).toMatchObject(direct);
  });

  it.each([direct, channel])('comes back by Undo where it stood: $destination', async (place) => {
    const { watch } = await desks.desk.add(request(place), { ...ada, channelId: place.channelId });
    const undo = undoStop(await desks.desk.stop(watch.id, ada)) ?? '';
    expect((await desks.desk.undo(undo, ada)).watch).toMatchObject(place);
  });

  it.each([direct, channel])('does so by a button made before that was kept: $destination', async (place) => {
    const { watch } = await desks.desk.add(request(place), { ...ada, channelId: place.channelId });
    const { destination, ...older } = JSON.parse(undoStop(await desks.desk.stop(watch.id, ada)) ?? '{}');
    expect(destination).toBe(place.destination);
    expect((await desks.desk.undo(JSON.stringify(older), ada)).watch).toMatchObject(place);
  });
});
