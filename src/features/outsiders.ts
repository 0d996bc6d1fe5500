import { UserError } from '../errors.ts';
import type { StoredDestination } from '../messages/destination.ts';
import type { OutsidersQuestionWords, Press } from '../messages/frame/outsiders-question.ts';
import type { Reader } from '../messages/message.ts';
import { PostError } from '../outbox/poster.ts';
import type { Actor } from '../workspaces/permissions.ts';

/** Who reads a channel. `unseen`: Slack hides the channel from the bot. `unknown`: Slack does not answer. */
export type Readers = Reader['audience'] | 'unseen' | 'unknown';

interface ReadersLookup {
  readersOf(channelId: string, options?: { fresh: boolean }): Promise<Readers>;
}

/** The code with which messages are refused, and things paused, that nobody has allowed outsiders to see. */
export const seenOutside = 'seen_outside';

type Details = Pick<OutsidersQuestionWords, 'channelId' | 'what' | 'isCertain'> & {
  /** What the button Yes does, if it isn't to repeat the request. */
  again?: Press;
  /** What the button “Send it to me instead” does. */
  toMe?: Press;
};

/**
 * Something would be posted where people of another organisation read, and nobody has allowed that. The edge asks, and
 * after a Yes repeats the request with `allowsOutsidersIn`. Nothing was posted or saved.
 */
export class OutsidersQuestion extends UserError {
  readonly details: Details;

  constructor(details: Details) {
    super({
      code: 'seen-outside',
      message: 'People from outside your organisation can read that channel, so nothing was posted.',
      isPersonal: true,
    });
    this.details = details;
  }
}

/** For `catch`: adds to a question what its buttons do, or says what it is about. */
export const withDetails =
  (details: Partial<Pick<Details, 'what' | 'again' | 'toMe'>>) =>
  (error: unknown): never => {
    if (error instanceof OutsidersQuestion) throw new OutsidersQuestion({ ...error.details, ...details });
    throw error;
  };

/** A watch or a digest, as far as outsiders are concerned. */
interface SeenThing {
  channelId: string;
  destination: StoredDestination;
  outsidersAllowedBy?: string | null;
}

/** Returns who allowed outsiders to see it; null if there are none. Throws OutsidersQuestion if nobody was asked. */
export async function askAboutOutsiders(
  { channelId, destination, outsidersAllowedBy = null }: SeenThing,
  what: Details['what'],
  { userId, allowsOutsidersIn }: Actor,
  { readersOf }: ReadersLookup,
): Promise<string | null> {
  if (destination === 'direct-message' || outsidersAllowedBy !== null) return outsidersAllowedBy;
  const readers = await readersOf(channelId, { fresh: true });
  // Slack refuses a post to a channel that the bot can't see, and says why.
  if (readers !== 'outside' && readers !== 'unknown') return null;
  if (allowsOutsidersIn === channelId) return userId;
  throw new OutsidersQuestion({ channelId, what, isCertain: readers === 'outside' });
}

/**
 * The last check, when a message is sent: outsiders may have come since it was allowed. Throws PostError, so that the
 * thing is paused and its owner asked. If Slack can't say who reads the channel, the message goes out.
 */
export async function checkOutsiders(
  { channelId, isAllowed }: { channelId: string; isAllowed: boolean },
  { readersOf }: ReadersLookup,
): Promise<void> {
  if (!isAllowed && (await readersOf(channelId)) === 'outside')
    throw new PostError({ code: seenOutside, isPermanent: true });
}
