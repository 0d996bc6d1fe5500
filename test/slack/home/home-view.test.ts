import { createViewReader } from 'bolt-playground/checks';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type AskCtx, createState } from '../../../src/features/ctx.ts';
import { homeRow } from '../../../src/features/digests/answer.ts';
import type { Digest } from '../../../src/features/digests/digest.ts';
import { digests } from '../../../src/features/digests/index.ts';
import type { Feature, HomeSection } from '../../../src/features/feature.ts';
import { healthLine, type ServiceState } from '../../../src/features/help/status.ts';
import { commands, registry } from '../../../src/features/index.ts';
import type { WatchWithSubjects } from '../../../src/features/polling/watch-list.ts';
import type { WorkspaceServices } from '../../../src/features/services.ts';
import { vessels } from '../../../src/features/vessels/index.ts';
import { pageOf, watchesOnHome } from '../../../src/features/watches/home.ts';
import { createVesselDirectory } from '../../../src/grammar/vessel-directory.ts';
import { silentLogger } from '../../../src/log.ts';
import { measureNothing } from '../../../src/measure.ts';
import type { Imo } from '../../../src/reference/codes.ts';
import { createSharedSlack, type SlackContext } from '../../../src/slack/context.ts';
import {
  drawHome,
  type HomePlace,
  homeRowsPerPage,
  homeView,
  readPlace,
} from '../../../src/slack/home/home-tab.ts';
import { anImo, aReader, aTime, nasty } from '../../support/answer-arbitraries.ts';
import { blockLines } from '../../support/message-text.ts';
import { runContext } from '../../support/run-command.ts';
import { storeOfFleets } from '../../support/store-of-fleets.ts';
import { cypress, now, reader } from '../../support/view-fixtures.ts';
import { openAlert, watch } from '../../support/watch-view-fixtures.ts';

const state: ServiceState = {
  version: '1.2.3',
  service: { token: { state: 'live' }, inFlight: 0, queued: 0, lastSuccessAt: now, latencyMs: 12 },
};

const digest: Digest = {
  id: 'd1',
  channelId: 'C0WATCHED1',
  destination: 'channel',
  number: 2,
  ownerId: 'U0WATCHER1',
  chosenBy: 'U0WATCHER1',
  title: 'Morning',
  lines: ['portcalls NLRTM next 3 days', 'usage'],
  schedule: { days: { kind: 'week', weekdays: [1, 2, 3, 4, 5] }, minutes: [480] },
  zone: 'Europe/Berlin',
  onlyNews: false,
  status: 'active',
  pauseReason: null,
  outsidersAllowedBy: null,
  nextRunAt: new Date('2026-11-23T07:00Z'),
  missed: null,
  isUndelivered: false,
};

interface Given {
  place: HomePlace;
  totals: { watches: number; digests: number; names: number };
  watches: WatchWithSubjects[];
  digests: Digest[];
  names: { imo: Imo; name: string; fleets: string[] }[];
}

const home = (more: Partial<Given> = {}): Given => ({
  place: { section: 'watches', scope: 'all', page: 1 },
  totals: { watches: 1, digests: 1, names: 1 },
  watches: [watch()],
  digests: [digest],
  names: [{ imo: cypress.imo, name: cypress.name ?? '', fleets: ['NORTH'] }],
  ...more,
});

/** The features' own sections, with these rows. */
async function draw({ place, totals, ...given }: Given, someReader = reader) {
  const plan = { plannedCalls: 96, dailyCalls: 1_000, stretch: 1 };
  const settings = { usageVisibleTo: 'everyone' };
  const watches = pageOf(
    { watches: given.watches, total: totals.watches, plan },
    { ...runContext(), now: () => someReader.now, services: { settings } as AskCtx['services'] },
  );
  const names = new Map(given.names.map(({ imo, name }) => [imo, name]));
  const readNames = async () => ({ names, directory: createVesselDirectory(given.names) });
  const services = {
    store: storeOfFleets(
      given.names.flatMap(({ imo, fleets }) => fleets.map((name) => ({ name, imos: [imo] }))),
    ),
    // The names in memory.
    state: () => ({ revisions: { get: async () => 1 }, names: { get: readNames } }),
  } as unknown as WorkspaceServices;
  const sections: HomeSection[] = [
    { ...watchesOnHome, read: async () => watches },
    // Each service has only the methods that its section needs.
    {
      ...(digests.home as HomeSection), // it has one
      read: async () => ({
        total: totals.digests,
        rows: given.digests.map((each) => homeRow(each, someReader.now)),
      }),
    },
    ...(vessels.home ? [vessels.home] : []),
  ];
  const runs = {
    ...runContext(),
    services,
    // The Home tab asks no line.
    registry: registry as AskCtx['registry'],
    place: { channelId: 'U1', destination: 'response' as const },
  };
  const { scope } = place;
  const read = sections.map(async (section, index) => {
    const page = await section.read({ scope, limit: homeRowsPerPage, offset: 0 }, runs);
    return { section, page: index === 2 ? { ...page, total: totals.names } : page };
  });
  const footer = [healthLine(state, someReader)];
  const answer = { place, sections: await Promise.all(read) };
  const around = { notice: [], top: [], footer, canAsk: true };
  return homeView(answer, around, { reader: someReader, commands, lineOf: registry.lineOf });
}

const read = async (given: Given) => (await draw(given)).flatMap(blockLines).join('\n');

describe('the Home tab', () => {
  test('a digest says what its readers have missed', async () => {
    const missed = { count: 2, first: new Date('2026-11-19T07:00Z'), last: new Date('2026-11-20T07:00Z') };
    const place = { section: 'digests', scope: 'all', page: 1 } as const;
    const digests = [{ ...digest, missed, isUndelivered: true }];
    expect(await read(home({ place, digests }))).toContain(
      'Next Mon 23 Nov 08:00 · 🟠 missed: 2 runs from Thu 19 Nov 08:00 to Fri 20 Nov 08:00 · 🟠 its message is waiting: Slack has not accepted it yet',
    );
  });

  test('a menu fits the state of its watch', async () => {
    const menuOf = async (more: Parameters<typeof watch>[0]) => {
      const [row] = (await draw(home({ watches: [watch(more)] }))).filter(({ type }) => type === 'section');
      const menu = row?.type === 'section' && row.accessory?.type === 'overflow' ? row.accessory.options : [];
      return menu.map(({ text }) => text.text);
    };
    expect(await menuOf(openAlert())).toEqual([
      'Acknowledge',
      'Snooze 1 hour',
      'Snooze until …',
      'Edit …',
      'Stop …',
    ]);
    expect((await menuOf({ snooze: { kind: 'until-next-port' } }))[0]).toBe('Wake now');
    expect(await menuOf({ status: 'paused', pauseReason: 'is_archived' })).toEqual([
      'Resume',
      'Edit …',
      'Stop …',
    ]);
    expect(await menuOf({ status: 'ended' })).toEqual(['Stop …']);
  });

  test('Slack accepts any content in any number (property)', async () => {
    const check = createViewReader({ refusedTypes: new Set() });
    const rows = fc.array(fc.tuple(nasty, anImo, aTime), {
      minLength: homeRowsPerPage,
      maxLength: homeRowsPerPage,
    });
    await fc.assert(
      fc.asyncProperty(
        rows,
        fc.constantFrom('watches', 'digests', 'names'),
        fc.constantFrom<'all' | 'mine'>('all', 'mine'),
        fc.integer({ min: 1, max: 42 }),
        aReader,
        async (given, section, scope, page, someReader) => {
          const answer = home({
            place: { section, scope, page },
            totals: { watches: 500, digests: 500, names: 100_000 },
            watches: given.map(([title, , at], index) => watch({ id: `w${index}`, title, createdAt: at })),
            digests: given.map(([title], index) => ({
              ...digest,
              id: `d${index}`,
              title,
              lines: Array.from({ length: 10 }, () => title),
            })),
            names: given.map(([name], index) => ({
              imo: (1_000_000 + index) as typeof cypress.imo,
              name,
              fleets: [name],
            })),
          });
          const blocks = await draw(answer, someReader);
          check({ type: 'home', blocks }, 'home');
          expect(JSON.stringify(blocks)).not.toMatch(/<!(?:channel|here|everyone)/);
        },
      ),
    );
  });
});

const bothSections = [{ home: { name: 'watches' } }, { home: { name: 'digests' } }] as Feature[];

test('only the last of many clicks during a drawing is drawn', async () => {
  const gate = Promise.withResolvers<void>();
  const published: string[] = [];
  const views = {
    async publish({ view }: { view: { private_metadata: string } }) {
      published.push(view.private_metadata);
      await gate.promise;
    },
  };
  const common = { realNow: () => 0, logger: silentLogger };
  // In a workspace that is paused, a drawing uses no more than this.
  const slack = {
    ...createSharedSlack({ ...common, fetch, isAgent: false, measure: measureNothing }),
    ctx: { services: { ...common, state: createState(), now: () => new Date(0), source: 'service' } },
    ...{ all: bothSections, commands: [], clients: { posts: { views } }, isPaused: async () => true },
    lookups: { personOf: async () => ({}) },
  } as unknown as SlackContext;
  const draw = (userId: string, place: string) =>
    drawHome({ userId, place: readPlace(place, bothSections) }, slack);
  const draws = Array.from({ length: 50 }, (_, index) => draw('U1', `digests all ${index + 1}`));
  const others = draw('U2', 'watches all 1');
  gate.resolve();
  await Promise.all([...draws, others]);
  expect(published).toEqual(['digests all 1', 'watches all 1', 'digests all 50']);
  await draw('U1', 'digests all 7');
  expect(published).toHaveLength(4);
});
