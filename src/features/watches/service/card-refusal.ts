import { UserError } from '../../../errors.ts';
import { postRefusal } from '../../../outbox/poster.ts';
import { CardOutcomeUnknownError } from './card-outcome-unknown.ts';

/** What to do where a card can't be posted; undefined for what isn't Slack's refusal, or passes without help. */
export function cardRefusal(error: unknown): UserError | undefined {
  if (!(error instanceof CardOutcomeUnknownError)) return postRefusal(error);
  return new UserError({
    code: 'bad-channel',
    message: 'Slack did not answer, so nothing was saved.',
    hint: 'If a card was posted anyway, it is removed within two minutes. Please try again.',
  });
}
