import type { Database } from '../../src/database/connect.ts';
import { storeOf } from '../../src/database/workspace-store.ts';
import { type AskCtx, createState } from '../../src/features/ctx.ts';
import {
  findByCard,
  findInScope,
  findWatch,
  type WatchPageOptions,
} from '../../src/features/polling/watch-list.ts';
import type { Scope } from '../../src/features/scope.ts';
import type { WorkspaceServices } from '../../src/features/services.ts';
import { changeSettings } from '../../src/features/settings/index.ts';
import {
  addRequested,
  previewRequested,
  undo,
  type WatchRequest,
  watchAsList,
} from '../../src/features/watches/add-watch.ts';
import {
  acknowledgeAlert,
  acknowledgeMessage,
  acknowledgeWatch,
  alertsForPerson,
  assignMessage,
  assignWatch,
  getToAssign,
} from '../../src/features/watches/alerts.ts';
import {
  confirmChange,
  editWatch,
  handOverWatch,
  refreshWatch,
  resumeWatch,
  snoozeWatch,
  stopAllWatches,
  stopWatch,
} from '../../src/features/watches/change-watch.ts';
import { findNamed } from '../../src/features/watches/named-watches.ts';
import { createVesselDirectory, type VesselDirectory } from '../../src/grammar/vessel-directory.ts';
import { exampleVessels } from '../../src/reference/codes.ts';
import { createAuditedTransaction } from '../../src/workspaces/audit.ts';
import { type Actor, createAccess } from '../../src/workspaces/permissions.ts';
import { type ChannelSettings, createChannelSettingsStore } from '../../src/workspaces/settings.ts';
import { lineOf } from './answer-message.ts';
import { limitOf } from './call-limit.ts';
import { workspaceId } from './store-engines.ts';
import { createStoreLogger } from './store-logger.ts';
import type { WatchFixture } from './watch-fixture.ts';
import { exactRules, hour, vessel } from './watch-story.ts';

type Messages = WorkspaceServices['slack']['messages'];

/** The cards in Slack. */
interface FakeCards extends Messages {
  /** `title` as a card begins with it: `Fleet NORTH`. */
  posted: { channelId: string; id: string; title: string }[];
  removed: { channelId: string; ts: string }[];
  /** Changed for good. */
  closed: { channelId: string; ts: string; text: string }[];
  /** Thrown by the next posts. */
  refusal: Error | undefined;
}

function createFakeCards(): FakeCards {
  const cards: FakeCards = {
    posted: [],
    removed: [],
    closed: [],
    refusal: undefined,
    async post(target, { text }) {
      if (cards.refusal) throw cards.refusal;
      cards.posted.push({ ...target, title: text.replace(/ is watched .*/, '') });
      return { ts: `1700000000.${String(cards.posted.length).padStart(6, '0')}` };
    },
    async remove(card) {
      cards.removed.push(card);
    },
    async update(card, { text }) {
      cards.closed.push({ ...card, text });
    },
    linkTo: async () => undefined,
  };
  return cards;
}

export type WatchServiceHarness = ReturnType<typeof createWatchServiceHarness>;

/** What this person's requests get. */
type AsPerson = (actor: Actor, more?: Partial<AskCtx>) => AskCtx;

/** `wait`: how requests wait for each other. */
export type HarnessOptions = Partial<Omit<WorkspaceServices, 'slack' | 'settings'>> & {
  slack?: Partial<WorkspaceServices['slack']>;
  settings?: Partial<WorkspaceServices['settings']>;
  wait?: (ms: number) => Promise<unknown>;
  names?: () => Promise<VesselDirectory>;
};

/** What people do to watches, over a store in memory. */
export function createWatchServiceHarness(
  fixture: Pick<WatchFixture, 'analytics' | 'clock' | 'newId'>,
  { db }: Pick<Database, 'db'>,
  { names, slack, settings: chosen, ...options }: HarnessOptions = {},
) {
  const cards = createFakeCards();
  /** Each person's channels, apart from the one they write in. */
  const channels = new Map<string, Set<string>>();
  const store = storeOf(db, workspaceId);
  const access = createAccess({
    store,
    getJoinedChannels: async (userId) => channels.get(userId) ?? new Set(),
  });
  const now = () => hour(fixture.clock.hours);
  const vessels = createVesselDirectory(exampleVessels);
  // What watches use.
  const services = {
    ...{ store, analytics: fixture.analytics, access, now, source: 'service', newId: fixture.newId },
    audited: createAuditedTransaction(store),
    account: { check: async () => undefined },
    realNow: () => fixture.clock.realMs,
    logger: createStoreLogger(),
    channels: createChannelSettingsStore({ store, realNow: Date.now }),
    state: createState(),
    pictures: undefined,
    limit: limitOf(undefined),
    pauses: { at: async () => undefined, next: async () => undefined },
    settings: {
      ...{
        usageVisibleTo: 'everyone',
        maxWatchesPerChannel: 50,
        pollMinutes: undefined,
      },
      ...chosen,
    },
    slack: {
      ...{ directMessageOf, publicityOf: async () => 'public' as const, messages: cards },
      // Asked again only about admins.
      personOf: async (userId: string) => ({ name: userId, isAdmin: true }),
      checkOwner: async () => undefined,
      readersOf: async () => 'channel',
      audienceOf: async () => 'channel',
      asksOnly: async () => false,
      ...slack,
    },
    ...options,
  } as unknown as WorkspaceServices;
  // What watches know of other features.
  const registry = { lineOf, vessels: names ?? (async () => vessels) } as unknown as AskCtx['registry'];
  const as: AsPerson = (actor, more) => ({
    ...{ services, registry, vessels, now, source: 'service', audience: 'private', fresh: false },
    actor: { userId: actor.userId, isAdmin: actor.isAdmin, zone: 'Europe/Berlin' },
    place: {
      ...{ channelId: actor.channelId, mayHaveLeft: actor.mayHaveLeft ?? false },
      destination: actor.channelId.startsWith('D') ? 'direct-message' : 'channel',
    },
    ...(actor.allowsOutsidersIn !== undefined && { allowsOutsidersIn: actor.allowsOutsidersIn }),
    signal: new AbortController().signal,
    ...more,
  });
  return {
    ...{ service: createService(as, names), cards, channels, access, services, as },
    settings: {
      change: (channelId: string, change: Partial<ChannelSettings>, actor: Actor) =>
        changeSettings(channelId, change, actor, { services }),
    },
  };
}

/** Calls each use case for a person. */
function createService(as: AsPerson, names: HarnessOptions['names']) {
  const forPerson =
    <Args extends unknown[], Result>(work: (...args: [...Args, AskCtx]) => Promise<Result>) =>
    async (...args: [...Args, Actor]): Promise<Result> => {
      const actor = args.at(-1) as Actor; // the last, as the type says
      const vessels = await names?.();
      return await work(...(args.slice(0, -1) as Args), as(actor, vessels && { vessels }));
    };
  return {
    add: (request: WatchRequest, actor: Actor, withDeadlinePaused?: AskCtx['withDeadlinePaused']) =>
      addRequested(request, as(actor, withDeadlinePaused ? { withDeadlinePaused } : {})),
    dryRun: forPerson(previewRequested),
    find: (id: string) => findWatch(id, as(ada)),
    findByCard: (card: Parameters<typeof findByCard>[0]) => findByCard(card, as(ada)),
    findNamed: forPerson(findNamed),
    list: (scope: Scope, actor: Actor, page: WatchPageOptions) => findInScope(scope, as(actor), page),
    stop: forPerson(stopWatch),
    stopAll: forPerson(stopAllWatches),
    snooze: forPerson(snoozeWatch),
    handOver: forPerson(handOverWatch),
    resume: forPerson(resumeWatch),
    refresh: forPerson(refreshWatch),
    edit: forPerson(editWatch),
    confirmChange: forPerson(confirmChange),
    undo: forPerson(undo),
    watchAsList: forPerson(watchAsList),
    acknowledge: forPerson(acknowledgeWatch),
    acknowledgeMessage: forPerson(acknowledgeMessage),
    acknowledgeAlert: forPerson(acknowledgeAlert),
    assign: forPerson(assignWatch),
    assignMessage: forPerson(assignMessage),
    getToAssign: forPerson(getToAssign),
    needsYou: (actor: Actor, limit: number) => alertsForPerson(limit, as(actor)),
  };
}

export const ada: Actor = { userId: 'U1', isAdmin: false, channelId: 'C1' };
export const ben: Actor = { userId: 'U2', isAdmin: false, channelId: 'C2' };

export const request = (more: Partial<WatchRequest> = {}): WatchRequest => ({
  channelId: 'C1',
  destination: 'channel',
  title: 'DS CYPRESS',
  subjects: [vessel()],
  fleet: null,
  portGroup: null,
  condition: null,
  rules: exactRules,
  ...more,
});

export const directMessageOf = async (userId: string): Promise<string> => `D${userId.slice(1)}`;
