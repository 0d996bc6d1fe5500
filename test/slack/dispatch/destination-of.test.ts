import { expect, test } from 'vitest';
import { destinationOf } from '../../../src/slack/dispatch/ask.ts';

test.each([
  ['C024BE7LR', 'channel'],
  ['G024BE7LR', 'channel'],
  ['D024BE7LR', 'direct-message'],
  ['U024BE7LR', 'response'],
])('%s is the id of a %s', (channelId, destination) => {
  expect(destinationOf({ channelId, user: { id: 'U024BE7LR', teamId: 'T1' } })).toBe(destination);
});
