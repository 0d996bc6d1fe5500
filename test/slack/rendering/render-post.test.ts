import { afterAll, beforeAll, expect, test } from 'vitest';
import { createVesselDirectory } from '../../../src/grammar/create-vessel-directory.ts';
import type { Outgoing } from '../../../src/outbox/outbox-rows.ts';
import { createRender } from '../../../src/slack/rendering/render-post.ts';
import { openEmbedded, seedWorkspace, type TestStore, workspaceId } from '../../support/store-engines.ts';
import { vessel } from '../../support/watch-desk.ts';
import { createWatchRoom } from '../../support/watch-room.ts';
import { cypress, hour } from '../../support/watch-story.ts';

let store: TestStore;
beforeAll(async () => {
  store = await openEmbedded();
  await seedWorkspace(store.database);
});
afterAll(() => store.close());

test('what is said of a watch names its vessels as they are called when it is sent', async () => {
  const { db } = store.database;
  const watch = await createWatchRoom(store.database).watch([vessel()], { title: 'IMO 9461477' });
  const render = createRender({
    db,
    client: {} as never, // No links are asked for.
    people: { of: async () => ({ name: 'Ada' }) } as never, // Only names are asked for.
    audiences: { of: async () => 'channel' },
    names: async () => createVesselDirectory([{ imo: cypress, name: 'NEW NAME' }]),
    source: 'service',
    now: () => hour(0),
  });
  const shown = async (message: Outgoing) => {
    const post = { id: 'P', workspaceId, channelId: 'C1', message, members: [], isPossiblyRepeated: false };
    return (await render.post({ ...post, watch })).text;
  };
  const where = { channelId: 'C1', reason: 'is_archived' };
  const titles = ['IMO 9461477', 'of old'];
  const events: [] = [];
  for (const message of [
    { kind: 'notice', title: 'IMO 9461477', ...where },
    { kind: 'summary', members: [], items: [{ watchId: watch.id, title: 'IMO 9461477', events, more: 0 }] },
  ] satisfies Outgoing[]) {
    expect(await shown(message)).toContain('NEW NAME');
  }
  const post = { id: 'P', workspaceId, channelId: 'U1', members: [], isPossiblyRepeated: false, watch: null };
  const message = {
    kind: 'channel-notice' as const,
    watches: titles,
    watchIds: [watch.id],
    digests: [],
    ...where,
  };
  const { blocks } = await render.post({ ...post, message });
  expect(JSON.stringify(blocks)).toContain('NEW NAME · of old');
});
