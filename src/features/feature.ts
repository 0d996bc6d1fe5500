import type { KnownBlock, SectionBlock } from '@slack/types';
import type { Kysely } from 'kysely';
import type { AnalyticsClient } from '../analytics/answers.ts';
import type { Schema } from '../database/schema.ts';
import type { VesselDirectory } from '../grammar/vessel-directory.ts';
import type { Logger } from '../log.ts';
import type { Message, Reader } from '../messages/message.ts';
import type { OutgoingMessage } from '../outbox/outgoing-message.ts';
import type { Imo } from '../reference/imo.ts';
import type { Access } from '../workspaces/access.ts';
import type { AuditedTransaction } from '../workspaces/audit.ts';
import type { ChannelSettingsStore } from '../workspaces/channels.ts';
import type { GuestSetting } from '../workspaces/guests.ts';
import type { Person } from '../workspaces/person.ts';
import type { Answered, Command, ParseLine } from './command.ts';
import type { Form } from './form.ts';
import type { Pausable } from './pausable.ts';
import type { RunContext } from './run-context.ts';

/** All that a feature offers. The edge, the terminal, Home, digests and the job runner know this and nothing else. */
export interface Feature {
  /** What can be typed. */
  commands: readonly Command[];
  /** What can be filled in. */
  forms?: readonly Form[];
  /** Buttons that are not command lines. */
  actions?: readonly Action[];
  /** What manifest.yml offers under the same names. */
  shortcuts?: readonly Shortcut[];
  /** What it puts into the outbox. */
  outgoing?: readonly OutgoingMessage[];
  /** What it pauses where Slack takes no message from it any more. */
  pausable?: Pausable;
  /** Slack says that nothing can be posted in a channel any more, and why. */
  onChannelGone?(channel: { channelId: string; code: string }): Promise<void>;
  /** What it does without being asked. */
  jobs?: readonly Job[];
  /** Its part of the Home tab. */
  home?: HomeSection;
  /** The end of the Home tab; known even where the store does not answer. */
  homeFooter?(reader: Reader): KnownBlock[];
  /** Takes out of the store what is older than that. */
  forgetBefore?(before: Date): Promise<unknown>;
  /** The vessels that a thread of its own is about; none for any other thread. */
  vesselsOfThread?(thread: { channelId: string; threadTs: string }): Promise<readonly Imo[]>;
  /** What becomes of a file that somebody shares with the bot in a direct message. */
  takeFile?(file: SharedFile, context: RunContext): Promise<Pick<Answered, 'view'>>;
}

/** What app/workspace.ts hands to the features of a workspace; each takes what it needs of it. */
export interface WorkspaceServices {
  workspaceId: string;
  credentialId: string;
  /** For the audit log of what nobody has asked for. */
  botUserId: string;
  db: Kysely<Schema>;
  analytics: AnalyticsClient;
  slack: SlackServices;
  access: Access;
  /** For changes that are written to the audit log: whoever shows them elsewhere hears of them. */
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
  /** What a person is shown where a command came to its deadline. */
  tooSlow: (cause: Error) => Error;
  logger: Logger;
}

interface FeatureSettings {
  version: string;
  /** Who may ask what the API costs. */
  usageFor: 'everyone' | 'admins';
  maxWatchesPerChannel: number;
  maxDigestsPerChannel: number;
  /** Between two polls of a subject, whatever its ETA. */
  pollMinutes: number | undefined;
  leaseMs: number;
}

/** Slack, as features may use it. */
export interface SlackServices {
  personOf(userId: string): Promise<Person>;
  /** Who reads what is posted in this channel. One that the bot can't look into counts as `outside`. */
  audienceOf(channelId: string): Promise<Reader['audience']>;
  /** A person's direct message with the bot. Rejects where Slack does not say. */
  directMessageOf(userId: string): Promise<string>;
  /** Throws UserError where the bot can't post, with what to do; it looks without posting anything. */
  checkChannel(channelId: string): Promise<void>;
  /** Throws UserError for a person who can't own what is in that channel. */
  checkOwner(owner: { userId: string; channelId: string }): Promise<void>;
  /** Sends a text to a person alone, as a file. False where that is not possible: then it is shown instead. */
  sendFile: SendFile;
  messages: ChannelMessages;
}

export type SendFile = (
  userId: string,
  file: { name: string; title: string; content: string },
) => Promise<boolean>;

/** Messages that somebody waits for. Each call ends within a few seconds. Throws PostError where Slack says no. */
export interface ChannelMessages {
  /** `id` is in it, unseen, so that it can be found again. Throws anything but PostError where the outcome is unknown. */
  post(target: { channelId: string; id: string }, message: Message): Promise<{ ts: string }>;
  update(target: { channelId: string; ts: string }, message: Message): Promise<void>;
  remove(target: { channelId: string; ts: string }): Promise<void>;
  /** Undefined where Slack gives none. */
  linkTo(target: { channelId: string; ts: string }): Promise<string | undefined>;
}

/** A button, or an option of a menu, whose value is not a command line. */
export interface Action {
  /** Such as `watch:stop`; it is in the message. */
  id: string;
  /** Under a message: whether what it gives takes that message's place, or is answered to the person alone. */
  replacesMessage: boolean;
  /** It asks the service afresh: granted at most once a minute (`context.fresh`). */
  isRefresh?: boolean;
  /** It changes nothing. */
  repeatable?: boolean;
  /** Those may do it who may only ask; as `repeatable` where left out. */
  onlyAsks?: boolean;
  /** Undefined: nothing is to be said. Throws UserError. */
  run(value: string, context: ActionContext): Promise<Message | undefined>;
}

/** What a click can do beside what any line can. */
export interface ActionContext extends RunContext {
  /** Slack lets it open for 3 s after the click. Throws UserError when it does not. */
  openForm(name: string, target: unknown): Promise<void>;
  /** Opens something to read, such as a question before something is lost; `instead`: a line to type. */
  openMessage(message: Message, instead: string): Promise<void>;
  /** Does what is due now. */
  runDue(): Promise<void>;
}

/** What a person does that no command line says, with all that it needs closed over. */
export interface BoundAction {
  /** For the log. */
  name: string;
  /** It changes nothing. */
  repeatable?: boolean;
  /** Those may do it who may only ask; as `repeatable` where left out. */
  onlyAsks?: boolean;
  /** Undefined: nothing is to be said. */
  run(context: RunContext): Promise<Pick<Answered, 'view'> | undefined>;
}

/** `read` throws UserError for what is too large, or no file that Slack gives the bot. */
export interface SharedFile {
  name: string | undefined;
  read(): Promise<Uint8Array>;
}

/** Opens a form: from anywhere, or from the menu of a message whose words it is given. */
export interface Shortcut {
  id: string;
  kind: 'global' | 'message';
  form: string;
  targetOf(words: string, context: { vessels: VesselDirectory }): unknown;
}

/** Work that comes due by the clock. */
export interface Job {
  name: string;
  /** `now`: the domain clock. Does all that is due. */
  runDue(now: Date): Promise<unknown>;
}

/** A list on the Home tab. */
export interface HomeSection {
  /** Stands in the values of buttons: `watches`. */
  name: string;
  /** Of its tab. */
  label: string;
  /** The form that adds one. */
  opener: { form: string; label: string };
  /** For somebody who has nothing yet; mrkdwn. */
  firstStep: string;
  /** Shown where there are none; mrkdwn. */
  empty: string;
  /** Things have owners, so there is «Only mine». */
  hasOwners: boolean;
  read(page: HomePageRequest, context: RunContext): Promise<HomePage>;
}

export interface HomePageRequest {
  /** One's own, or those of all channels that one is in. */
  scope: 'all' | 'mine';
  limit: number;
  offset: number;
}

export interface HomePage {
  /** Of all pages. */
  total: number;
  rows(reader: Reader): SectionBlock[];
  /** Small print, escaped. */
  notes?(reader: Reader): string[];
}

/** The features of a workspace, as the edge, the terminal and the job runner use them. */
export interface FeatureSet {
  all: readonly Feature[];
  /** Of all features, in their order. */
  commands: readonly Command[];
  parseLine: ParseLine;
  /** The names that the workspace knows now; those last known while the store does not answer. */
  vessels(): Promise<VesselDirectory>;
}
