import type { Destination } from '../../messages/destination.ts';

/** Of a button or menu under a message. */
export interface Click {
  actionId: string;
  actionTs: string;
  /** Opens a modal, for 3 s. */
  triggerId: string;
  /** Its value: a command line, or what views/action-ids.ts says. */
  line: string;
  userId: string;
  user: { teamId: string | undefined; enterpriseId: string | undefined };
  channelId: string;
  destination: Destination;
  /** Of the message that holds the button. */
  messageTs: string;
  /** That message: who sees it, the thread it is in, its blocks (none of an ephemeral one). */
  origin: { isEphemeral: boolean; threadTs: string | undefined; blocks: unknown };
}

/** Of a button under a message, or in a modal. */
export type Pressed = Pick<Click, 'actionId' | 'line' | 'triggerId' | 'userId' | 'channelId'>;
