import type { CallCause, RequestOptions } from '../analytics/answers.ts';
import type { AnalyticsClient } from '../analytics/client.ts';
import type { LineOf } from '../answers/answer.ts';
import type { KnownVessel } from '../answers/formatting/words.ts';
import type { Destination, Message, Reader, StoredDestination } from '../answers/message.ts';
import type { Workbooks } from '../answers/workbook.ts';
import type { WorkspaceStore } from '../database/workspace-store.ts';
import { UserError } from '../errors.ts';
import { type VesselDirectory, withoutReferences } from '../grammar/vessel-directory.ts';
import type { Logger } from '../log.ts';
import type { PendingMessage, Refusal } from '../outbox/outgoing-message.ts';
import type { MapPicture } from '../pictures/map-picture.ts';
import type { Imo } from '../reference/codes.ts';
import type { AuditedTransaction, RecordEntries } from '../workspaces/audit.ts';
import type { CallCounts } from '../workspaces/call-counts.ts';
import type { Access, Actor, Person } from '../workspaces/permissions.ts';
import type { ChannelSettingsStore, GuestSetting, LinkSetting } from '../workspaces/settings.ts';
import type { WorkspaceAccount } from '../workspaces/workspace-account.ts';
import type { AnsweredLine, CommandHelp, LineContext, ReadLine } from './line.ts';
import type { Readers } from './outsiders.ts';

/** The place in which a line was typed, or a button pressed. */
export interface Place {
  channelId: string;
  destination: Destination;
  /** Left out outside of threads. */
  threadTs?: string;
  /** Set for a form, which may stay open after the person has left the channel. */
  mayHaveLeft?: boolean;
  /** Set if the person isn't there: the line named this channel, or an assistant asks. */
  isElsewhere?: boolean;
  /** Set if others get the answer outside of channels: through a workflow, or in a direct message with somebody else. */
  isShared?: boolean;
}

/**
 * Call in the transaction that changes fleets, with their keys: the watches of these fleets follow the change. Returns the
 * watches of each fleet: not everybody may know of all of them.
 */
export type FollowFleets<Ctx = void> = (
  transaction: WorkspaceStore,
  fleets: readonly string[],
  change: { actorId: string; now: Date; record: RecordEntries },
  ctx: Ctx,
) => Promise<ReadonlyMap<string, readonly FollowingWatch[]>>;

export interface FollowingWatch {
  channelId: string;
  ownerId: string;
}

/** A line that runs for somebody who isn't there, such as one of a digest. */
export interface AskedLine<Rendered>
  extends Pick<AskCtx, 'priority' | 'cause'>,
    Partial<Pick<AskCtx, 'lastSentAt'>> {
  /** For the log, with other fields of it. */
  surface: string;
  fields: Readonly<Record<string, unknown>>;
  line: string;
  /** For the whole line. */
  deadlineMs: number;
  who(): Promise<Pick<AskCtx, 'actor' | 'audience'> & { place: Place }>;
  /** Throws UserError for a line that must not run there. */
  check(line: ReadLine): void;
  render(answer: AnsweredLine, line: ReadLine, reader: Reader): Rendered;
}

/** `ref`: the reference of the log. */
export type AskedOutcome<Rendered> =
  | { kind: 'answered'; rendered: Rendered }
  | { kind: 'failed'; error: unknown; ref: string; reader: Reader };

/** What a feature knows of the others. */
interface Registry {
  /** The line of another feature that does this. */
  lineOf: LineOf;
  commands: readonly CommandHelp[];
  /** Throws UserError. */
  parseLine(line: string, context: LineContext): ReadLine;
  /** Runs a line in the one way of all surfaces (run/). It never rejects. */
  askLine<Rendered>(asked: AskedLine<Rendered>, ctx: WorkCtx): Promise<AskedOutcome<Rendered>>;
  pausables: readonly Pausable<WorkCtx, AskCtx>[];
  followFleets: FollowFleets<WorkCtx>;
  /** The vessel names of the workspace; if the store does not answer, those read last. */
  vessels(ctx: WorkCtx): Promise<VesselDirectory>;
}

/** What all work of a workspace gets: jobs, hooks, messages that go out. */
export interface WorkCtx {
  services: WorkspaceServices;
  registry: Registry;
}

/** What everything gets that a person does: a line, a click, a form. */
export interface AskCtx extends WorkCtx {
  /** The person who asks. */
  actor: {
    userId: string;
    isAdmin: boolean;
    /** IANA name, from the Slack profile; undefined if Slack does not give it. */
    zone: string | undefined;
    /** A guest who may only ask, without references, usage and costs; or somebody who may be one. */
    asksOnly?: boolean;
  };
  /** Left out in the terminal. */
  place?: Place;
  /** The current vessel names of the workspace. */
  vessels: VesselDirectory;
  /** The domain clock. */
  now: () => Date;
  source: Reader['source'];
  /** Who reads the answer. */
  audience: Reader['audience'];
  /** The id of the thing that this request creates: the same each time Slack delivers the request. */
  idempotencyKey?: string;
  /** Asks the service again, past the cache (Refresh). */
  fresh: boolean;
  /** Set for an export: a list in the store is read up to this many rows, whatever the page. */
  maxRows?: number;
  /** `background` if nobody is waiting, as for a line of a digest. If left out, `interactive`. */
  priority?: 'interactive' | 'background';
  /** The channel in which the person allows people of other organisations to see what this request posts. */
  allowsOutsidersIn?: string;
  /** When the digest before this one was sent. Left out for the first one, and outside of digests. */
  lastSentAt?: Date;
  /** What the requests of this line count as. If left out, a person's command. */
  cause?: CallCause;
  signal: AbortSignal;
  /** For a wait that other people's commands cause. Left out if there is no deadline. */
  withDeadlinePaused?: WithDeadlinePaused;
}

interface AnalyticsServices {
  analytics: AnalyticsClient;
}

export type AnalyticsContext = AskCtx & AnalyticsServices;

export function requestOptions(context: AskCtx): RequestOptions {
  const { actor, fresh, signal, priority = 'interactive', cause } = context;
  return { askedBy: actor.userId, fresh, signal, priority, ...(cause && { cause }) };
}

/** The cause of the requests of a command, or of a button or form that belongs to it. */
export const commandCause = (
  name: string,
  place: Pick<Place, 'channelId' | 'destination'> | undefined,
): CallCause => ({
  kind: 'command',
  name,
  channelId: place?.destination === 'channel' ? place.channelId : null,
});

/** The vessel, with its name if the workspace gives it one. */
export function knownVessel(imo: Imo, vessels: Pick<VesselDirectory, 'nameOf'>): KnownVessel {
  const name = vessels.nameOf(imo);
  return name === undefined ? { imo } : { imo, name };
}

/** The arguments of readPage: an export needs all rows at once. */
export const pageIn = ({ maxRows }: AskCtx, page: number, size: number): [page: number, size: number] =>
  maxRows === undefined ? [page, size] : [1, maxRows];

type ReferencesOf = VesselDirectory['referencesOf'];

/** References say whose cargo is on a vessel, so people of other organisations see none. */
export const referencesShown = (
  { referencesOf }: { referencesOf: ReferencesOf },
  { audience }: Pick<Reader, 'audience'>,
): ReferencesOf => (audience === 'outside' ? () => [] : referencesOf);

/** What the person may see of it: references are for members. */
export const directoryFor = (
  { asksOnly = false }: AskCtx['actor'],
  directory: VesselDirectory,
): VesselDirectory => (asksOnly ? withoutReferences(directory) : directory);

/** The person who asks, with the channel. Throws UserError in the terminal. */
export function actorIn(context: AskCtx): Actor {
  const { userId, isAdmin } = context.actor;
  const { channelId, mayHaveLeft = false } = placeIn(context);
  const { allowsOutsidersIn } = context;
  const allowed = allowsOutsidersIn !== undefined && { allowsOutsidersIn };
  return { userId, isAdmin, channelId, mayHaveLeft, ...allowed };
}

/** Throws UserError in the terminal. */
export function placeIn({ place }: AskCtx): Place {
  if (!place) throw onlyInSlack();
  return place;
}

/** The terminal has no store: only the running bot does. */
export const onlyInSlack = (): UserError =>
  new UserError({
    code: 'not-allowed',
    message:
      'Watches, digests, names, fleets and the count of calls belong to a workspace, so they work in Slack only.',
    hint: 'Type the same line in Slack, with a slash in front.',
    example: 'nextport 9461477',
  });

/** The reader of a modal or the Home tab, which only the person who asks can see. */
export function privateReader({ now, actor, source }: AskCtx): Reader {
  return { now: now(), zone: actor.zone ?? 'UTC', source, audience: 'private' };
}

/** The person's zone, to be saved. Throws UserError if Slack does not give it, since a saved guess would stay wrong. */
export function zoneToSave(zone: string | undefined, help: { hint: string; example: string }): string {
  if (zone !== undefined) return zone;
  throw new UserError({
    code: 'unknown-zone',
    message: "Slack isn't giving me your time zone right now, so nothing was saved.",
    ...help,
  });
}

/** The help for `zoneToSave` if a line can name the zone. */
export const zoneHelp = (example: string) => ({
  hint: 'Type the time zone after the time, or try again in a minute.',
  example,
});

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
type StateOf = <State>(key: StateKey<State>, create: () => State) => State;

/** Names a state by identity, with its type. */
export interface StateKey<State> {
  name: string;
  /** Only a type. */
  state?: State;
}

/** Returns the `state` of one workspace. */
export function createState(): StateOf {
  const states = new Map<StateKey<unknown>, unknown>();
  return <State>(key: StateKey<State>, create: () => State): State => {
    if (!states.has(key)) states.set(key, create());
    return states.get(key) as State; // stored under a key of its type
  };
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
  /** The limit of requests per day for background work; undefined for none. */
  dailyCalls: number | undefined;
  leaseMs: number;
}

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
  /** The id of a person's direct message with the bot. Rejects if Slack doesn't give it. */
  directMessageOf(userId: string): Promise<string>;
  /** Throws UserError, with advice, if the bot can't post in the channel. Posts nothing. */
  checkChannel(channelId: string): Promise<void>;
  /** Throws UserError if this person can't own anything in the channel. */
  checkOwner(owner: { userId: string; channelId: string }): Promise<void>;
  sendFile: SendFile;
  messages: ChannelMessages;
}

/** Sends a file to a person in a direct message. If that isn't possible, show the text instead. */
export type SendFile = (
  userId: string,
  file: { name: string; title: string; content: string | Uint8Array },
) => Promise<{ isSent: true } | { isSent: false; advice?: string }>;

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
  /** `singular` is also the command that lists the things, and begins their actions in the audit log: `watch.pause`. */
  noun: { singular: string; plural: string };
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
  /** `resume` throws UserError if the bot can't post in the channel. */
  resumeChecksChannel: boolean;
}

export interface PausedThing {
  id: string;
  title: string;
  ownerId: string;
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

/** The work did not finish before its deadline. */
export class DeadlineError extends Error {
  override readonly name = 'DeadlineError';

  constructor(deadlineMs: number) {
    super(`no answer within ${deadlineMs} ms`);
  }
}

/** Awaits the promise with the deadline paused, then restarts the deadline. The promise must settle on its own. */
export type WithDeadlinePaused = <T>(waiting: Promise<T>) => Promise<T>;

/** Aborts the work's signal at the deadline, and throws DeadlineError even if the work ignores the signal. */
export async function withinDeadline<T>(
  deadlineMs: number,
  work: (signal: AbortSignal, withDeadlinePaused: WithDeadlinePaused) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const { promise: deadline, reject } = Promise.withResolvers<never>();
  const start = () =>
    setTimeout(() => {
      const error = new DeadlineError(deadlineMs);
      reject(error);
      controller.abort(error);
    }, deadlineMs);
  let timer = start();
  const withDeadlinePaused: WithDeadlinePaused = async (waiting) => {
    clearTimeout(timer);
    try {
      return await waiting;
    } finally {
      timer = start();
    }
  };
  try {
    return await Promise.race([work(controller.signal, withDeadlinePaused), deadline]);
  } finally {
    clearTimeout(timer);
  }
}

type Asked = Pick<AskCtx, 'actor'>;

/** Throws `refusal` unless the person is an admin, as far as is known. */
export function checkAdmin({ actor }: Asked, refusal: () => UserError): void {
  if (!actor.isAdmin) throw refusal();
}

/** Asks Slack again, since somebody may just have lost the role. Throws `refusal`. */
export async function checkIsStillAdmin(
  { actor }: Asked,
  slack: Pick<SlackServices, 'personOf'>,
  refusal: () => UserError,
): Promise<void> {
  checkAdmin({ actor }, refusal);
  const { isAdmin } = await slack.personOf(actor.userId, { fresh: true });
  if (!isAdmin) throw refusal();
}
