import { expect, test } from 'vitest';
import { membershipOf } from '../../../src/slack/connection/installation.ts';

test('a person of another team is an outsider, unless both teams are of one organisation', () => {
  const installation = {
    teamId: 'T1',
    teamName: 'One',
    enterpriseId: undefined,
    botUserId: 'U1',
    botId: 'B1',
  };
  expect(membershipOf({ teamId: 'T1' }, installation)).toBe('inside');
  expect(membershipOf({ teamId: undefined }, installation)).toBe('unknown');
  expect(membershipOf({ teamId: 'T2' }, installation)).toBe('outside');
  expect(membershipOf({ teamId: 'T2', enterpriseId: 'E2' }, installation)).toBe('outside');
  expect(membershipOf({ teamId: 'T2', enterpriseId: 'E1' }, { ...installation, enterpriseId: 'E1' })).toBe(
    'inside',
  );
});
