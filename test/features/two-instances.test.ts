import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Database } from '../../src/database/connect.ts';
import { defaultLeaseMs } from '../../src/database/due.ts';
import { storeOf } from '../../src/database/workspace-store.ts';
import { createOutbox } from '../../src/outbox/outbox.ts';
import type { Imo } from '../../src/reference/codes.ts';
import { createDigestFixture, nextPort } from '../support/digest-fixture.ts';
import { direct } from '../support/statements/direct.ts';
import { openPostgres, passLeaseTime, seedWorkspace, workspaceId } from '../support/store-engines.ts';
import { createStoreLogger } from '../support/store-logger.ts';
import { useStore } from '../support/use-store.ts';
import { waitUntil } from '../support/wait-until.ts';
import { createWatchFixture } from '../support/watch-fixture.ts';
import { createWatchSlack, outgoingOf, type WatchSlack } from '../support/watch-slack.ts';
import { start } from '../support/watch-story.ts';

const pollHours = 7;
const portOf = (turn: number) => ['NLRTM', 'DEHAM', 'BEANR'][turn % 3] ?? '';
const [first, second, third] = [9461477 as Imo, 9755933 as Imo, 9811000 as Imo];
const watched = [
  { channelId: 'C1', imos: [first, second] },
  { channelId: 'C2', imos: [second, third] },
  { channelId: 'C3', imos: [third, first] },
];

/** One bot: its polls, its digests and its outbox, with clocks that are `aheadMs` ahead. */
function createInstance(
  database: Database,
  { aheadMs, ids, slack }: { aheadMs: number; ids: { next: number }; slack: WatchSlack },
) {
  const watches = createWatchFixture(database, ids);
  const digests = createDigestFixture(database, ids);
  const poller = watches.openPoller({ fixedMinutes: pollHours * 60 });
  const outbox = createOutbox({
    ctx: undefined,
    store: storeOf(database.db, workspaceId),
    poster: slack,
    realNow: () => watches.clock.realMs,
    newId: watches.newId,
    logger: createStoreLogger(),
    outgoing: outgoingOf(database.db),
    pause: (end) => instance.gate(end),
  });
  const instance = {
    /** Awaited while messages are being sent. */
    gate: (end: Promise<void>) => end,
    watches,
    digests,
    /** Sets its clocks, `atMs` after the start. Returns a round of each job. */
    at(atMs: number) {
      const now = new Date(start.getTime() + atMs + aheadMs);
      const realMs = now.getTime();
      Object.assign(watches.clock, { hours: (atMs + aheadMs) / 3_600_000, realMs });
      Object.assign(digests.clock, { now, realMs });
      return {
        polls: () => poller.runDue(now),
        digests: () => digests.runner.runDue(now),
        outbox: () => outbox.runDue(now),
      };
    },
  };
  return instance;
}

describe('two instances on one database whose clocks differ by a minute', () => {
  const store = useStore(openPostgres);
  let slack: WatchSlack;
  let behind: ReturnType<typeof createInstance>;
  let ahead: ReturnType<typeof createInstance>;
  afterEach(() => vi.useRealTimers());
  beforeEach(async () => {
    await store.database.db.deleteFrom('workspaces').execute();
    await seedWorkspace(store.database);
    slack = createWatchSlack();
    const common = { ids: { next: 0 }, slack };
    behind = createInstance(store.database, { ...common, aheadMs: -30_000 });
    ahead = createInstance(await store.another(), { ...common, aheadMs: 30_000 });
    ahead.watches.vessels = behind.watches.vessels;
    ahead.digests.lines = behind.digests.lines;
  });

  /** A round of each job of both instances, all at once. */
  const runBoth = (atMs: number) =>
    Promise.all([behind, ahead].flatMap((instance) => Object.values(instance.at(atMs)).map((job) => job())));
  const setPorts = (turn: number) => {
    const port = portOf(turn);
    for (const imo of [first, second, third]) behind.watches.vessels.set(imo, { [port]: [0.9, 500] });
    behind.digests.lines.set('nextport 9461477', nextPort(port, '2026-12-20T00:00Z'));
  };
  const addWatches = () =>
    Promise.all(
      watched.map(({ imos, channelId }) =>
        behind.watches.watch(
          imos.map((imo) => ({ kind: 'vessel', imo })),
          { channelId },
        ),
      ),
    );
  const addDigests = () => {
    behind.digests.clock.now = start;
    return Promise.all(['C1', 'C2', 'C3'].map((channelId) => behind.digests.add({ channelId })));
  };
  /** The ports that each watch was notified of, by watch and vessel, in the order of the posts. */
  const portsPosted = () => {
    const replies = slack.posted.flatMap(({ message, watch }) =>
      message.kind === 'reply' ? message.events.map((event) => ({ event, watch, message })) : [],
    );
    const byVessel = Map.groupBy(replies, ({ watch, message }) => `${watch?.id} ${message.subjects[0]?.key}`);
    return [...byVessel.values()].map((ofVessel) =>
      ofVessel.map(({ event }) => ('next' in event ? event.next.port : event.kind)),
    );
  };
  const unsent = () =>
    direct(store.database.db)
      .selectFrom('outbox')
      .select(['kind', 'status'])
      .where('status', 'not in', ['sent', 'merged'])
      .execute();
  const digestsPosted = () =>
    slack.posted.flatMap(({ message }) =>
      message.kind === 'digest' ? [`${message.digestId} ${message.scheduledFor?.toISOString()}`] : [],
    );

  it('do each poll, digest and message once between them, and leave out none', async () => {
    await addWatches();
    const digests = await addDigests();
    const turns = 6;
    const polled = Array.from({ length: turns }, (_, turn) => turn * pollHours);
    const hours = [...polled, 8, 32].sort((a, b) => a - b);
    for (const hour of hours) {
      if (hour % pollHours === 0) setPorts(hour / pollHours);
      // The work becomes due for one instance a minute before it is due for the other.
      for (const seconds of [-60, -20, 20, 60]) await runBoth(hour * 3_600_000 + seconds * 1000);
    }
    expect(behind.watches.calls.length + ahead.watches.calls.length).toBe(turns * 3);
    const notified = polled.slice(1).map((_, index) => portOf(index + 1));
    expect(portsPosted()).toEqual(Array.from({ length: 6 }, () => notified));
    const days = ['2026-11-21', '2026-11-22'].map((day) => `${day}T08:00:00.000Z`);
    expect(digestsPosted().sort()).toEqual(
      digests.flatMap(({ id }) => days.map((time) => `${id} ${time}`)).sort(),
    );
    expect(new Set(slack.posted.map(({ id }) => id)).size).toBe(slack.posted.length);
    expect(await unsent()).toEqual([]);
  });

  it('take over the work of one that died when its leases have ended on the clock of the database', async () => {
    setPorts(0);
    const watches = await addWatches();
    await addDigests();
    await runBoth(0);
    setPorts(1);
    for (const { id } of watches) await behind.watches.store.refresh(id, behind.watches.by());
    await behind.at(1.5 * 3_600_000).polls();
    setPorts(2);
    // It dies in the middle of each job, and then renews no lease.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const never = new Promise<never>(() => {});
    const postsBegun: string[] = [];
    const { post } = slack;
    slack.post = ({ id }) => {
      postsBegun.push(id);
      return never;
    };
    behind.watches.gate = () => never;
    behind.digests.gate = () => never;
    behind.gate = () => never;
    const dyingMs = 8.5 * 3_600_000 + 60_000;
    const callsBefore = behind.watches.calls.length;
    // A line of a digest ends after its deadline, when the store may be closed.
    for (const job of Object.values(behind.at(dyingMs))) void job().catch(() => undefined);
    await waitUntil(
      'all jobs are under way',
      () =>
        behind.watches.calls.length === callsBefore + 3 &&
        behind.digests.ran.length === 3 &&
        postsBegun.length === 3,
    );
    slack.post = post;
    // The clock of the other instance is ahead by twice the length of a lease.
    const runAhead = async () => {
      const jobs = ahead.at(dyingMs);
      return { polls: await jobs.polls(), digests: await jobs.digests(), outbox: await jobs.outbox() };
    };
    expect(await runAhead()).toMatchObject({ polls: { answered: 0 }, digests: { sent: 0 } });
    expect([slack.posted, slack.lookups]).toEqual([[], []]);
    await passLeaseTime(store.database, defaultLeaseMs);
    expect(await runAhead()).toMatchObject({ polls: { answered: 3 }, digests: { sent: 3 } });
    expect(slack.lookups.sort()).toEqual(postsBegun.sort());
    expect(portsPosted()).toEqual(Array.from({ length: 6 }, () => [portOf(1), portOf(2)]));
    expect(digestsPosted()).toHaveLength(3);
    expect(new Set(slack.posted.map(({ id }) => id)).size).toBe(slack.posted.length);
    expect(await unsent()).toEqual([]);
  });
});
