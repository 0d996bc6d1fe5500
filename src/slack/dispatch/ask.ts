import type { BoundAction } from '../../features/feature.ts';
import type { Destination } from '../../messages/destination.ts';
import type { Message } from '../../messages/message.ts';
import type { Home } from '../connection/installation.ts';

/** One request of a person, from any surface. */
export interface Ask {
  surface: 'slash' | 'message' | 'run' | 'refresh' | 'share' | 'action' | 'file' | 'form' | 'home';
  /** What was typed, the value of a button, or an action. */
  line: string | BoundAction;
  /** The same for every delivery, and for every click on the same button or form. */
  key?: string;
  userId: string;
  channelId: string;
  destination: Destination;
  /** The thread in which the person wrote. */
  threadTs?: string | undefined;
  home: Home;
  /**
   * `words`: as the line's last word says, else by the channel's setting; `unless-personal`: public, unless the
   * answer depends on who asks.
   */
  visibility: 'private' | 'public' | 'words' | 'unless-personal';
  /** The answer goes to a thread, which not everybody in the channel reads. */
  inThread?: boolean;
  /** People of another organisation would read the answer, so ask for confirmation. */
  asksFirst?: boolean;
}

/** How a surface answers. Each resolves when Slack has accepted the message. */
export interface Replies {
  /** Private while it is unknown who may see the answer. */
  working(visibility: 'private' | 'public'): Promise<void>;
  answer(message: Message, visibility: 'private' | 'public'): Promise<void>;
  failure(message: Message, visibility: 'private' | 'public'): Promise<void>;
  /** To a person who may not use Landfall; always private. */
  decline(message: Message): Promise<void>;
}
