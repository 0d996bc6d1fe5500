import type { StoredDestination } from '../../answers/message.ts';
import { PostError } from '../../outbox/outgoing-message.ts';
import type { Actor } from '../../workspaces/permissions.ts';
import { OutsidersQuestion, type Readers, seenOutside } from '../outsiders.ts';

interface ReadersLookup {
  readersOf(channelId: string, options?: { fresh: boolean }): Promise<Readers>;
}

/** A watch or a digest, as far as outsiders are concerned. */
interface SeenThing {
  channelId: string;
  destination: StoredDestination;
  outsidersAllowedBy?: string | null;
}

/** Returns who allowed outsiders to see it; null if there are none. Throws OutsidersQuestion if nobody was asked. */
export async function askAboutOutsiders(
  { channelId, destination, outsidersAllowedBy = null }: SeenThing,
  what: OutsidersQuestion['details']['what'],
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
