import type { PredictionsAnswer } from '../../src/analytics/answers.ts';
import type { Database } from '../../src/database/connect.ts';
import { storeOf } from '../../src/database/workspace-store.ts';
import type { FollowFleets } from '../../src/features/ctx.ts';
import { followFleets } from '../../src/features/polling/follow.ts';
import type { PollAnalytics } from '../../src/features/polling/poll.ts';
import { readWatch, type Watch } from '../../src/features/polling/watch.ts';
import type { WatchTarget } from '../../src/features/polling/watch-list.ts';
import type { Rules } from '../../src/features/rules/list.ts';
import type { Subject } from '../../src/predictions/next-port.ts';
import type { Imo, Locode } from '../../src/reference/codes.ts';
import { createPoller, type Poller, type PollerOptions } from './poller.ts';
import { direct } from './statements/direct.ts';
import { workspaceId } from './store-engines.ts';
import { createStoreLogger } from './store-logger.ts';
import { createWatchStore } from './watch-stores.ts';
import { exactRules, hour, type Ports, predictions } from './watch-story.ts';

type WatchOptions = { rules?: Rules; title?: string } & Partial<
  WatchTarget & Pick<Watch, 'channelId' | 'destination'>
>;

export type WatchFixture = ReturnType<typeof createWatchFixture>;

/** Watches over a service whose answers the test sets, with a clock in hours since the start. */
export function createWatchFixture({ db }: Database, ids = { next: 0 }) {
  const clock = { hours: 0, realMs: Date.parse('2026-01-01T00:00:00Z') };
  const newId = () => `id-${String(++ids.next).padStart(6, '0')}`;
  const realNow = () => clock.realMs;
  const answer = async (
    call: string,
    records: PredictionsAnswer['predictions'],
  ): Promise<PredictionsAnswer> => {
    fixture.calls.push(call);
    await fixture.gate();
    if (fixture.failure) throw fixture.failure;
    return {
      predictions: records,
      fetchedAt: hour(clock.hours),
      cached: false,
      droppedRecords: 0,
      scale: 'fraction',
    };
  };
  const analytics: PollAnalytics = {
    vesselPredictions: (imo) => answer(`vessel ${imo}`, predictions(fixture.vessels.get(imo) ?? {}, imo)),
    shiplistNextPorts: (name) =>
      answer(`list ${name}`, ofVessels(Object.entries(fixture.lists.get(name) ?? {}))),
    portPredictions: (port: Locode) =>
      answer(
        `port ${port}`,
        ofVessels([...fixture.vessels].map(([imo, ports]) => [String(imo), ports])).filter(
          (prediction) => prediction.port === port,
        ),
      ),
  };
  const openPoller = (options: Partial<PollerOptions> = {}) =>
    createPoller({
      store: storeOf(db, workspaceId),
      analytics,
      realNow,
      newId,
      logger: createStoreLogger(),
      ...options,
    });
  const store = createWatchStore({ store: storeOf(db, workspaceId), newId, maxPerChannel: 50 });
  /** For fleets and names, so that watches follow their changes. */
  const follow: FollowFleets = (transaction, fleets, { record, ...by }) => {
    const realNow = new Date(clock.realMs);
    return followFleets(transaction, fleets, { newId, by: { ...by, realNow }, record });
  };
  const fixture = {
    clock,
    by: () => ({ actorId: 'U1', now: hour(clock.hours), realNow: new Date(clock.realMs) }),
    vessels: new Map<number, Ports>(),
    lists: new Map<string, Record<number, Ports>>(),
    calls: [] as string[], // none yet
    /** Thrown by every call while it is set. */
    failure: undefined as Error | undefined, // none yet
    /** Awaited by every call. */
    gate: async (): Promise<void> => {},
    analytics,
    store,
    followFleets: follow,
    async find(id: string): Promise<Watch | undefined> {
      const row = await direct(db).selectFrom('watches').selectAll().where('id', '=', id).executeTakeFirst();
      return row && readWatch(row);
    },
    poller: openPoller(),
    openPoller,
    watch: (
      subjects: readonly Subject[],
      { rules = exactRules, channelId = 'C1', title = 'DS CYPRESS', ...target }: WatchOptions = {},
    ): Promise<Watch> =>
      store.create(
        {
          channelId,
          destination: 'channel',
          ownerId: 'U1',
          title,
          cardTs: `card-${++ids.next}`,
          rules,
          fleet: null,
          portGroup: null,
          condition: null,
          ...target,
          subjects,
        },
        fixture.by(),
      ),
    /** Moves the clock and does due work. `now`: what is predicted from then on. */
    at(hours: number, now: Record<number, Ports> = {}): ReturnType<Poller['runDue']> {
      for (const [imo, ports] of Object.entries(now)) fixture.vessels.set(Number(imo), ports);
      clock.realMs += (hours - clock.hours) * 3_600_000;
      clock.hours = hours;
      return fixture.poller.runDue(hour(hours));
    },
    newId,
  };
  return fixture;
}

function ofVessels(entries: [string, Ports][]) {
  return entries.flatMap(([imo, ports]) => predictions(ports, Number(imo) as Imo));
}
