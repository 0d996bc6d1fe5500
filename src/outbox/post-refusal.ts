import { UserError } from '../errors.ts';
import { PostError } from './poster.ts';

/** What to do where Slack doesn't take a message that a person waits for; undefined for what isn't Slack's refusal. */
export function postRefusal(error: unknown): UserError | undefined {
  if (!(error instanceof PostError)) return undefined;
  switch (error.code) {
    case 'not_in_channel':
    case 'channel_not_found':
      return refused(
        "Landfall can't post in that channel, so nothing was saved.",
        "Type /invite @Landfall there, then try again. Between people, in a direct message, it can't post at all.",
      );
    case 'is_archived':
      return refused('That channel is archived, so nothing was saved.', 'Choose another one.');
    case 'restricted_action':
    case 'restricted_action_read_only_channel':
    case 'restricted_action_thread_only_channel':
      return refused(
        'That channel lets only some people post, and Landfall is none of them, so nothing was saved.',
        'A workspace admin can allow it to post there; or choose another channel.',
      );
    case 'ratelimited':
    case 'rate_limited':
      return refused(
        'Slack takes no more messages for this channel just now, so nothing was saved.',
        'Please try again in a minute.',
      );
    default:
      return refused(
        `Slack refused the first message of the watch (${error.code}), so nothing was saved.`,
        'Choose another channel, or tell whoever runs this bot.',
      );
  }
}

const refused = (message: string, hint: string) => new UserError({ code: 'bad-channel', message, hint });
