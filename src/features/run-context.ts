import type { RequestOptions } from '../analytics/answers.ts';
import type { AnalyticsClient } from '../analytics/client.ts';
import { UserError } from '../errors.ts';
import type { VesselDirectory } from '../grammar/vessel-directory.ts';
import type { Destination } from '../messages/destination.ts';
import type { KnownVessel } from '../messages/formatting/vessel-label.ts';
import type { Reader } from '../messages/message.ts';
import type { Imo } from '../reference/imo.ts';
import type { Actor } from '../workspaces/permissions.ts';

/** The person who asks. */
export interface Caller {
  userId: string;
  isAdmin: boolean;
  /** IANA name, from the Slack profile; undefined if Slack does not give it. */
  zone: string | undefined;
}

/** Where a line was typed, or a button pressed. */
export interface Place {
  channelId: string;
  destination: Destination;
  /** Left out if it was not in a thread. */
  threadTs?: string;
  /** It was a form, which may stay open after the person has left the channel. */
  mayHaveLeft?: boolean;
  /** The line named this channel and was typed in another. */
  isElsewhere?: boolean;
}

/** What every command and action gets; each feature adds the services that it closes over. */
export interface RunContext {
  actor: Caller;
  /** Left out in the terminal. */
  place?: Place;
  /** The current vessel names of the workspace. */
  vessels: VesselDirectory;
  /** The domain clock. */
  now: () => Date;
  source: Reader['source'];
  /** The id of what this request creates: the same however often Slack delivers the request. */
  idempotencyKey?: string;
  /** Ask the service again, past the cache (Refresh). */
  fresh: boolean;
  /** `background`: nobody is waiting (a line of a digest). Left out: `interactive`. */
  priority?: 'interactive' | 'background';
  signal: AbortSignal;
  /** Awaits what other people's commands hold up, with the deadline paused. Left out if there is no deadline. */
  withDeadlinePaused?: <T>(waiting: Promise<T>) => Promise<T>;
}

export interface AnalyticsServices {
  analytics: AnalyticsClient;
}

export type AnalyticsContext = RunContext & AnalyticsServices;

/** For requests to the service. */
export function callOptions({ actor, fresh, signal, priority = 'interactive' }: RunContext): RequestOptions {
  return { askedBy: actor.userId, fresh, signal, priority };
}

/** The vessel, with its name if the workspace gives it one. */
export function knownVessel(imo: Imo, vessels: Pick<VesselDirectory, 'nameOf'>): KnownVessel {
  const name = vessels.nameOf(imo);
  return name === undefined ? { imo } : { imo, name };
}

/** Who asks, and where. Throws UserError in the terminal. */
export function actorIn(context: RunContext): Actor {
  const { userId, isAdmin } = context.actor;
  const { channelId, mayHaveLeft = false } = placeIn(context);
  return { userId, isAdmin, channelId, mayHaveLeft };
}

/** Throws UserError in the terminal. */
export function placeIn({ place }: RunContext): Place {
  if (!place) throw onlyInSlack();
  return place;
}

/** The terminal has no store: the running bot has it. */
export const onlyInSlack = (): UserError =>
  new UserError({
    code: 'not-allowed',
    message: 'Watches, digests, names and fleets belong to a workspace, so they work in Slack only.',
    hint: 'Type the same line in Slack, with a slash in front.',
    example: 'nextport 9461477',
  });

/** For what only the person who asks sees: a modal, the Home tab. */
export function privateReader({ now, actor, source }: RunContext): Reader {
  return { now: now(), zone: actor.zone ?? 'UTC', source, audience: 'private' };
}

/** The person's zone, to be saved. Throws UserError if Slack does not give it: a guess would stay for good. */
export function zoneToSave({ zone }: Pick<Caller, 'zone'>, help: { hint: string; example: string }): string {
  if (zone !== undefined) return zone;
  throw new UserError({
    code: 'unknown-zone',
    message: "Slack isn't giving me your time zone right now, so nothing was saved.",
    ...help,
  });
}

/** Help for `zoneToSave`, if the line can name a zone. */
export const typeTheZone = (example: string) => ({
  hint: 'Type the time zone after the time, or try again in a minute.',
  example,
});
