import type { KnownBlock, SectionBlock } from '@slack/types';
import type { Kysely } from 'kysely';
import type { AnalyticsClient } from '../analytics/client.ts';
import type { Schema } from '../database/schema.ts';
import type { VesselDirectory } from '../grammar/vessel-directory.ts';
import type { Logger } from '../log.ts';
import type { Message, Reader } from '../messages/message.ts';
import type { OutgoingMessage } from '../outbox/outgoing-message.ts';
import type { Imo } from '../reference/imo.ts';
import type { AuditedTransaction } from '../workspaces/audit.ts';
import type { Access, Actor } from '../workspaces/permissions.ts';
import type { Person } from '../workspaces/person.ts';
import type { ChannelSettingsStore, GuestSetting } from '../workspaces/settings.ts';
import type { Answered, Command, ParseLine } from './command.ts';
import type { Form } from './form.ts';
import type { Pausable } from './pausable.ts';
import type { RunContext } from './run-context.ts';

/** All that a feature offers. The edge, the terminal, Home, digests and the job runner know this and nothing else. */
export interface Feature {
  commands: readonly Command[];
  forms?: readonly Form[];
  /** Buttons that are not command lines. */
  actions?: readonly Action[];
  /** manifest.yml has the same names. */
  shortcuts?: readonly Shortcut[];
  /** The kinds of messages that it puts into the outbox. */
  outgoing?: readonly OutgoingMessage[];
  /** What it pauses when Slack accepts no more messages for a channel. */
  pausable?: Pausable;
  /** Slack reports that nothing can be posted in a channel any more; `code` says why. */
  onChannelGone?(channel: { channelId: string; code: string }): Promise<void>;
  jobs?: readonly Job[];
  home?: HomeSection;
  /** The end of the Home tab; it must not need the store. */
  homeFooter?(reader: Reader): KnownBlock[];
  /** Deletes from the store what is older than that. */
  forgetBefore?(before: Date): Promise<unknown>;
  /** The vessels that a thread of this feature is about; none for any other thread. */
  vesselsOfThread?(thread: { channelId: string; threadTs: string }): Promise<readonly Imo[]>;
  /** Handles a file that somebody shares with the bot in a direct message. */
  takeFile?(file: SharedFile, context: RunContext): Promise<Pick<Answered, 'view'>>;
}

/** What app/workspace.ts gives the features of a workspace; each uses what it needs. */
export interface WorkspaceServices {
  workspaceId: string;
  credentialId: string;
  /** The actor in the audit log for changes that nobody asked for. */
  botUserId: string;
  db: Kysely<Schema>;
  analytics: AnalyticsClient;
  slack: SlackServices;
  access: Access;
  /** For changes that are written to the audit log; it also notifies open Home tabs of them. */
  audited: AuditedTransaction;
  channels: ChannelSettingsStore;
  guests: GuestSetting;
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
  /** A reference that people can read out. */
  newRef: () => string;
  /** Turns a missed deadline into the service's error: the command has been waiting for the service. */
  toServiceTrouble: (cause: Error) => Error;
  logger: Logger;
}

interface FeatureSettings {
  version: string;
  /** Who may ask what the API costs. */
  usageVisibleTo: 'everyone' | 'admins';
  maxWatchesPerChannel: number;
  maxDigestsPerChannel: number;
  /** The polling interval; undefined: it depends on the ETA. */
  pollMinutes: number | undefined;
  leaseMs: number;
}

/** Slack, as features may use it. */
export interface SlackServices {
  personOf(userId: string): Promise<Person>;
  /** Who reads what is posted in this channel: `outside` if the bot can't look into it. */
  audienceOf(channelId: string): Promise<Reader['audience']>;
  /** The id of a person's direct message with the bot. Rejects if Slack doesn't give it. */
  directMessageOf(userId: string): Promise<string>;
  /** Throws UserError, with advice, if the bot can't post in the channel. Posts nothing. */
  checkChannel(channelId: string): Promise<void>;
  /** Throws UserError if this person can't own anything in the channel. */
  checkOwner(owner: { userId: string; channelId: string }): Promise<void>;
  sendFile: SendFile;
  messages: ChannelMessages;
}

/** Sends a text file to a person in a direct message. False if that isn't possible: then show the text instead. */
export type SendFile = (
  userId: string,
  file: { name: string; title: string; content: string },
) => Promise<boolean>;

/** Messages that somebody waits for. Each request ends within a few seconds. Throws PostError if Slack refuses it. */
export interface ChannelMessages {
  /** Hides `id` in the message, to find it again. Any error other than PostError leaves the outcome unknown. */
  post(target: { channelId: string; id: string }, message: Message): Promise<{ ts: string }>;
  update(target: { channelId: string; ts: string }, message: Message): Promise<void>;
  remove(target: { channelId: string; ts: string }): Promise<void>;
  linkTo(target: { channelId: string; ts: string }): Promise<string | undefined>;
}

interface ActionFlags {
  /** It changes nothing. */
  repeatable?: boolean;
  /** Guests who may only ask can do it. As `repeatable` if left out. */
  onlyAsks?: boolean;
}

/** A button, or an option of a menu, whose value is not a command line. */
export interface Action extends ActionFlags {
  /** Such as `watch:stop`; it is in the message. */
  id: string;
  /** Its answer replaces the message with the button; otherwise only the person who clicked sees the answer. */
  replacesMessage: boolean;
  /** It asks the service again, at most once a minute (`context.fresh`). */
  isRefresh?: boolean;
  /** Undefined: there is nothing to say. Throws UserError. */
  run(value: string, context: ActionContext): Promise<Message | undefined>;
}

/** What a click can do in addition to what any line can. */
export interface ActionContext extends RunContext {
  /** Works within 3 s of the click. Throws UserError if it fails. */
  openForm(name: string, target: unknown): Promise<void>;
  /** Opens something to read, such as a question before something is lost; `instead`: a line to type. */
  openMessage(message: Message, instead: string): Promise<void>;
  runDue(): Promise<void>;
}

/** Something other than a command line that a person does, with everything it needs closed over. */
export interface BoundAction extends ActionFlags {
  name: string;
  /** Undefined: there is nothing to say. */
  run(context: RunContext): Promise<Pick<Answered, 'view'> | undefined>;
}

export interface SharedFile {
  name: string | undefined;
  /** Throws UserError if the file is too large or Slack does not give it to the bot. */
  read(): Promise<Uint8Array>;
}

/** Opens a form: from anywhere, or from the menu of a message; then `words` are that message's text. */
export interface Shortcut {
  id: string;
  kind: 'global' | 'message';
  form: string;
  targetOf(words: string, context: { vessels: VesselDirectory }): unknown;
}

/** Work that the clock starts. */
export interface Job {
  name: string;
  /** Does everything that is due at `now`, a time of the domain clock. */
  runDue(now: Date): Promise<unknown>;
}

/** A list on the Home tab; texts are mrkdwn. */
export interface HomeSection {
  /** In the values of buttons: `watches`. */
  name: string;
  label: string;
  /** The button that opens the form to add one. */
  opener: { form: string; label: string };
  /** For somebody who has nothing on any list yet. */
  firstStep: string;
  /** Shown instead of an empty list. */
  empty: string;
  /** Entries have owners, so the list has an «Only mine» button. */
  hasOwners: boolean;
  read(page: HomePageRequest, context: RunContext): Promise<HomePage>;
}

export interface HomePageRequest {
  /** `mine`: what the person owns; `all`: everything in the channels that the person is in. */
  scope: 'all' | 'mine';
  limit: number;
  offset: number;
}

export interface HomePage {
  /** On all pages. */
  total: number;
  rows(reader: Reader): SectionBlock[];
  /** Small print, escaped. */
  notes?(reader: Reader): string[];
}

/** Groups of vessels that a line can name. The registry puts them together: they belong to several features. */
export interface Groups {
  getFleet: GetFleet;
  /** The vessels that a channel watches, or those of a person's own watches. Throws UserError for a non-member. */
  watchedVessels(filter: { channelId: string } | { ownerId: string }, actor: Actor): Promise<readonly Imo[]>;
}

/** Throws UserError if no fleet has that name; `lineOf` makes the lines that offer fleets with similar names. */
export type GetFleet = (
  name: string,
  lineOf?: (words: string) => string,
) => Promise<{ name: string; imos: readonly [Imo, ...Imo[]] }>;

/** The features of a workspace, as the edge, the terminal and the job runner use them. */
export interface FeatureSet {
  all: readonly Feature[];
  commands: readonly Command[];
  parseLine: ParseLine;
  /** The vessel names of the workspace; the last ones read if the store does not answer. */
  vessels(): Promise<VesselDirectory>;
}
