import { expect, test } from 'vitest';
import { isOutside } from '../../../src/slack/connection/installation.ts';

test('a person is outside by team, unless the organisation is one', () => {
  const installation = {
    teamId: 'T1',
    teamName: 'One',
    enterpriseId: undefined,
    botUserId: 'U1',
    botId: 'B1',
  };
  expect(isOutside({ teamId: 'T1' }, installation)).toBe(false);
  expect(isOutside({ teamId: undefined }, installation)).toBe(false);
  expect(isOutside({ teamId: 'T2' }, installation)).toBe(true);
  expect(isOutside({ teamId: 'T2', enterpriseId: 'E2' }, installation)).toBe(true);
  expect(isOutside({ teamId: 'T2', enterpriseId: 'E1' }, { ...installation, enterpriseId: 'E1' })).toBe(
    false,
  );
});
