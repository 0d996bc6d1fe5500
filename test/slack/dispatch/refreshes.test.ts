import { expect, test } from 'vitest';
import { createRefreshes } from '../../../src/slack/dispatch/work.ts';

test('a question is refreshed once a minute, unless it failed', () => {
  let now = 1_000_000;
  const refreshes = createRefreshes({ realNow: () => now });
  expect(refreshes.claim('a')).toEqual({ granted: true });
  now += 30_000;
  expect(refreshes.claim('a')).toEqual({ granted: false, agoMs: 30_000 });
  expect(refreshes.claim('b')).toEqual({ granted: true });
  refreshes.release('a');
  expect(refreshes.claim('a')).toEqual({ granted: true });
  now += 60_001;
  expect(refreshes.claim('a')).toEqual({ granted: true });
});
