import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Alert, alertsOf } from '../../../bench/noise/alerts.ts';
import { type PolledVessel, pollFleet } from '../../../bench/noise/fleet-polls.ts';
import { noiseOf, watchFleet } from '../../../bench/noise/measure.ts';
import { readOptions } from '../../../bench/noise/options.ts';
import { fleetRules, oldRules } from '../../../bench/noise/rules.ts';
import { start } from '../../../bench/sandbox-world.ts';
import { storeOf } from '../../../src/database/workspace-store.ts';
import { reply } from '../../../src/features/alerts/messages.ts';
import { createSandbox, type Sandbox } from '../../../src/sandbox/sandbox.ts';
import { createLoneClient } from '../../support/analytics-client.ts';
import { createPoller } from '../../support/poller.ts';
import { direct } from '../../support/statements/direct.ts';
import { openSqlite, seedWorkspace, type TestStore, workspaceId } from '../../support/store-engines.ts';
import { createStoreLogger } from '../../support/store-logger.ts';
import { createWatchStore } from '../../support/watch-stores.ts';

const [seed, days] = [3, 14];
let fleet: readonly PolledVessel[];

beforeAll(async () => {
  fleet = await pollFleet({ seed, vessels: 12, days });
});

describe('the noise of a small fleet', () => {
  test('the defaults of a fleet make fewer alerts than the former ones, and miss nothing', () => {
    const noise = noiseOf(watchFleet(fleet, seed, fleetRules), days);
    const old = noiseOf(watchFleet(fleet, seed, oldRules), days);
    expect(noise).toMatchObject({ missed: 0, late: 0, unfounded: 0 });
    expect(noise.diversions).toBeGreaterThan(0);
    expect(noise.perVesselWeek).toBeLessThanOrEqual(old.perVesselWeek);
    const sum = Object.values(noise.byKind).reduce((total, perWeek) => total + perWeek, 0);
    expect(sum).toBeCloseTo(noise.perVesselWeek);
  });

  test('without the rule about the next port, every diversion is missed or late', () => {
    const { diversions, missed, late } = noiseOf(
      watchFleet(fleet, seed, { ...fleetRules, diverted: false }),
      days,
    );
    expect(diversions).toBeGreaterThan(0);
    expect(missed + late).toBe(diversions);
    expect(missed).toBeGreaterThan(0);
  });
});

describe('the bot itself', () => {
  let sandbox: Sandbox;
  let store: TestStore;

  beforeAll(async () => {
    sandbox = await createSandbox({ seed, clock: { speed: 0, epoch: start } });
    store = await openSqlite();
    await seedWorkspace(store.database);
  });

  const nextDue = async (): Promise<Date> => {
    const { due_at } = await direct(store.database.db)
      .selectFrom('subjects')
      .select('due_at')
      .orderBy('due_at')
      .limit(1)
      .executeTakeFirstOrThrow();
    return due_at;
  };

  const seen = new Set<string>();
  /** The new replies, as they were before an edit could change them. */
  const takeReplies = async (): Promise<Alert[]> => {
    const rows = await direct(store.database.db)
      .selectFrom('outbox')
      .select(['id', 'payload', 'created_at'])
      .where('kind', '=', 'reply')
      .execute();
    const fresh = rows.filter(({ id }) => !seen.has(id));
    for (const { id } of fresh) seen.add(id);
    return fresh.flatMap(({ payload, created_at: at }) =>
      reply.parse(payload).events.map((event) => ({ at, event })),
    );
  };

  afterAll(async () => {
    await sandbox.close();
    await store.close();
  });

  test('writes the same replies, polling the sandbox over HTTP', async () => {
    // With most kinds of events within five days.
    const watched = [2, 7].flatMap((index) => fleet[index] ?? []);
    const end = new Date(start.getTime() + 5 * 86_400_000);
    const { db } = store.database;
    let ids = 0;
    const newId = () => `id-${String(++ids).padStart(6, '0')}`;
    const now = () => sandbox.clock.now();
    const common = { store: storeOf(db, workspaceId), newId };
    const analytics = createLoneClient({ baseUrl: sandbox.url, ...sandbox.credentials, now });
    const poller = createPoller({ ...common, analytics, realNow: Date.now, logger: createStoreLogger() });
    await createWatchStore({ ...common, maxPerChannel: 1 }).create(
      {
        channelId: 'C1',
        destination: 'channel',
        ownerId: 'U1',
        title: 'fleet TEST',
        fleet: null,
        portGroup: null,
        condition: null,
        cardTs: '1.0',
        rules: fleetRules,
        subjects: watched.map(({ imo }) => ({ kind: 'vessel', imo })),
      },
      { actorId: 'U1', now: now(), realNow: new Date() },
    );
    const written: Alert[] = [];
    for (let due = start; due < end; due = await nextDue()) {
      sandbox.clock.advance(due.getTime() - now().getTime());
      await poller.runDue(due);
      written.push(...(await takeReplies()));
    }
    const simulated = watched.flatMap(({ snapshots }) =>
      alertsOf(
        snapshots.filter(({ at }) => at < end),
        fleetRules,
      ),
    );
    expect(new Set(simulated.map(({ event }) => event.kind)).size).toBeGreaterThan(3);
    expect(inOrder(written)).toEqual(inOrder(simulated));
  });
});

const inOrder = (alerts: readonly Alert[]): Alert[] =>
  alerts.toSorted((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1));
const orderOf = ({ at, event }: Alert) => `${at.toISOString()} ${event.kind}`;

describe('options', () => {
  test('seeds are numbers and ranges', () => {
    expect(readOptions(['--seeds', '7,2-4,3', '--json'])).toMatchObject({ seeds: [7, 2, 3, 4], json: true });
  });

  test.each([
    [['--seeds', '5-1'], '--seeds 5-1: write up to 100 whole numbers, such as --seeds 1-5 or --seeds 1,3.'],
    [['--seeds', '1-900000000'], '--seeds 1-900000000: write up to 100 whole numbers'],
    [['--days', '2w'], '--days 2w: write a whole number from 1 to 365, such as --days 7.'],
    [['--vessels', '0'], '--vessels 0: write a whole number from 1 to 115, such as --vessels 7.'],
    [['--speed', '3'], "Unknown option '--speed'"],
  ])('%j', (args, message) => {
    expect(() => readOptions(args)).toThrow(message);
  });
});
