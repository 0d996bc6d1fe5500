import { beforeAll, expect, test } from 'vitest';
import type { WorkspaceServices } from '../../../src/features/services.ts';
import { describeSubject } from '../../../src/features/watches/form/watch-form.ts';
import { runContext } from '../../support/run-command.ts';
import { openSqlite, seedWorkspace } from '../../support/store-engines.ts';
import { useStore } from '../../support/use-store.ts';
import { createFleets } from '../../support/vessel-stores.ts';
import { createWatchFixture } from '../../support/watch-fixture.ts';
import { createWatchServiceHarness } from '../../support/watch-service-harness.ts';
import { cypress, diana } from '../../support/watch-story.ts';

const store = useStore(openSqlite);
let services: WorkspaceServices;
beforeAll(async () => {
  await seedWorkspace(store.database);
  services = createWatchServiceHarness(createWatchFixture(store.database), store.database).services;
  const by = { actorId: 'U1', now: services.now() };
  await createFleets(services).add({ name: 'North', imos: [cypress, diana] }, by);
});

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
  const described = await describeSubject(typed, { ...runContext(), services });
  expect(described.text).toContain(text);
  expect(described.isPort).toBe(isPort);
});
