import { UserError } from '../errors.ts';

/** Slack tells a bot of a private channel only where it is a member too. */
export const notInChannel = ({ saves = true } = {}): UserError =>
  new UserError({
    code: 'bad-channel',
    message: `You are not in that channel, or Landfall is not${saves ? ', so nothing was saved' : ''}.`,
    hint: 'Join it, and type /invite @Landfall there; then try again.',
  });
