import type { PageAgent } from '../../src/page-api/agent-api.ts';
import type { PageFault, WireEntry } from '../../src/page-api/inspector-api.ts';
import type {
  LiveEvent,
  PageChannel,
  PageClock,
  PageMessage,
  PageState,
  PageUnfurl,
  PageView,
} from '../../src/page-api/page-api.ts';
import { answersInThread } from './answers-in-thread.ts';
import type { ListPlace, Notice } from './notice.ts';
import type { MessagePlace } from './permalink.ts';
import { channelMessages, isReply, messageKey, threadMessages } from './shown-messages.ts';
import { byTs, upsert, upsertWire } from './upsert.ts';

/** The workspace as one user sees it, without the parts that change often. */
export type PageWorld = Omit<
  PageState,
  'messages' | 'appConnected' | 'clock' | 'faults' | 'views' | 'home' | 'agent'
>;

/** The page's whole state. Components change it only through `Action`s. */
export interface PageModel {
  connection: 'connecting' | 'live' | 'lost';
  world: PageWorld | undefined;
  /** In chronological order. */
  messages: PageMessage[];
  appConnected: boolean;
  clock: PageClock | undefined;
  faults: PageFault[];
  /** The reader's open modals, bottom of the stack first. */
  views: PageView[];
  home: PageView | undefined;
  /** What the app shows of the links that the reader is writing. */
  previews: readonly PageUnfurl[];
  agent: PageAgent;
  wire: WireEntry[];
  notices: Notice[];
  /** Ephemeral messages that the reader has dismissed, by `messageKey`. */
  dismissed: ReadonlySet<string>;
  channelId: string | undefined;
  threadTs: string | undefined;
  /** The message that a link led to last: a new object for each click. */
  linked: MessagePlace | undefined;
  /** Where the reader has sent something last: a new object each time. */
  sent: ListPlace | undefined;
  /** The workspaces in which messages were posted since the reader was there. */
  unreadTeams: readonly string[];
  /** Whom and which channel the page showed last, by workspace. */
  lastPlaces: Readonly<Record<string, Place>>;
  /** The newest `ts` when the page was first opened in this browser. For each user, later messages start out unread. */
  openedAt: string | undefined;
  /** The newest `ts` that was seen, by `user:channel`; in a thread, by `user:channel:thread`. */
  lastRead: Readonly<Record<string, string>>;
  /** The `ts` of the first message below the "New" line in the open channel. */
  newSince: string | undefined;
  /** The same in the open thread. */
  threadNewSince: string | undefined;
}

/** A person's view of a workspace. */
interface Place {
  userId: string;
  channelId: string | undefined;
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
  /** The reader sends a message or a command. */
  | { type: 'sending'; place: ListPlace }
  /** The message is posted in a channel. */
  | { type: 'sent'; channelId: string; ts: string }
  | { type: 'open_message'; place: MessagePlace }
  /** The reader looks at the open channel. */
  | { type: 'seen' }
  /** The same after the page was hidden: what arrived meanwhile is below the "New" line. */
  | { type: 'returned' }
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
  faults: [],
  views: [],
  home: undefined,
  previews: [],
  agent: { statuses: [] },
  wire: [],
  notices: [],
  dismissed: new Set(),
  channelId: undefined,
  threadTs: undefined,
  linked: undefined,
  sent: undefined,
  unreadTeams: [],
  lastPlaces: {},
  openedAt: undefined,
  lastRead: {},
  newSince: undefined,
  threadNewSince: undefined,
};

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
      return openThread(model, action.ts);
    case 'sending':
      return { ...model, sent: action.place };
    case 'sent':
      if (!answersInThread(model, action.channelId)) return model;
      // The answer may already be there, but is nothing new to somebody who has just asked.
      return { ...openThread(model, action.ts), threadNewSince: undefined };
    case 'open_message':
      return openMessage(model, action.place);
    case 'seen':
      return markSeen(model);
    case 'returned': {
      const unread = model.channelId === undefined ? undefined : firstUnread(model, model.channelId);
      return markSeen({ ...model, newSince: unread?.ts ?? model.newSince });
    }
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

function applyState(model: PageModel, state: PageState, wantedChannelId: string | undefined): PageModel {
  const { messages: unordered, before: _before, ...rest } = state;
  const { appConnected, clock, faults, views, home, agent, ...world } = rest;
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
    faults,
    views,
    home,
    agent,
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
  const { threadTs, messages } = model;
  const newest = messages.findLast((message) => message.channelId === channelId)?.ts;
  const reply = threadTs && threadMessages(model, channelId, threadTs).at(-1)?.ts;
  const key = `${world.me.id}:${channelId}`;
  const read = { ...(newest && { [key]: newest }), ...(reply && { [`${key}:${threadTs}`]: reply }) };
  if (Object.entries(read).every(([place, ts]) => model.lastRead[place] === ts)) return model;
  return { ...model, lastRead: { ...model.lastRead, ...read } };
}

function openThread(model: PageModel, threadTs: string | undefined): PageModel {
  const { channelId = '', world } = model;
  if (threadTs === undefined) return { ...model, threadTs };
  const since = lastReadOf(model, channelId, threadTs);
  const unread = threadMessages(model, channelId, threadTs).find(
    (m) => m.ts > since && m.ts !== threadTs && m.userId !== world?.me.id,
  );
  return markSeen({ ...model, threadTs, threadNewSince: unread?.ts });
}

/** A deleted message's link opens its channel; one to a channel that the reader doesn't see does nothing. */
function openMessage(model: PageModel, place: MessagePlace): PageModel {
  const { channelId, ts } = place;
  if (!model.world?.channels.some(({ id }) => id === channelId)) return model;
  const next = model.channelId === channelId ? model : openChannel(model, channelId);
  const message = model.messages.find((m) => m.channelId === channelId && m.ts === ts);
  const isInThread = message !== undefined && isReply(message) && !message.broadcast;
  return { ...(isInThread ? openThread(next, message.threadTs) : next), linked: { channelId, ts } };
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
    case 'previews':
      return { ...model, previews: event.previews };
    case 'agent':
      return { ...model, agent: event.agent };
    case 'clock':
      return { ...model, clock: event.clock };
    case 'faults':
      return { ...model, faults: event.faults };
    case 'posted_elsewhere':
      return { ...model, unreadTeams: [...new Set([...model.unreadTeams, event.teamId])] };
    case 'app_changed':
      // useLive reads the whole state again.
      return model;
    case 'message': {
      const messages = upsert(model.messages, event.message);
      // As in Slack, an answer in the channel shows that what is above it has been read.
      const isAnswer =
        messages.length > model.messages.length &&
        event.message.userId === model.world?.me.id &&
        event.message.channelId === model.channelId;
      return { ...model, messages, ...(isAnswer && { newSince: undefined }) };
    }
    case 'message_deleted': {
      const messages = model.messages.filter((m) => m.channelId !== event.channelId || m.ts !== event.ts);
      return { ...model, messages };
    }
  }
}

/** The number of unread messages in a channel, without the reader's own. */
export const unreadCount = (model: PageModel, channelId: string): number =>
  unreadMessages(model, channelId).length;

/** The number of unread messages that call for the reader: those that mention them, and all direct messages. */
export function callCount(model: PageModel, { id, kind }: PageChannel): number {
  const mention = `<@${model.world?.me.id}>`;
  return unreadMessages(model, id).filter(({ text }) => kind === 'dm' || text.includes(mention)).length;
}

const firstUnread = (model: PageModel, channelId: string): PageMessage | undefined =>
  unreadMessages(model, channelId)[0];

/** The newest `ts` that the reader has seen in the channel or thread. */
export function lastReadOf(
  { world, lastRead, openedAt }: Pick<PageModel, 'world' | 'lastRead' | 'openedAt'>,
  ...place: [channelId: string, threadTs?: string]
): string {
  return lastRead[[world?.me.id ?? '', ...place].join(':')] ?? openedAt ?? '';
}

function unreadMessages(model: PageModel, channelId: string): PageMessage[] {
  const me = model.world?.me.id ?? '';
  const since = lastReadOf(model, channelId);
  return channelMessages(model, channelId).filter((m) => m.ts > since && m.userId !== me);
}
