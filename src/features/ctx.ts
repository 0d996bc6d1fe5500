import type { CallCause, RequestOptions } from '../analytics/answers.ts';
import {
  type Answer,
  addToFleet,
  type Comparison,
  callsAt,
  type Intent,
  type LineOf,
} from '../answers/answer.ts';
import type { KnownVessel } from '../answers/formatting/words.ts';
import type { Destination, Message, Reader } from '../answers/message.ts';
import type { StoredAnswer } from '../answers/stored.ts';
import type { TableShape } from '../answers/table.ts';
import type { WorkspaceStore } from '../database/workspace-store.ts';
import { type Choice, UserError } from '../errors.ts';
import type { DateOrder, ExportFormat } from '../grammar/line.ts';
import type { Mentions } from '../grammar/mentions.ts';
import { type VesselDirectory, withoutReferences } from '../grammar/vessel-directory.ts';
import type { VesselHelp } from '../grammar/vessel-help.ts';
import { exampleVessels, type Imo, type PortOrGroup } from '../reference/codes.ts';
import { portLabel } from '../reference/ports.ts';
import type { Change, RecordEntries } from '../workspaces/audit.ts';
import type { Actor } from '../workspaces/permissions.ts';
import type { Visibility } from '../workspaces/settings.ts';
import type { Pausable, SlackServices, StateKey, StateOf, WorkspaceServices } from './services.ts';

/** The place where a line was typed, or a button pressed. */
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
  /** Set if plain words reach Landfall there only after a mention. */
  needsMention?: boolean;
}

/**
 * Call in the transaction that changes fleets, with their keys: the watches of these fleets follow the change. Returns the
 * watches of each fleet: not everybody may know of all of them.
 */
export type FollowFleets = (
  transaction: WorkspaceStore,
  fleets: readonly string[],
  change: { actorId: string; now: Date; record: RecordEntries },
  ctx: WorkCtx,
) => Promise<ReadonlyMap<string, readonly FollowingWatch[]>>;

export interface FollowingWatch {
  title: string;
  channelId: string;
  destination: 'channel' | 'direct-message';
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
  followFleets: FollowFleets;
  /** The same for groups of ports, by their names. */
  followPortGroups: FollowFleets;
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
    /** Their language in Slack, such as `en-US`; left out if it isn't known. */
    locale?: string | undefined;
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
  /** The reference, as it is stored, that was typed for the line's only vessel. */
  reference?: string;
  /** The id of the thing that this request creates: the same each time Slack delivers the request. */
  idempotencyKey?: string;
  /** Asks the service again, past the cache (Refresh). */
  fresh: boolean;
  /** Set for an export: a list in the store is read up to this many rows, whatever the page. */
  maxRows?: number;
  /** `background` if nobody is waiting, as for a line of a digest. If left out, `interactive`. */
  priority?: 'interactive' | 'background';
  /** The channel where the person allows people of other organisations to see what this request posts. */
  allowsOutsidersIn?: string;
  /** When the digest before this one was sent. Left out for the first one, and outside of digests. */
  lastSentAt?: Date;
  /** What the requests of this line count as. If left out, a person's command. */
  cause?: CallCause;
  signal: AbortSignal;
  /** For a wait that other people's commands cause. Left out if there is no deadline. */
  withDeadlinePaused?: WithDeadlinePaused;
}

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

/** The vessel, with its name and its references if the workspace gives it some. */
export function knownVessel(
  imo: Imo,
  { nameOf, referencesOf }: Pick<VesselDirectory, 'nameOf' | 'referencesOf'>,
): KnownVessel {
  const [name, references] = [nameOf(imo), referencesOf(imo)];
  return { imo, ...(name !== undefined && { name }), ...(references.length > 0 && { references }) };
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

/** The person who makes a change, and its time. */
export const changeBy = ({ actor, now }: Pick<AskCtx, 'actor' | 'now'>): Change => ({
  actorId: actor.userId,
  now: now(),
});

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
  });

/** The reader of a modal or the Home tab, which only the person who asks can see. */
export function privateReader({ now, actor, source }: AskCtx): Reader {
  return { now: now(), zone: actor.zone ?? 'UTC', source, audience: 'private' };
}

/** The person's zone, to be saved. Throws UserError if Slack does not give it, since a saved guess would stay wrong. */
export function zoneToSave(zone: string | undefined, help: { hint: string; example?: string }): string {
  if (zone !== undefined) return zone;
  throw new UserError({
    code: 'unknown-zone',
    message: "Slack isn't giving me your time zone right now, so nothing was saved.",
    ...help,
  });
}

/** The help for `zoneToSave` if a line can name the zone. */
export const zoneHelp = (example?: string) => ({
  hint: 'Type the time zone after the time, or try again in a minute.',
  ...(example !== undefined && { example }),
});

/** Returns the `state` of one workspace. */
export function createState(): StateOf {
  const states = new Map<StateKey<unknown>, unknown>();
  return <State>(key: StateKey<State>, create: () => State): State => {
    if (!states.has(key)) states.set(key, create());
    return states.get(key) as State; // stored under a key of its type
  };
}

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

/** Throws UserError for people who don't see what the API account is used for. */
export function checkSeesUsage({ services, actor }: AskCtx): void {
  if (services.settings.usageVisibleTo === 'admins') checkAdmin({ actor }, usageForAdmins);
}

const usageForAdmins = (): UserError =>
  new UserError({
    code: 'not-allowed',
    message: 'API usage is for workspace admins only.',
    hint: 'Whoever runs this bot chose this. A workspace admin can ask and share the answer.',
  });

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

/** The person who asks, an admin only if Slack says so again now. Throws UserError in the terminal. */
export async function currentActor(ctx: AskCtx): Promise<Actor> {
  const actor = actorIn(ctx);
  if (!actor.isAdmin) return actor;
  const { isAdmin } = await ctx.services.slack.personOf(actor.userId, { fresh: true });
  return { ...actor, isAdmin };
}

/** What a parser can use. There is no clock: relative words such as `tomorrow` stay relative until `run`. */
export interface ParseContext {
  vessels: VesselDirectory;
  /** The line of another feature, for advice. */
  lineOf: LineOf;
  /** As the person who typed the line writes dates. Left out: one that can be read in two ways is asked about. */
  dateOrder?: DateOrder | undefined;
  /** What was typed after the words. */
  visibility?: Visibility;
  /** Those of the registry, for help. */
  commands?: readonly CommandHelp[];
  /** Reads a line inside of this one, such as one of a digest. Throws UserError. Left out for tools, which have fields. */
  readInner?(line: string): ReadLine;
  /** A person has typed it and reads the answer: misspelt words are corrected, and a text is read by what it names. */
  isTyped?: boolean;
  /** It is part of such a line. What it becomes is stored, so nothing in it is corrected. */
  isInTyped?: boolean;
}

/** The first example of the command that takes vessels, or ports. Every registry has one of each. */
export const exampleTaking = (kind: CommandHelp['takes'], commands: readonly CommandHelp[]): string =>
  commands.find(({ takes }) => takes === kind)?.examples[0] ?? '';

/** The line of another feature, as an example in a text: that of an intent which always has one. */
export const example = (intent: Intent, { lineOf }: Pick<ParseContext, 'lineOf'>): string =>
  lineOf(intent) ?? '';

/** The line of another feature as a choice; none if it would be too long. */
export function offer(label: string, intent: Intent, { lineOf }: Pick<ParseContext, 'lineOf'>): Choice[] {
  const line = lineOf(intent);
  return line === undefined ? [] : [{ label, line }];
}

export const offerCalls = (port: PortOrGroup, context: Pick<ParseContext, 'lineOf'>): Choice[] =>
  offer(`Who is coming to ${portLabel(port)}`, callsAt(port), context);

const exampleFleet = [exampleVessels[0].imo, exampleVessels[1].imo] as const;

/** A line that makes a fleet. */
export const fleetExample = (context: Pick<ParseContext, 'lineOf'>): string =>
  example(addToFleet('NORTH', exampleFleet), context);

/** What the parsers of vessels need of the context. */
export const vesselHelp = (
  context: ParseContext,
): Required<Pick<VesselHelp, 'vessels' | 'aboutPort' | 'newFleet' | 'newReference'>> => ({
  vessels: context.vessels,
  aboutPort: (port) => offerCalls(port, context),
  newFleet: () => `/${fleetExample(context)}`,
  newReference: (reference) =>
    example({ kind: 'add-reference', imo: exampleVessels[0].imo, reference }, context),
});

/**
 * Who sees an answer. `open`: the channel's settings decide. `on-request`: only the person who asks, unless they share
 * it. `internal`: as `on-request`, but nobody can share it where people of other organisations read. `personal`: see `isPersonal`.
 * `not-public`: personal, and nobody can make it public, since others may not see all of it. `never-shared`: not in a digest either.
 */
export type Privacy = 'open' | 'on-request' | 'internal' | 'personal' | 'not-public' | 'never-shared';

/**
 * Whether each person gets a different answer, such as a list of their channels. Others see it only if that person
 * types `public`, where that is allowed; a mention, a Refresh and a digest in a channel never show it to them.
 */
export const isPersonal = ({ privacy }: { privacy?: Privacy }): boolean =>
  privacy === 'personal' || privacy === 'not-public' || privacy === 'never-shared';

/** What stands in the slots of a question; undefined for one that was left out. */
export type Slots = Readonly<Record<string, string | undefined>>;

/** Of each line that a text is read as, or of some. */
export type Caveat = string | ((line: string) => string | undefined);

export const caveatOf = (caveat: Caveat | undefined, line: string): string | undefined =>
  typeof caveat === 'function' ? caveat(line) : caveat;

/** A plain question that a command answers. It changes nothing. */
export interface Question {
  /** As a person types it; for help. */
  example: string;
  /**
   * The ways to ask it: regular expressions for the whole text, in any case, the most specific first. A slot such as
   * `{vessel}` stands for any words; `{period}?` may be left out, with the space before it. A text that fits one which
   * begins with a slot may be about anything, so it is only wrong if something near is known.
   */
  asked: readonly string[];
  /**
   * The words after the command's name, with the same slots, for the command's own parser; or a function that returns all
   * that they can be, none if this isn't the question. It throws UserError.
   */
  words: string | ((slots: Slots, context: LineContext) => readonly string[]);
  /** What the answer doesn't say, as a phrase of its small print. */
  caveat?: Caveat | undefined;
  /** Its line changes something, so it is only offered: what the line would do. */
  offer?: string | undefined;
}

/** One of the things that a command is used for, which a text may mean whatever its words. */
export interface Meaning {
  /** No other meaning of a command has it. */
  name: string;
  /** Matches the canonical lines that have this meaning. Left out: all lines of the command. */
  of?: RegExp;
  /**
   * The words after the command's name, made of what the text names; undefined if something is missing. `likeliest`: the
   * line that another text most likely means. Throws UserError.
   */
  words: (mentions: Mentions, likeliest?: (text: string) => string | undefined) => string | undefined;
}

/** Plain text. */
export interface Option {
  typed: string;
  help: string;
}

/** What help says about a command. */
export interface CommandHelp {
  name: string;
  /** One line, without a full stop. */
  summary: string;
  /** The words after the name: `<vessel> [compare]`. */
  usage: string;
  /** What Slack shows beside the name while somebody types, in at most 60 characters. Left out: `usage`. */
  usageHint?: string;
  /** Whole command lines without the slash. */
  examples: readonly [string, ...string[]];
  /** What can follow, such as a period or a rule: as it is typed, and what it does. */
  options?: readonly Option[];
  /** One sentence about the options. */
  optionsNote?: string;
  /** Plain questions that the command answers, such as “where is EVER GIVEN?”. */
  questions?: readonly Question[];
  /** The tables that `table` can return, for the docs. */
  tables?: readonly TableShape[];
  /** It has no slash command of its own: people type `/landfall settings`, for example. */
  isUnderLandfall?: boolean;
  /** A line without a command's name is this command's if it names one of these. */
  takes?: 'vessels' | 'ports' | 'carriers';
  /** One of the first things that people come for, in words. A command that changes something opens its form. */
  wish?: { words: string; form?: { name: string; label: string } };
  /** The words after its name, for a text that is about this by what it names; undefined for another text. */
  readText?: (mentions: Mentions) => string | readonly string[] | undefined;
  /** What a text is offered as if it isn't understood; the first that fits a line is its meaning. */
  meanings?: readonly Meaning[];
  /** What an answer to a text in own words leaves out. */
  textCaveat?: Caveat;
  /** What a line that is offered for a text leaves out, or leaves to the person who presses. `periods`: those of the text. */
  offerHint?: (line: string, periods: readonly string[]) => string | undefined;
  /** Words that begin a line of this command, with or without its name. */
  verbs?: readonly string[];
}

/** Requests to the analytics service, if no answer is cached. */
export interface LineCost {
  calls: number;
  /** And one more for each further vessel of a group whose size the line doesn't say. */
  isOfGroup?: boolean;
  /** And one more for each further port, or lane, of a group of ports. */
  isOfPortGroup?: boolean;
}

/** What is known of a line when it has been read. The flags are for this line, not for all lines of the command. */
export interface ReadLine {
  command: CommandHelp;
  /** Canonical. */
  line: string;
  repeatable: boolean;
  /** The button that runs the line after a question that names it: `Yes, watch it`. */
  confirmation: string;
  onlyAsks: boolean;
  isExportable: boolean;
  /** Set if the line sends a file to the person who asks: `portcalls NLRTM as csv`. */
  exportFormat?: ExportFormat;
  privacy: Privacy;
  needsSlack: boolean;
  dependsOnPlace: boolean;
  /** What it asks about, in words, for the title of a digest. Left out: the line itself. */
  title?: string;
  /** Left out for a line that asks the service nothing. */
  cost?: LineCost;
  /** Counted in the past. A digest doesn't post the whole answer again while its verdict stays the same. */
  isStatistics?: boolean;
  /** That the line names: ports, and groups of them. */
  ports: readonly PortOrGroup[];
}

/** What a line has answered, for a surface that shows it. */
export interface AnsweredLine {
  /** Null if the next digest has nothing to compare with. */
  comparison: Comparison | null;
  /** The answer itself says what has changed. */
  hasNews: boolean;
  isForecast: boolean;
  /** The verdict and what qualifies it. `isWhole`: it says all but the small print. */
  brief(reader: Reader): { brief: Answer; isWhole: boolean };
  view(reader: Reader): Message;
  /** To be sent later. `reader`: of what it says. */
  stored(reader: Reader): StoredAnswer;
}

export interface LineContext extends Pick<ParseContext, 'vessels' | 'isTyped' | 'isInTyped'> {
  /** The language of the person who typed the line: `en-US` puts the month first in a date. */
  locale?: string | undefined;
  /** The vessels of the line's thread: a line without a subject is about them. */
  threadVessels?: readonly Imo[];
  /** The line was made of the rows of a table, so each of its words must be read. */
  isOfTable?: boolean;
  /** What was asked above, instead of `threadVessels`: a line without a subject is about the vessels that it names. */
  threadText?: string;
}
