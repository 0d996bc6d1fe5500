import { expect, test, vi } from 'vitest';
import { describeSubject } from '../../../src/features/watches/form/subject-field.ts';
import { runContext } from '../../support/run-command.ts';
import { cypress } from '../../support/watch-story.ts';
import { diana } from '../../support/watch-view-fixtures.ts';

vi.mock('../../../src/features/vessels/index.ts', async (importOriginal) => ({
  ...(await importOriginal<object>()),
  fleetsHere: () => ({ get: async () => ({ name: 'North', imos: [cypress, diana] }) }),
}));

test.each([
  ['fleet:north at Rotterdam', '✓ Fleet North, 2 vessels now: who is expected at Rotterdam (NLRTM)', true],
  [
    'list:FEEDERS at nl rtm',
    '✓ List FEEDERS, which the provider keeps: who is expected at Rotterdam (NLRTM)',
    true,
  ],
  ['fleet:north', '✓ Fleet North, 2 vessels now', false],
  ['port Rotterdam', '✓ Port Rotterdam (NLRTM): who is coming', true],
  ['watch MSC DIANA at Roterdam', "⚠ “Roterdam” isn't a known port.", false],
])('the form reads %s', async (typed, text, isPort) => {
  const described = await describeSubject(typed, runContext());
  expect(described.text).toContain(text);
  expect(described.isPort).toBe(isPort);
});
