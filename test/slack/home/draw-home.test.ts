import { expect, test } from 'vitest';
import type { HomeSection } from '../../../src/features/feature.ts';
import type { Dispatch } from '../../../src/slack/dispatch/dispatch.ts';
import { createDrawHome } from '../../../src/slack/home/draw-home.ts';
import { readPlace } from '../../../src/slack/home/home-view.ts';

const sections = [{ name: 'watches' }, { name: 'digests' }] as HomeSection[];
const placeIn = (text: string) => readPlace(text, sections);

test('only the last of many clicks during a drawing is drawn', async () => {
  const gate = Promise.withResolvers<void>();
  const published: string[] = [];
  const views = {
    async publish({ view }: { view: { private_metadata: string } }) {
      published.push(view.private_metadata);
      await gate.promise;
    },
  };
  const said = { text: 'words', blocks: [] };
  const dispatch: Dispatch = async (_, { decline }) => decline?.(said);
  // Drawing uses no more of the options than this.
  const workspace = { all: [] };
  const options = { dispatch, workspace, client: { views }, realNow: () => 0 } as unknown as Parameters<
    typeof createDrawHome
  >[0];
  const tab = createDrawHome(options);
  const draws = Array.from({ length: 50 }, (_, index) =>
    tab.draw({ userId: 'U1', place: placeIn(`digests all ${index + 1}`) }),
  );
  const others = tab.draw({ userId: 'U2', place: placeIn('watches all 1') });
  gate.resolve();
  await Promise.all([...draws, others]);
  expect(published).toEqual(['digests all 1', 'watches all 1', 'digests all 50']);
  await tab.draw({ userId: 'U1', place: placeIn('digests all 7') });
  expect(published).toHaveLength(4);
});
