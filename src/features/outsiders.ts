import type { Reader } from '../answers/message.ts';
import type { OutsidersQuestionWords, Press } from '../answers/slack/notices.ts';
import { UserError } from '../errors.ts';

/** Who reads a channel. `unseen`: Slack hides the channel from the bot. `unknown`: Slack does not answer. */
export type Readers = Reader['audience'] | 'unseen' | 'unknown';

/** The code of messages that are refused, and of things that are paused, because nobody has allowed outsiders to see them. */
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
