import { expect, test } from 'vitest';
import { destinationOf } from '../../src/slack/destination-of.ts';

test.each([
  ['C024BE7LR', 'channel'],
  ['G024BE7LR', 'channel'],
  ['D024BE7LR', 'direct-message'],
  ['U024BE7LR', 'response'],
])('%s names a place of the kind %s', (channelId, destination) => {
  expect(destinationOf({ channelId, userId: 'U024BE7LR' })).toBe(destination);
});
