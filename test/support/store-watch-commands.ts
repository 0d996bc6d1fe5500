import fc from 'fast-check';
import { storeOf } from '../../src/database/workspace-store.ts';
import { forgetHistory, readHistory } from '../../src/features/history/history.ts';
import { readCallPlan } from '../../src/features/polling/next-poll.ts';
import { listWatches } from '../../src/features/polling/watch-list.ts';
import type { PortCondition } from '../../src/features/rules/evaluation/snapshot.ts';
import { chooseRules } from '../../src/features/rules/registry.ts';
import type { Subject } from '../../src/predictions/ranking.ts';
import type { Locode } from '../../src/reference/locode.ts';
import {
  channelId,
  command,
  filter,
  idAt,
  imos,
  index,
  optional,
  page,
  text,
  userId,
} from './store-command.ts';
import { workspaceId } from './store-engines.ts';
import { hour } from './watch-story.ts';

const subjects: Subject[] = [
  ...imos.map((imo) => ({ kind: 'vessel', imo }) as const),
  { kind: 'shiplist', name: 'FEEDERS é' },
  { kind: 'port', port: 'NLRTM' as Locode },
];

const conditionOfAll: PortCondition = { port: 'NLRTM' as Locode, imos };

const fleetNames = ['NORTH', 'SOUTH'] as const;

const ports = fc.constantFrom('NLRTM', 'DEHAM', 'BEANR');

export const watchCommands = [
  command(
    'watch',
    fc.record({
      channelId,
      ownerId: userId,
      title: text,
      subjects: fc.subarray(subjects, { minLength: 1 }),
      fleet: fc.constantFrom(null, ...fleetNames),
      condition: fc.constantFrom(null, conditionOfAll),
    }),
    (world, watch) =>
      world.watches.create(
        {
          ...watch,
          destination: 'channel',
          cardTs: '1.5',
          rules: chooseRules({}),
        },
        world.by(),
      ),
  ),
  command(
    'change a watch',
    fc.record({
      at: index,
      change: fc.oneof(
        fc.record({ ownerId: userId, snooze: fc.constantFrom(null, { kind: 'until-next-port' } as const) }),
        fc.record({
          rules: fc.constantFrom(
            chooseRules({ etaMoved: { hours: 6, isScaled: false } }),
            chooseRules({ untilNextPort: true }),
          ),
        }),
      ),
    }),
    async (world, { at, change }) =>
      world.watches.change(await idAt(world, 'watches', at), change, world.by()),
  ),
  command(
    'act on a watch',
    fc.record({ at: index, how: fc.constantFrom('stop', 'refresh', 'resume') }),
    async (world, { at, how }) => world.watches[how](await idAt(world, 'watches', at), world.by()),
  ),
  command(
    'change a fleet',
    fc.record({
      name: fc.constantFrom(...fleetNames),
      change: fc.constantFrom('add', 'remove'),
      members: fc.subarray([...imos], { minLength: 1 }),
    }),
    async (world, { name, change, members: [first, ...others] }) =>
      first === undefined
        ? undefined
        : await world.fleets[change]({ name, imos: [first, ...others] }, world.by()),
  ),
  command(
    'list watches',
    fc.record({ filter, page, subject: optional(fc.constantFrom(...subjects)), withLatest: fc.boolean() }),
    ({ database: { db } }, { filter: scope, page: { limit, offset }, subject, withLatest }) =>
      listWatches(
        storeOf(db, workspaceId),
        { ...scope, ...(subject && { subject }) },
        { limit, offset, withLatest },
      ),
  ),
  command(
    'poll',
    fc.record({ port: ports, imo: fc.constantFrom(...imos), eta: fc.constantFrom(5, 300) }),
    (world, { port, imo, eta }) => {
      world.vessels.set(imo, { [port]: [0.9, eta], GBFXT: [0.05, eta] });
      return world.poller.runDue(world.now());
    },
  ),
  command('read history', fc.constantFrom(...imos), async ({ database: { db }, now }, imo) => [
    await readHistory(storeOf(db, workspaceId), {
      subject: { kind: 'vessel', imo },
      from: hour(6),
      filter: {},
    }),
    // Each engine adds up in its own order.
    Math.round(
      (await readCallPlan({ store: storeOf(db, workspaceId), dailyCalls: undefined, now })).plannedCalls *
        1e6,
    ),
  ]),
  command('forget history', fc.constantFrom(1, 30), ({ database: { db } }, hours) =>
    forgetHistory(db, hour(hours)),
  ),
];
