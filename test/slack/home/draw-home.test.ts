import { expect, test } from 'vitest';
import { createState } from '../../../src/features/ctx.ts';
import type { Feature } from '../../../src/features/feature.ts';
import { silentLogger } from '../../../src/log.ts';
import { measureNothing } from '../../../src/measure.ts';
import { createSharedSlack, type SlackContext } from '../../../src/slack/context.ts';
import { drawHome, readPlace } from '../../../src/slack/home/draw-home.ts';

const all = [{ home: { name: 'watches' } }, { home: { name: 'digests' } }] as Feature[];

test('only the last of many clicks during a drawing is drawn', async () => {
  const gate = Promise.withResolvers<void>();
  const published: string[] = [];
  const views = {
    async publish({ view }: { view: { private_metadata: string } }) {
      published.push(view.private_metadata);
      await gate.promise;
    },
  };
  const common = { realNow: () => 0, logger: silentLogger };
  // In a workspace that is paused, a drawing uses no more than this.
  const slack = {
    ...createSharedSlack({ ...common, fetch, isAgent: false, measure: measureNothing }),
    ctx: { services: { ...common, state: createState(), now: () => new Date(0), source: 'service' } },
    ...{ all, commands: [], clients: { posts: { views } }, isPaused: async () => true },
    lookups: { personOf: async () => ({}) },
  } as unknown as SlackContext;
  const draw = (userId: string, place: string) => drawHome({ userId, place: readPlace(place, all) }, slack);
  const draws = Array.from({ length: 50 }, (_, index) => draw('U1', `digests all ${index + 1}`));
  const others = draw('U2', 'watches all 1');
  gate.resolve();
  await Promise.all([...draws, others]);
  expect(published).toEqual(['digests all 1', 'watches all 1', 'digests all 50']);
  await draw('U1', 'digests all 7');
  expect(published).toHaveLength(4);
});
