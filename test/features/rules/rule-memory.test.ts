import { expect, test } from 'vitest';
import type { Locode } from '../../../src/reference/codes.ts';
import { createStory, cypress, hour } from '../../support/watch-story.ts';

test('memory that cannot be read starts anew, and the poll goes on', () => {
  const story = createStory({ due: [{ port: 'NLRTM' as Locode, at: hour(200) }] }, { NLRTM: [0.9, 100] });
  const { state } = story;
  const known = state?.kind === 'vessels' ? state.vessels[cypress] : undefined;
  if (!known) throw new Error('no state');
  known.memory = { due: 'of a later version' };
  known.calls = {
    NLRTM: { sequence: 1, memory: { arrivingHours: 'all', below: [], overdueHours: 7, etaMoved: 'once' } },
  };
  expect(story.poll(1, { NLRTM: [0.9, 100] })).toEqual([]);
  expect(story.poll(2, { NLRTM: [0.9, 210] })).toEqual(['due']);
});
