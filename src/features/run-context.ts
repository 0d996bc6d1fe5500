import { UserError } from '../errors.ts';
import type { VesselDirectory } from '../grammar/vessel-directory.ts';
import type { Destination } from '../messages/destination.ts';
import type { Reader } from '../messages/message.ts';
import type { Actor } from '../workspaces/permissions.ts';

/** Who asks. */
export interface Caller {
  userId: string;
  isAdmin: boolean;
  /** IANA name, of the user's Slack profile; undefined where Slack does not say. */
  zone: string | undefined;
}

/** Where a line was typed, or a button pressed. */
export interface Place {
  channelId: string;
  destination: Destination;
  /** Of the thread it is in. */
  threadTs?: string;
  /** Asked in a form, which may be open longer than its person is in the channel. */
  mayHaveLeft?: boolean;
  /** Not where it was asked: the line names this channel. */
  isElsewhere?: boolean;
}

/** What is shared by all that a person can ask for; each feature adds the services that it closes over. */
export interface RunContext {
  actor: Caller;
  /** Left out in the terminal: it is no channel. */
  place?: Place;
  /** The names that the workspace knows now. */
  vessels: VesselDirectory;
  /** The domain clock. */
  now: () => Date;
  source: Reader['source'];
  /** The id of what this request creates: the same however often Slack delivers it. */
  idempotencyKey?: string;
  /** Ask the service afresh, past the cache (Refresh). */
  fresh: boolean;
  /** `background`: nobody waits for it (a line of a digest); `interactive` where left out. */
  priority?: 'interactive' | 'background';
  signal: AbortSignal;
  /** Awaits what other people's commands hold up: meanwhile no deadline runs. Left out where there is none. */
  withDeadlinePaused?: <T>(waiting: Promise<T>) => Promise<T>;
}

/** Who asks, and where. Throws UserError in the terminal, which is in no channel. */
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

/** For what needs the store, which the terminal leaves to the running bot. */
export const onlyInSlack = (): UserError =>
  new UserError({
    code: 'not-allowed',
    message: 'Watches, digests, names and fleets belong to a workspace, so they work in Slack only.',
    hint: 'Type the same line in Slack, with a slash in front.',
    example: 'nextport 9461477',
  });

/** The person who asked, where nobody else reads the answer: in a modal, on the Home tab. */
export function privateReader({ now, actor, source }: RunContext): Reader {
  return { now: now(), zone: actor.zone ?? 'UTC', source, audience: 'private' };
}
