import type { Destination, Message, Reader } from '../../answers/message.ts';
import type { BoundAction } from '../../features/feature.ts';
import type { Visibility } from '../../workspaces/settings.ts';
import type { SlackUser } from '../connection/installation.ts';
import type { Lookups } from '../people/lookups.ts';

/** One request of a person, from any surface. */
export interface Ask {
  surface: 'slash' | 'message' | 'link' | 'run' | 'refresh' | 'share' | 'action' | 'file' | 'form' | 'home';
  /** The words typed, the command line of a button, or an action to run. */
  line: string | BoundAction;
  /** Identifies the request: the same for every delivery, and for every click on one button or form. */
  key?: string;
  user: SlackUser;
  /** The person's own id outside channels. */
  channelId: string;
  /** The thread in which the person wrote. */
  threadTs?: string | undefined;
  /**
   * `as-typed`: the line's last word decides, otherwise the channel's setting; `unless-personal`: public, unless the
   * answer differs from person to person. Default: private.
   */
  visibility?: Visibility | 'as-typed' | 'unless-personal' | undefined;
  /** The answer goes to a thread, which not everybody in the channel reads. */
  inThread?: boolean;
  /** People of another organisation would read the answer. */
  needsConfirmation?: boolean;
  /** The channel in which the person has just allowed people of other organisations to see what is posted. */
  allowsOutsidersIn?: string | undefined;
}

/** How a surface answers. Each resolves when Slack has accepted the message. */
export interface Replies {
  /** Shows that the answer takes longer; in private until it is known who may see the answer. */
  working(visibility: Visibility): Promise<void>;
  answer(message: Message, visibility: Visibility): Promise<void>;
  failure(message: Message, visibility: Visibility): Promise<void>;
  /** Answers a person who may not use Landfall. Default: `failure`, in private. */
  decline?(message: Message): Promise<void>;
}

/** For what nobody has asked for in words: whatever fails is only in the log. */
export const noReplies: Replies = {
  working: async () => undefined,
  answer: async () => undefined,
  failure: async () => undefined,
};

/** The only function that reads a channel's kind from its id: `D…` is a direct message, `C…` and `G…` are channels. */
export function destinationOf({ channelId, user }: Pick<Ask, 'channelId' | 'user'>): Destination {
  if (channelId === user.id) return 'response';
  return channelId.startsWith('D') ? 'direct-message' : 'channel';
}

/** Their direct message with the bot: a slash command may also be typed in one with somebody else. */
export async function isOwnDirectMessage(
  ask: Pick<Ask, 'channelId' | 'user'>,
  { directMessageOf }: Pick<Lookups, 'directMessageOf'>,
): Promise<boolean> {
  if (destinationOf(ask) !== 'direct-message') return false;
  return (await directMessageOf(ask.user.id).catch(() => undefined)) === ask.channelId;
}

/** Who reads what is posted where the person asks. */
export async function audienceAround(
  ask: Pick<Ask, 'channelId' | 'user'>,
  lookups: Pick<Lookups, 'directMessageOf' | 'audienceOf'>,
): Promise<Reader['audience']> {
  const destination = (await isOwnDirectMessage(ask, lookups)) ? 'direct-message' : 'channel';
  return await lookups.audienceOf({ channelId: ask.channelId, destination });
}
