import type { Destination } from '../../messages/destination.ts';

/** A click on a button or menu of a message. */
export interface Click {
  actionId: string;
  actionTs: string;
  /** Opens a modal, for 3 s. */
  triggerId: string;
  /** The value: a command line, or as messages/action-ids.ts says. */
  line: string;
  userId: string;
  user: { teamId: string | undefined; enterpriseId: string | undefined };
  channelId: string;
  destination: Destination;
  /** The message that holds the button. */
  messageTs: string;
  /** That message: who sees it, its thread, its blocks (Slack leaves out those of an ephemeral one). */
  origin: { isEphemeral: boolean; threadTs: string | undefined; blocks: unknown };
}

/** A click on a button of a message or in a modal. */
export type Pressed = Pick<Click, 'actionId' | 'line' | 'triggerId' | 'userId' | 'channelId'>;
