import { expect, test } from 'vitest';
import type { Dispatch } from '../../../src/slack/dispatch/dispatch.ts';
import { createDrawHome, type DrawHomeOptions, readPlace } from '../../../src/slack/home/draw-home.ts';

test('of many clicks while the Home tab is drawn only the last is drawn', async () => {
  const gate = Promise.withResolvers<void>();
  const published: string[] = [];
  const views = {
    async publish({ view }: { view: { private_metadata: string } }) {
      published.push(view.private_metadata);
      await gate.promise;
    },
  };
  const said = { text: 'words', blocks: [] };
  const dispatch: Dispatch = (_, { decline }) => decline(said);
  // No more of them is asked than this.
  const options = { dispatch, client: { views }, realNow: () => 0 } as unknown as DrawHomeOptions;
  const tab = createDrawHome(options);
  const draws = Array.from({ length: 50 }, (_, index) =>
    tab.draw({ userId: 'U1', place: readPlace(`digests all ${index + 1}`) }),
  );
  const others = tab.draw({ userId: 'U2', place: readPlace('watches all 1') });
  gate.resolve();
  await Promise.all([...draws, others]);
  expect(published).toEqual(['digests all 1', 'watches all 1', 'digests all 50']);
  await tab.draw({ userId: 'U1', place: readPlace('digests all 7') });
  expect(published).toHaveLength(4);
});
