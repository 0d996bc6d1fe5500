import type { Database } from '../../src/database/connect.ts';
import { storeOf } from '../../src/database/workspace-store.ts';
import type { Subject } from '../../src/features/history/subject.ts';
import {
  type ChannelSettingsService,
  createChannelSettingsService,
} from '../../src/features/settings/service.ts';
import type { WatchRequest } from '../../src/features/watches/service/add-watch.ts';
import type { CardPoster } from '../../src/features/watches/service/card-poster.ts';
import type { WatchServiceOptions } from '../../src/features/watches/service/options.ts';
import { createWatchService, type WatchService } from '../../src/features/watches/service/watch-service.ts';
import { createAlertStore } from '../../src/features/watches/store/alert-store.ts';
import type { WatchWithSubjects } from '../../src/features/watches/store/watch-list.ts';
import { createVesselDirectory } from '../../src/grammar/vessel-directory.ts';
import { exampleVessels } from '../../src/reference/vessels.ts';
import { type Access, type Actor, createAccess } from '../../src/workspaces/permissions.ts';
import { createChannelSettingsStore } from '../../src/workspaces/settings.ts';
import { workspaceId } from './store-engines.ts';
import type { WatchFixture } from './watch-fixture.ts';
import { cypress, exactRules, hour } from './watch-story.ts';

export interface FakeCards extends CardPoster {
  posted: WatchWithSubjects[];
  removed: { channelId: string; ts: string }[];
  closed: { id: string; userId: string }[];
  /** Thrown by the next posts. */
  refusal: Error | undefined;
}

export function createFakeCards(): FakeCards {
  const cards: FakeCards = {
    posted: [],
    removed: [],
    closed: [],
    refusal: undefined,
    async post(watch) {
      if (cards.refusal) throw cards.refusal;
      cards.posted.push(watch);
      return { ts: `1700000000.${String(cards.posted.length).padStart(6, '0')}` };
    },
    async remove(card) {
      cards.removed.push(card);
    },
    async close({ id }, { userId }) {
      cards.closed.push({ id, userId });
      return true;
    },
  };
  return cards;
}

export interface WatchServiceHarness {
  service: WatchService;
  cards: FakeCards;
  /** Each person's channels, apart from the one they write in. */
  channels: Map<string, Set<string>>;
  settings: ChannelSettingsService;
  access: Access;
}

export function createWatchServiceHarness(
  fixture: Pick<WatchFixture, 'store' | 'analytics' | 'clock' | 'newId'>,
  { db }: Pick<Database, 'db'>,
  options: Partial<WatchServiceOptions> = {},
): WatchServiceHarness {
  const cards = createFakeCards();
  const channels = new Map<string, Set<string>>();
  const store = storeOf(db, workspaceId);
  const access = createAccess({
    store,
    getJoinedChannels: async (userId) => channels.get(userId) ?? new Set(),
  });
  const now = () => hour(fixture.clock.hours);
  const service = createWatchService({
    store,
    watchStore: fixture.store,
    alerts: createAlertStore({ store, newId: fixture.newId }),
    analytics: fixture.analytics,
    cards,
    access,
    slack: {
      directMessageOf,
      checkOwner: async () => undefined,
      readersOf: async () => 'channel',
    },
    names: async () => createVesselDirectory(exampleVessels),
    dailyCalls: undefined,
    now,
    realNow: () => fixture.clock.realMs,
    newId: fixture.newId,
    ...options,
  });
  const channelSettings = createChannelSettingsStore({ store, realNow: Date.now });
  const settings = createChannelSettingsService({
    channels: channelSettings,
    access,
    now,
    newId: fixture.newId,
  });
  return { service, cards, channels, settings, access };
}

export const ada: Actor = { userId: 'U1', isAdmin: false, channelId: 'C1' };
export const ben: Actor = { userId: 'U2', isAdmin: false, channelId: 'C2' };

export const vessel = (imo: number = cypress): Subject => ({ kind: 'vessel', imo: imo as typeof cypress });

export const request = (more: Partial<WatchRequest> = {}): WatchRequest => ({
  channelId: 'C1',
  destination: 'channel',
  title: 'DS CYPRESS',
  subjects: [vessel()],
  fleet: null,
  condition: null,
  rules: exactRules,
  ...more,
});

export const directMessageOf = async (userId: string): Promise<string> => `D${userId.slice(1)}`;
