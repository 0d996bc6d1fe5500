import { expect, test } from 'vitest';
import { homeOf } from '../../../src/slack/connection/installation.ts';

test('a person of another team is an outsider, unless both teams are of one organisation', () => {
  const installation = {
    teamId: 'T1',
    teamName: 'One',
    enterpriseId: undefined,
    botUserId: 'U1',
    botId: 'B1',
  };
  expect(homeOf({ teamId: 'T1' }, installation)).toBe('inside');
  expect(homeOf({ teamId: undefined }, installation)).toBe('unknown');
  expect(homeOf({ teamId: 'T2' }, installation)).toBe('outside');
  expect(homeOf({ teamId: 'T2', enterpriseId: 'E2' }, installation)).toBe('outside');
  expect(homeOf({ teamId: 'T2', enterpriseId: 'E1' }, { ...installation, enterpriseId: 'E1' })).toBe(
    'inside',
  );
});
