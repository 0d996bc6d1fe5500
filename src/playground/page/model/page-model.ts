import type {
  LiveEvent,
  PageClock,
  PageMessage,
  PageState,
  PageView,
  WireEntry,
} from '../../page-api/page-api.ts';

/** The workspace as one user sees it, without the parts that change often. */
export type PageWorld = Omit<PageState, 'messages' | 'appConnected' | 'clock' | 'views' | 'home'>;

/** The page's whole state. Components change it only through `Action`s. */
export interface PageModel {
  connection: 'connecting' | 'live' | 'lost';
  world: PageWorld | undefined;
  /** In chronological order. */
  messages: PageMessage[];
  appConnected: boolean;
  clock: PageClock | undefined;
  /** The reader's open modals, bottom of the stack first. */
  views: PageView[];
  home: PageView | undefined;
  wire: WireEntry[];
  notices: Notice[];
  /** Ephemeral messages that the reader has dismissed, by `messageKey`. */
  dismissed: ReadonlySet<string>;
  channelId: string | undefined;
  threadTs: string | undefined;
  /** The workspaces in which messages were posted since the reader was there. */
  unreadTeams: readonly string[];
  /** Whom and which channel the page showed last, by workspace. */
  lastPlaces: Readonly<Record<string, Place>>;
  /** The newest `ts` when the page was opened. For each user, later messages start out unread. */
  openedAt: string | undefined;
  /** The newest `ts` that was seen, by `user:channel`. */
  lastRead: Readonly<Record<string, string>>;
  /** The `ts` of the first message below the "New" line in the open channel. */
  newSince: string | undefined;
}

/** A person's view of a workspace. */
interface Place {
  userId: string;
  channelId: string | undefined;
}

/** A message from the page itself, as Slack shows one for a refused command or a failed request. */
export interface Notice {
  id: number;
  userId: string;
  channelId: string;
  threadTs?: string;
  text: string;
  at: number;
}

export type Action =
  | { type: 'connecting' }
  | { type: 'lost' }
  | { type: 'loaded'; state: PageState; channelId?: string }
  | { type: 'live'; event: LiveEvent }
  /** The inspector's entries from before the page was opened. */
  | { type: 'wire_loaded'; wire: WireEntry[] }
  | { type: 'open_channel'; channelId: string }
  | { type: 'open_thread'; ts: string | undefined }
  | { type: 'seen' }
  | { type: 'notice'; notice: Notice }
  | { type: 'notice_closed'; id: number }
  | { type: 'dismissed'; message: PageMessage }
  | { type: 'wire_cleared' };

export const emptyModel: PageModel = {
  connection: 'connecting',
  world: undefined,
  messages: [],
  appConnected: false,
  clock: undefined,
  views: [],
  home: undefined,
  wire: [],
  notices: [],
  dismissed: new Set(),
  channelId: undefined,
  threadTs: undefined,
  unreadTeams: [],
  lastPlaces: {},
  openedAt: undefined,
  lastRead: {},
  newSince: undefined,
};

const MAX_WIRE_ENTRIES = 500;
const MAX_NOTICES = 50;

export function reduce(model: PageModel, action: Action): PageModel {
  switch (action.type) {
    case 'connecting':
      return { ...model, connection: model.connection === 'lost' ? 'lost' : 'connecting' };
    case 'lost':
      return { ...model, connection: 'lost' };
    case 'loaded':
      return applyState(model, action.state, action.channelId);
    case 'live':
      return applyLiveEvent(model, action.event);
    case 'open_channel':
      return openChannel(model, action.channelId);
    case 'open_thread':
      return { ...model, threadTs: action.ts };
    case 'seen':
      return markSeen(model);
    case 'notice':
      return { ...model, notices: [...model.notices, action.notice].slice(-MAX_NOTICES) };
    case 'notice_closed':
      return { ...model, notices: model.notices.filter((notice) => notice.id !== action.id) };
    case 'dismissed':
      return { ...model, dismissed: new Set([...model.dismissed, messageKey(action.message)]) };
    case 'wire_loaded':
      return { ...model, wire: model.wire.reduce(upsertWire, action.wire) };
    case 'wire_cleared':
      return { ...model, wire: [] };
  }
}

/** A message's identity: channel and `ts`; for an ephemeral message also its reader. */
export const messageKey = (message: Pick<PageMessage, 'channelId' | 'ts' | 'ephemeralTo'>): string =>
  `${message.channelId}:${message.ts}:${message.ephemeralTo ?? ''}`;

function applyState(model: PageModel, state: PageState, wantedChannelId: string | undefined): PageModel {
  const { messages: unordered, appConnected, clock, views, home, ...world } = state;
  const isSameUser = model.world?.me.id === world.me.id;
  const messages = unordered.toSorted(byTs);
  const has = (id: string | undefined) => world.channels.some((channel) => channel.id === id);
  const last = model.lastPlaces[world.teamId]?.channelId;
  // The wanted channel matters only at the start.
  const wanted = model.world ? undefined : wantedChannelId;
  const channelId = [wanted, model.channelId, last, world.channels[0]?.id].find(has);
  const next: PageModel = {
    ...model,
    connection: 'live',
    world,
    unreadTeams: model.unreadTeams.filter((teamId) => teamId !== world.teamId),
    lastPlaces: { ...model.lastPlaces, [world.teamId]: { userId: world.me.id, channelId } },
    messages,
    appConnected,
    clock,
    views,
    home,
    openedAt: model.openedAt ?? messages.at(-1)?.ts ?? '0',
  };
  if (isSameUser && channelId === model.channelId) return next;
  return channelId === undefined ? { ...next, channelId } : openChannel(next, channelId);
}

function openChannel(model: PageModel, channelId: string): PageModel {
  const unread = firstUnread(model, channelId);
  const { world } = model;
  const lastPlaces = world
    ? { ...model.lastPlaces, [world.teamId]: { userId: world.me.id, channelId } }
    : model.lastPlaces;
  return markSeen({ ...model, channelId, lastPlaces, threadTs: undefined, newSince: unread?.ts });
}

/** Marks the open channel as read up to its newest message. */
function markSeen(model: PageModel): PageModel {
  const { world, channelId } = model;
  if (!world || !channelId) return model;
  const newest = model.messages.findLast((message) => message.channelId === channelId)?.ts;
  const key = `${world.me.id}:${channelId}`;
  if (newest === undefined || newest === model.lastRead[key]) return model;
  return { ...model, lastRead: { ...model.lastRead, [key]: newest } };
}

function applyLiveEvent(model: PageModel, event: LiveEvent): PageModel {
  switch (event.type) {
    case 'wire':
      return { ...model, wire: upsertWire(model.wire, event.entry) };
    case 'app_connected':
      return { ...model, appConnected: event.connected };
    case 'channels':
      return model.world ? { ...model, world: { ...model.world, channels: event.channels } } : model;
    case 'views':
      return { ...model, views: event.views, home: event.home };
    case 'clock':
      return { ...model, clock: event.clock };
    case 'posted_elsewhere':
      return { ...model, unreadTeams: [...new Set([...model.unreadTeams, event.teamId])] };
    case 'app_changed':
      // useLive reads the whole state again.
      return model;
    case 'message':
      return { ...model, messages: upsert(model.messages, event.message) };
    case 'message_deleted': {
      const messages = model.messages.filter((m) => m.channelId !== event.channelId || m.ts !== event.ts);
      return { ...model, messages };
    }
  }
}

function upsert(messages: PageMessage[], message: PageMessage): PageMessage[] {
  const key = messageKey(message);
  const at = messages.findIndex((other) => messageKey(other) === key);
  return at >= 0 ? messages.with(at, message) : [...messages, message].toSorted(byTs);
}

function upsertWire(wire: WireEntry[], entry: WireEntry): WireEntry[] {
  const at = wire.findLastIndex((other) => other.id === entry.id);
  return at >= 0 ? wire.with(at, entry) : [...wire, entry].slice(-MAX_WIRE_ENTRIES);
}

/** All `ts` have the same length (seconds with six decimals), so text order is time order. */
const byTs = (a: PageMessage, b: PageMessage): number => (a.ts < b.ts ? -1 : a.ts > b.ts ? 1 : 0);

/** The messages of a channel without thread replies, except those that are broadcast to the channel. */
export function channelMessages(model: PageModel, channelId: string): PageMessage[] {
  return shownMessages(model, channelId).filter((m) => !isReply(m) || m.broadcast === true);
}

/** A thread's replies and, if it still exists, its parent. */
export function threadMessages(model: PageModel, channelId: string, ts: string): PageMessage[] {
  return shownMessages(model, channelId).filter((m) => m.ts === ts || m.threadTs === ts);
}

const isReply = (m: PageMessage): boolean => m.threadTs !== undefined && m.threadTs !== m.ts;

function shownMessages({ messages, dismissed }: PageModel, channelId: string): PageMessage[] {
  return messages.filter((m) => m.channelId === channelId && !dismissed.has(messageKey(m)));
}

/** The number of unread messages in a channel, without the reader's own. */
export const unreadCount = (model: PageModel, channelId: string): number =>
  unreadMessages(model, channelId).length;

const firstUnread = (model: PageModel, channelId: string): PageMessage | undefined =>
  unreadMessages(model, channelId)[0];

function unreadMessages(model: PageModel, channelId: string): PageMessage[] {
  const me = model.world?.me.id ?? '';
  const since = model.lastRead[`${me}:${channelId}`] ?? model.openedAt ?? '';
  return channelMessages(model, channelId).filter((m) => m.ts > since && m.userId !== me);
}
