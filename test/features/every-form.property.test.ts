import { createViewReader } from 'bolt-playground/checks';
import fc from 'fast-check';
import { beforeAll, test } from 'vitest';
import type { AskCtx, Place } from '../../src/features/ctx.ts';
import type { Form, OpenedForm } from '../../src/features/feature.ts';
import { defaultRules } from '../../src/features/rules/registry.ts';
import type { WorkspaceServices } from '../../src/features/services.ts';
import { fleetForm } from '../../src/features/vessels/fleet-form.ts';
import { nameForm } from '../../src/features/vessels/form.ts';
import { snooze } from '../../src/features/watches/form/snooze-form.ts';
import { watch as watchForm } from '../../src/features/watches/form/watch-form.ts';
import { formView } from '../../src/slack/forms/open-form.ts';
import { anImo, aPort, aTime, nasty } from '../support/answer-arbitraries.ts';
import { reader, runContext } from '../support/run-command.ts';
import { openSqlite, seedWorkspace } from '../support/store-engines.ts';
import { storeOfFleets } from '../support/store-of-fleets.ts';
import { useStore } from '../support/use-store.ts';
import { createFleets } from '../support/vessel-stores.ts';
import { cypress } from '../support/view-fixtures.ts';
import { createWatchFixture } from '../support/watch-fixture.ts';
import { createWatchServiceHarness } from '../support/watch-service-harness.ts';
import { watch } from '../support/watch-view-fixtures.ts';

const readView = createViewReader({ refusedTypes: new Set() });

/** Throws if Slack would refuse the form. */
function check(form: Form, opened: OpenedForm): void {
  readView(formView(form.name, opened, { channelId: 'C0OPS00001', onForm: true }), 'modal');
}

/** Checks the form as it opens, and after each of the clicks, with `typed` in every field. */
async function look(form: Form, target: object, { typed, context }: { typed: string; context: AskCtx }) {
  let opened = await form.open(target, context, reader);
  check(form, opened);
  const values = {
    text: (field: string) => (field === 'channel' ? 'C0OPS00001' : typed),
    ticked: () => [],
  };
  for (const id of ['what', 'more', 'imo', 'name', 'vessels']) {
    const memo: unknown = JSON.parse(JSON.stringify(opened.memo ?? null));
    const action = { id, value: '' };
    const step = await form.act(action, { values, target: opened.target, memo }, context, reader);
    if (step?.kind === 'state') opened = step.state;
    check(form, opened);
  }
}

const hours = fc.integer({ min: 1, max: 240 });
const aWatch = fc
  .record({
    title: nasty,
    isPort: fc.boolean(),
    imo: anImo,
    port: aPort,
    etaMoved: fc.option(fc.record({ hours, isScaled: fc.constant(false) })),
    arrivingHours: fc.uniqueArray(hours, { maxLength: 5 }),
    due: fc.array(fc.record({ port: aPort, at: aTime }), { maxLength: 8, size: 'max' }),
    quiet: fc.option(fc.constant({ from: '22:00', to: '06:00', zone: 'America/Argentina/Buenos_Aires' })),
  })
  .map(({ title, isPort, imo, port, ...rules }) =>
    watch({
      title,
      rules: { ...defaultRules, ...rules },
      followedSubjects: [
        {
          subject: isPort ? { kind: 'port', port } : { kind: 'vessel', imo },
          state: null,
          nextPollAt: reader.now,
          polledAt: null,
          latest: null,
          failingSince: null,
        },
      ],
    }),
  );

const typedWords = fc.oneof(nasty, fc.constantFrom('9461477', 'port Rotterdam', 'fleet:NORTH', 'list:A'));
const aPlace = fc.constantFrom<Place>(
  { channelId: 'C0OPS00001', destination: 'channel' },
  { channelId: 'D0ADA0001', destination: 'direct-message' },
  { channelId: 'U0ADA0001', destination: 'response' },
);

const store = useStore(openSqlite);
beforeAll(() => seedWorkspace(store.database));

test("every form keeps Slack's limits, whatever its subject and input", async () => {
  const some = fc.record({
    one: aWatch,
    typed: typedWords,
    place: aPlace,
    imos: fc.array(anImo, { minLength: 1, maxLength: 20, size: 'max' }),
    found: fc.option(fc.nat(40), { nil: undefined }),
    fleets: fc.array(nasty, { maxLength: 60 }),
  });
  const fixture = createWatchFixture(store.database);
  const { services: stored } = createWatchServiceHarness(fixture, store.database);
  const fleet = { name: 'NORTH', imos: [cypress.imo] };
  await createFleets(stored).add(fleet, { actorId: 'U0ADA0001', now: reader.now });
  await fc.assert(
    fc.asyncProperty(some, async ({ one, typed, place, imos, found, fleets }) => {
      const { channelId } = place;
      const subjects = one.followedSubjects.map(({ subject }) => subject);
      const { id: watchId } = await fixture.watch(subjects, { rules: one.rules, channelId });
      const vessels = { ...runContext().vessels, nameOf: () => one.title };
      const context: AskCtx = { ...runContext(), place, services: stored, vessels };
      const state = { typed, context };
      await look(watchForm, { subject: imos.join(', '), found }, state);
      await look(watchForm, { watchId }, state);
      check(snooze, await snooze.open({ watchId }, context, reader));
      // A fleet's name has at most 100 characters.
      const store = storeOfFleets(fleets.map((name) => ({ name: name.slice(0, 100), imos })));
      const services = { store } as WorkspaceServices;
      await look(nameForm, { imo: imos[0] }, { typed, context: { ...context, services } });
      await look(fleetForm, { imos }, { typed, context: { ...context, services } });
    }),
  );
});
