import type { AnalyticsClient } from '../analytics/client.ts';
import type { Message, Reader, StoredDestination } from '../answers/message.ts';
import type { Workbooks } from '../answers/workbook.ts';
import type { WorkspaceStore } from '../database/workspace-store.ts';
import type { Logger } from '../log.ts';
import type { PendingMessage, Refusal } from '../outbox/outgoing-message.ts';
import type { MapPicture } from '../pictures/map-picture.ts';
import type { AuditedTransaction, Change } from '../workspaces/audit.ts';
import type { CallCounts } from '../workspaces/call-counts.ts';
import type { Access, Actor, Person } from '../workspaces/permissions.ts';
import type { CallLimits, ChannelSettingsStore, GuestSetting, LinkSetting } from '../workspaces/settings.ts';
import type { WorkPauses } from '../workspaces/work-pause.ts';
import type { WorkspaceAccount } from '../workspaces/workspace-account.ts';
import type { Readers } from './outsiders.ts';

/** What app/workspace.ts gives the features of a workspace; each uses what it needs. */
export interface WorkspaceServices {
  /** The actor in the audit log for changes that nobody asked for. */
  botUserId: string;
  store: WorkspaceStore;
  /** Throws NoAccountError while no account serves the workspace. */
  analytics: AnalyticsClient;
  account: WorkspaceAccount;
  slack: SlackServices;
  access: Access;
  /** For changes that are written to the audit log; it also notifies open Home tabs of them. */
  audited: AuditedTransaction;
  channels: ChannelSettingsStore;
  guests: GuestSetting;
  links: LinkSetting;
  /** The limit of requests for background work. */
  limit: CallLimits;
  /** Pauses of the background work, by admins. */
  pauses: WorkPauses;
  /** The requests that this workspace has caused. */
  calls: CallCounts;
  /** Undefined where Slack could not fetch pictures: the settings don't say where it reaches the bot. */
  pictures: Pictures | undefined;
  /** Where assistants reach the bot; undefined if the settings don't say. */
  assistantsUrl: string | undefined;
  /** Writes spreadsheets. */
  workbooks: Workbooks;
  settings: FeatureSettings;
  source: Reader['source'];
  /**
   * The domain clock, here and wherever something is called `now`: ETAs, what is due, quiet hours, the age of an answer.
   * With the sandbox it is the sandbox's clock, which can run faster and jump.
   */
  now: () => Date;
  /** The real clock, here and wherever something is called `realNow`: deadlines, leases, back-off, caches. In ms. */
  realNow: () => number;
  newId: () => string;
  /** Turns a missed deadline into the service's error: the command has been waiting for the service. */
  toServiceTrouble: (cause: Error) => Error;
  /** What a feature keeps in memory for this workspace: made once, by `create`, and gone with the workspace. */
  state: StateOf;
  logger: Logger;
}

/** `key`: the feature's constant for it. */
export type StateOf = <State>(key: StateKey<State>, create: () => State) => State;

/** Names a state by identity, with its type. */
export interface StateKey<State> {
  name: string;
  /** Only a type. */
  state?: State;
}

/** Pictures at addresses that anybody can open who knows them, for the image blocks of messages. */
export interface Pictures {
  urlOf(map: MapPicture): string;
}

interface FeatureSettings {
  version: string;
  usageVisibleTo: 'everyone' | 'admins';
  maxWatchesPerChannel: number;
  maxDigestsPerChannel: number;
  /** The polling interval; if undefined, it depends on the ETA. */
  pollMinutes: number | undefined;
  leaseMs: number;
}

/** `unknown`: Slack does not answer. */
export type Publicity = 'public' | 'private' | 'unknown';

/** What features can do in Slack. */
export interface SlackServices {
  /** May be an hour old, unless it is to be `fresh`. */
  personOf(userId: string, options?: { fresh: boolean }): Promise<Person>;
  /** A guest who may only ask, see `AskCtx`. Personal watches and digests of theirs show no more than answers. */
  asksOnly(userId: string): Promise<boolean>;
  /** Who can read the channel; `outside` if the bot can't look into it. A direct message is the bot's own with a person. */
  audienceOf(place: { channelId: string; destination: StoredDestination }): Promise<Reader['audience']>;
  /** The same, except for a channel that the bot can't look into. May be 10 minutes old, unless it is to be `fresh`. */
  readersOf(channelId: string, options?: { fresh: boolean }): Promise<Readers>;
  /** Whether every member of the workspace may look into the channel. May be 10 minutes old. */
  publicityOf(channelId: string): Promise<Publicity>;
  /** The id of a person's direct message with the bot. Rejects if Slack doesn't give it. */
  directMessageOf(userId: string): Promise<string>;
  /** Throws UserError, with advice, if the bot can't post in the channel. Posts nothing. */
  checkChannel(channelId: string): Promise<void>;
  /** Throws UserError if this person can't own anything in the channel. */
  checkOwner(owner: { userId: string; channelId: string }): Promise<void>;
  sendFile: SendFile;
  messages: ChannelMessages;
}

/** Sends a file to a person in a direct message. If that isn't possible, show the text instead. `url`: of that message. */
export type SendFile = (
  userId: string,
  file: { name: string; title: string; content: string | Uint8Array },
) => Promise<{ isSent: true; url?: string | undefined } | { isSent: false; advice?: string }>;

/** For messages that somebody is waiting for: each request ends within seconds. Throws PostError if Slack refuses. */
export interface ChannelMessages {
  /** Hides `id` in the message, to find it again. After any error but PostError the outcome is unknown. */
  post(target: { channelId: string; id: string }, message: Message): Promise<{ ts: string }>;
  update(target: { channelId: string; ts: string }, message: Message): Promise<void>;
  remove(target: { channelId: string; ts: string }): Promise<void>;
  linkTo(target: { channelId: string; ts: string }): Promise<string | undefined>;
}

/** A kind of thing that posts in channels, such as watches. It is paused when Slack refuses its messages for good. */
export interface Pausable<Ctx = unknown, AskCtx = Ctx> {
  /** `singular` also begins their actions in the audit log: `watch.pause`. */
  noun: { singular: string; plural: string };
  /** The lines that list them. */
  lists: { mine: string };
  /** A sentence for the owner about the time until the things are resumed, or after that. */
  effectOfPause: string;
  /** The outbox kind of the notice about a single thing. */
  noticeKind: string;
  /** Pauses the things with these ids, or all in the channel. Returns those that were not paused before. */
  pause(
    transaction: WorkspaceStore,
    which: {
      code: string;
      of: { ids: readonly string[] } | { channelId: string };
      now: Date;
    },
  ): Promise<PausedThing[]>;
  /** The things that were paused because Slack refused their messages. */
  findPaused(store: WorkspaceStore, filter: PausedFilter): Promise<PausedThing[]>;
  /** The current titles. If left out, the notice shows the titles at the time of the pause. */
  getTitles?(things: readonly { id: string; title: string }[], ctx: Ctx): Promise<string[]>;
  resume(id: string, actor: Actor, ctx: AskCtx): Promise<unknown>;
  /** Throws UserError if that person can't own it. */
  handOver(id: string, ownerId: string, actor: Actor, ctx: AskCtx): Promise<unknown>;
  /** Ends it for good, with its audit entry, in one transaction. Does nothing if it is gone. */
  end(id: string, by: Change, ctx: Ctx): Promise<void>;
  /** `resume` throws UserError if the bot can't post in the channel. */
  resumeChecksChannel: boolean;
}

export interface PausedThing {
  id: string;
  title: string;
  ownerId: string;
  isPersonal: boolean;
  /** A notice to the owner about this thing alone. owned/ adds `channelId` and `reason` to its message. */
  notice: Notice;
}

type Notice = Pick<PendingMessage, 'threadKey' | 'message'>;

/** `reason`: Slack's error code; any if omitted. */
export interface PausedFilter {
  ownerId: string;
  channelId: string;
  reason?: string;
}

/** Call this when Slack refuses a message for good. Pauses the things that it is about, or all in the channel. */
export type PauseRefused = (
  store: WorkspaceStore,
  refusal: Refusal,
  /** `toPerson`: the channel of the refused message is a person's id. */
  about: { pausable: Pausable; ids: readonly string[]; toPerson: boolean },
) => Promise<void>;
