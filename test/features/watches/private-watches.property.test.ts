import fc from 'fast-check';
import { expect, test } from 'vitest';
import { storeOf } from '../../../src/database/workspace-store.ts';
import type { AskCtx } from '../../../src/features/ctx.ts';
import { pausableWatches } from '../../../src/features/watches/index.ts';
import type { Subject } from '../../../src/predictions/next-port.ts';
import type { Imo, Locode } from '../../../src/reference/codes.ts';
import { now, reader } from '../../support/run-command.ts';
import { workspaceId } from '../../support/store-engines.ts';
import { useStarted } from '../../support/use-started.ts';
import { createWatchCommands } from '../../support/watch-commands.ts';
import { cypress, diana, exactRules, hour, type Ports } from '../../support/watch-story.ts';

const person = 'U0WATCHER1';
const here = 'C0WATCHED1';
const elsewhere = 'C0WATCHED2';
const foreigner = 'U1';

const commands = useStarted(createWatchCommands);

const vessel = (imo: Imo): Subject => ({ kind: 'vessel', imo });
const targets = {
  vessel: { subjects: [vessel(cypress)], fleet: null, portGroup: null, condition: null },
  list: { subjects: [{ kind: 'shiplist', name: 'FEEDERS' }], fleet: null, portGroup: null, condition: null },
  fleet: { subjects: [vessel(cypress), vessel(diana)], fleet: 'NORTH', portGroup: null, condition: null },
  port: {
    subjects: [{ kind: 'port', port: 'NLRTM' as Locode }],
    fleet: null,
    portGroup: null,
    condition: null,
  },
  'list at a port': {
    subjects: [{ kind: 'shiplist', name: 'FEEDERS' }],
    fleet: null,
    portGroup: null,
    condition: { port: 'NLRTM' as Locode, imos: null },
  },
} satisfies Record<
  string,
  { subjects: Subject[]; fleet: string | null; portGroup: null; condition: unknown }
>;
const about = fc.constantFrom(...(Object.keys(targets) as (keyof typeof targets)[]));

const places = {
  'of the channel': { channelId: here, destination: 'channel', ownerId: foreigner },
  'of another channel of the person': { channelId: elsewhere, destination: 'channel', ownerId: foreigner },
  personal: { channelId: 'D0WATCHER1', destination: 'direct-message', ownerId: person },
  foreign: { channelId: 'D1', destination: 'direct-message', ownerId: foreigner },
  'of a private channel': { channelId: 'C0PRIVATE1', destination: 'channel', ownerId: foreigner },
} as const;

const asked = (now.getTime() - hour(0).getTime()) / 3_600_000;
/** Once a day, so that a port has a norm; then every six hours, until an hour before the questions. */
const last = asked - 1;
const steps = [
  ...Array.from({ length: 16 }, (_, day) => last - 24 * (20 - day)),
  ...Array.from({ length: 16 }, (_, index) => last - 6 * (15 - index)),
];
const step = fc.nat({ max: steps.length - 1 });
const watchIn = (...where: (keyof typeof places)[]) =>
  fc.record({
    of: about,
    where: fc.constantFrom(...where),
    from: step,
    /** Steps until it is stopped. */
    for: fc.option(fc.integer({ min: 1, max: 12 }), { nil: undefined, freq: 2 }),
    /** Steps until Slack refuses its messages. */
    pausedAfter: fc.option(fc.integer({ min: 1, max: 12 }), { nil: undefined, freq: 2 }),
  });
type StoryWatch = ReturnType<typeof watchIn> extends fc.Arbitrary<infer Watch> ? Watch : never;

/** Calls of a fixed length, one after the other, each predicted with the next. */
function predicted(at: number, hours: number): Ports {
  const ports = ['DEHAM', 'NLRTM', 'GBFXT', 'BEANR'];
  const index = Math.floor((at + 1_000) / hours);
  const eta = (index + 1) * hours - 1_000;
  return {
    [ports[index % 4] ?? '']: [0.7 + (index % 3) / 10, eta + (at % 5)],
    [ports[(index + 1) % 4] ?? '']: [0.3, eta + hours],
  };
}

const inChannel = {};
const inDirectMessage: Partial<AskCtx> = {
  place: { channelId: 'D0WATCHER1', destination: 'direct-message' },
};
const lines = [
  ...[cypress, diana].flatMap((imo) => [`nextport ${imo} history`, `watch stability ${imo}`]),
  `nextport ${cypress}`,
  'nextport watched',
  'nextport list:FEEDRES',
  'watch stability',
  'watch stability mine',
  'watch stability all',
  'watch stability fleet:NORTH',
  'watch stability list:feeders',
  'watch stability Hamburg to Rotterdam',
  'watch changes last 4 days',
  'watch changes mine',
  'watch changes all last 2 weeks',
  `watch changes of ${cypress} last 4 days`,
  'watch changes of list:FEEDERS last 4 days',
  'watch changes at Rotterdam last 4 days',
  'watch list',
  'watch list mine',
  'watch list all',
  'portcalls Rotterdam by day',
  'portcalls Rotterdam, Hamburg tomorrow',
  'watch stop list:FEEDERS',
  'vessel fleets',
  'landfall settings',
  // These change something, and say how many watches follow, or what a new watch would take.
  'vessel fleet NORTH add 9811000',
  'watch list:FEEDERS',
  `watch ${cypress}`,
  'watch port Rotterdam',
  'watch fleet:NORTH',
  'watch list',
  'watch changes last 4 days',
];
const tools = [
  ['nextport_history', { vessel: String(cypress) }],
  ['watch_stability', { vessel: String(cypress) }],
  ['watch_stability', {}],
  ['watch_list', {}],
  ['watch_changes', {}],
  ['watch_changes', { vessel: 'fleet:NORTH' }],
] as const;

/** Ids are made in one order for everybody, and the calls of all watches together are no secret. */
const withoutIds = (value: unknown): string =>
  (JSON.stringify(value) ?? 'none')
    .replaceAll(/id-\d+|card-\d+|1700000000\.\d+/g, 'id')
    .replaceAll(/All watches together use about [\d,]+ API calls a day at present/g, 'calls of all watches');

/** Every answer that the person gets after this story. */
async function answersAfter(watches: readonly StoryWatch[]): Promise<string[]> {
  await commands.reset();
  const { fixture } = commands;
  fixture.poller = fixture.openPoller({ fixedMinutes: 360 });
  commands.channels.set(person, new Set([here, elsewhere]));
  fixture.clock.hours = steps[0] ?? 0;
  await commands.answer(`vessel fleet NORTH add ${cypress}, ${diana}`);
  const ids = new Map<StoryWatch, string>();
  for (const [index, hours] of steps.entries()) {
    fixture.clock.realMs += (hours - fixture.clock.hours) * 3_600_000;
    fixture.clock.hours = hours;
    fixture.vessels.set(cypress, predicted(hours, 60));
    fixture.vessels.set(diana, predicted(hours + 30, 84));
    fixture.lists.set('FEEDERS', { [cypress]: predicted(hours, 60), [diana]: predicted(hours + 30, 84) });
    for (const watch of watches) {
      if (watch.from === index) {
        const draft = { title: watch.of, cardTs: 'card-1', rules: exactRules };
        const { id } = await fixture.store.create(
          { ...draft, ...places[watch.where], ...targets[watch.of] },
          fixture.by(),
        );
        ids.set(watch, id);
      }
      const id = ids.get(watch);
      if (id !== undefined && watch.for !== undefined && watch.from + watch.for === index)
        await fixture.store.stop(id, fixture.by());
      if (id !== undefined && watch.pausedAfter !== undefined && watch.from + watch.pausedAfter === index)
        await pausableWatches.pause(storeOf(commands.db, workspaceId), {
          ...{ of: { ids: [id] }, code: 'is_archived', now: fixture.by().now },
        });
    }
    await fixture.at(hours);
  }
  fixture.clock.hours = asked;
  const answers: string[] = [];
  for (const [where, context] of [
    ['here', inChannel],
    ['alone', inDirectMessage],
  ] as const) {
    for (const [name, input] of tools) {
      const output = commands.call(name, input, context).then(
        (answer) => answer.output({ ...reader, now }),
        (error: Error) => error.message,
      );
      answers.push(`${where} ${name}: ${withoutIds(await output)}`);
    }
    for (const line of lines) {
      const shown = await commands.answer(line, context).then(
        (answer) => [
          answer.view({ ...reader, now }),
          [...(answer.tables({ ...reader, now })[0]?.rows() ?? [])],
        ],
        (error: Error) => [error.message, error],
      );
      answers.push(`${where} ${line}: ${withoutIds(shown)}`);
    }
  }
  return answers;
}

test('what a person may not list changes no answer to them', { timeout: 600_000 }, async () => {
  const own = fc.array(watchIn('of the channel', 'of another channel of the person', 'personal'), {
    maxLength: 2,
  });
  const foreign = fc.array(watchIn('foreign', 'of a private channel'), { minLength: 1, maxLength: 2 });
  await fc.assert(
    fc.asyncProperty(own, foreign, async (theirs, others) => {
      expect(await answersAfter([...theirs, ...others])).toEqual(await answersAfter(theirs));
    }),
    { numRuns: Number(process.env.FAST_CHECK_RUNS ?? 10) },
  );
});
