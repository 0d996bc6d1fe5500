import type { BoundAction } from '../../features/feature.ts';
import type { Destination } from '../../messages/destination.ts';
import type { Message } from '../../messages/message.ts';
import type { Home } from '../connection/installation.ts';

/** One thing that a person asked for, whatever surface it came by. */
export interface Ask {
  surface: 'slash' | 'message' | 'run' | 'refresh' | 'share' | 'action' | 'file' | 'form' | 'home';
  /** What was typed, or the value of a button; or what else is to be done. */
  line: string | BoundAction;
  /** The same however often it is delivered, and for a button or a form however often it is pressed. */
  key?: string;
  userId: string;
  channelId: string;
  destination: Destination;
  /** The first message of the thread that it was said in. */
  threadTs?: string | undefined;
  home: Home;
  /**
   * `words`: as they say at their end, else as the channel has it; `unless-personal`: public, but for a line
   * whose answer depends on who asks.
   */
  visibility: 'private' | 'public' | 'words' | 'unless-personal';
  /** The answer goes to a thread, which not all of the channel read. */
  inThread?: boolean;
  /** People of another organisation would read it, and nobody has said yet that they may. */
  asksFirst?: boolean;
}

/** The ways one surface has to answer. Each resolves when Slack has taken the message. */
export interface Replies {
  /** Private too where it is not known yet who is to see the answer. */
  working(visibility: 'private' | 'public'): Promise<void>;
  answer(message: Message, visibility: 'private' | 'public'): Promise<void>;
  failure(message: Message, visibility: 'private' | 'public'): Promise<void>;
  /** To somebody who is not served: seen by nobody else. */
  decline(message: Message): Promise<void>;
}
