import { beforeEach } from 'vitest';
import { storeOf } from '../../src/database/workspace-store.ts';
import { createOutbox } from '../../src/outbox/outbox.ts';
import type { Poster } from '../../src/outbox/outgoing-message.ts';
import type { Imo } from '../../src/reference/codes.ts';
import type { ChannelMode } from '../../src/workspaces/settings.ts';
import { saveChannelSettings } from './channel-settings.ts';
import { direct } from './statements/direct.ts';
import { openSqlite, seedWorkspace, type TestStore, workspaceId } from './store-engines.ts';
import { createStoreLogger } from './store-logger.ts';
import { useStore } from './use-store.ts';
import { createWatchFixture, type WatchFixture } from './watch-fixture.ts';
import {
  createWatchServiceHarness,
  type HarnessOptions,
  type WatchServiceHarness,
} from './watch-service-harness.ts';
import { createWatchSlack, outgoingOf, type WatchSlack } from './watch-slack.ts';
import { cypress, hour, type Ports, vessel } from './watch-story.ts';

interface OutboxOptions {
  db?: TestStore['database']['db'];
  concurrency?: number;
  logger?: ReturnType<typeof createStoreLogger>;
  outgoing?: ReturnType<typeof outgoingOf>;
  poster?: Poster;
  of?: string;
}

/** Watches in an empty workspace, new for each test of this `describe`. They can be used once the tests run. */
export function useWatches(open: () => Promise<TestStore> = openSqlite, options?: () => HarnessOptions) {
  const store = useStore(open);
  let fixture: WatchFixture;
  let harness: WatchServiceHarness;
  let slack: WatchSlack;
  let outbox: ReturnType<typeof openOutbox>;

  beforeEach(() => reset());

  async function reset(): Promise<void> {
    await store.database.db.deleteFrom('workspaces').execute();
    await seedWorkspace(store.database);
    fixture = createWatchFixture(store.database);
    harness = createWatchServiceHarness(fixture, store.database, options?.());
    slack = createWatchSlack();
    outbox = openOutbox();
  }

  function openOutbox({ db = store.database.db, of = workspaceId, ...more }: OutboxOptions = {}) {
    return createOutbox({
      ctx: undefined,
      store: storeOf(db, of),
      poster: slack,
      realNow: () => fixture.clock.realMs,
      newId: fixture.newId,
      logger: createStoreLogger(),
      outgoing: outgoingOf(db, undefined, of),
      ...more,
    });
  }

  return {
    store,
    reset,
    fixture: present(() => fixture),
    harness: present(() => harness),
    slack: present(() => slack),
    openOutbox,
    /** `send` uses this outbox from now on. */
    useOutbox(chosen: OutboxOptions) {
      outbox = openOutbox(chosen);
    },
    /** Sends what is due, after so much real time. */
    send(afterMs = 0) {
      fixture.clock.realMs += afterMs;
      return outbox.runDue(hour(fixture.clock.hours));
    },
    /** A watch of one vessel, which has had its first answer at hour 0. */
    async watched(ports: Ports, options?: Parameters<WatchFixture['watch']>[1]) {
      const watch = await fixture.watch([vessel()], options);
      await fixture.at(0, { [cypress]: ports });
      return watch;
    },
    /** Another port is predicted for the vessel, and polled at that hour. */
    async divert(hours: number, port: string, imo: Imo = cypress) {
      return await fixture.at(hours, { [imo]: { [port]: [0.9, 500] } });
    },
    /** Saved as another process does. */
    setMode: (mode: ChannelMode, channelId = 'C1') =>
      saveChannelSettings(
        store.database.db,
        { workspaceId, channelId },
        { change: { mode }, actorId: 'U1', now: hour(0), id: fixture.newId() },
      ),
    workspace: () => storeOf(store.database.db, workspaceId),
    db: () => direct(store.database.db),
    outboxRows: () =>
      direct(store.database.db).selectFrom('outbox').selectAll().orderBy('sequence').execute(),
  };
}

/** Stands for the object of the present test. */
function present<T extends object>(current: () => T): T {
  return new Proxy({} as T, {
    // Its traps use the present object instead of the empty one.
    get: (_, key) => Reflect.get(current(), key),
    set: (_, key, value) => Reflect.set(current(), key, value),
    ownKeys: () => Reflect.ownKeys(current()),
    getOwnPropertyDescriptor: (_, key) => {
      const found = Reflect.getOwnPropertyDescriptor(current(), key);
      return found && { ...found, configurable: true };
    },
  });
}
