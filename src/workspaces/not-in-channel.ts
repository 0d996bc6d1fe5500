import { UserError } from '../errors.ts';

/** Slack shows a private channel to a bot only if the bot is in it too, so either may be the cause. */
export const notInChannel = ({ saves = true } = {}): UserError =>
  new UserError({
    code: 'bad-channel',
    message: `You are not in that channel, or Landfall is not${saves ? ', so nothing was saved' : ''}.`,
    hint: 'Join it, and type /invite @Landfall there; then try again.',
  });
