import { clip } from './limits.ts';
import type { Text } from './text.ts';

/** Why Slack refuses the messages of a watch or a digest, and what to do about it. `code` is Slack's; `button` resumes it. */
export function pauseInWords(code: string | null, button = 'Resume'): { what: string; advice: Text } {
  switch (code) {
    case 'not_in_channel':
    case 'channel_not_found':
      return {
        what: 'Landfall is no longer in that channel',
        advice: ['Type ', { code: '/invite @Landfall' }, ` there, then press ${button}`],
      };
    case 'is_archived':
      return {
        what: 'the channel is archived',
        advice: `Unarchive it and press ${button}, or start again in another channel`,
      };
    case 'seen_outside':
      return {
        what: 'people from outside your organisation can read that channel now',
        advice: `If they may see what is posted there, press ${button}`,
      };
    case 'restricted_action':
      return {
        what: 'only some people may post in the channel, and Landfall is not one of them',
        advice: `Allow Landfall to post there, then press ${button}`,
      };
    case 'token_revoked':
    case 'account_inactive':
    case 'invalid_auth':
    case 'not_authed':
      return {
        what: "Slack no longer accepts Landfall's token",
        advice: `Whoever runs this bot needs to reinstall it in the workspace; then press ${button}`,
      };
    default:
      return {
        what: `Slack refuses messages for that channel${code === null ? '' : ` (${clip(code, 60)})`}`,
        advice: `Check whether Landfall may post there, then press ${button}`,
      };
  }
}
