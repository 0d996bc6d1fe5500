import type { CallCause, RequestOptions } from '../analytics/answers.ts';
import type { AnalyticsClient } from '../analytics/client.ts';
import type { LineOf } from '../answers/answer.ts';
import type { KnownVessel } from '../answers/formatting/words.ts';
import type { Destination, Reader } from '../answers/message.ts';
import type { WorkspaceStore } from '../database/workspace-store.ts';
import { UserError } from '../errors.ts';
import { type VesselDirectory, withoutReferences } from '../grammar/vessel-directory.ts';
import type { Imo } from '../reference/imo.ts';
import type { RecordEntries } from '../workspaces/audit.ts';
import type { Actor } from '../workspaces/permissions.ts';
import type { WithDeadlinePaused } from './deadline.ts';
import type { AnsweredLine, CommandHelp, LineContext, ReadLine } from './line.ts';
import type { Pausable } from './pausable.ts';
import type { WorkspaceServices } from './services.ts';

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

export interface AnalyticsServices {
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
