import { clip } from '../limits.ts';
import { escaped } from './mrkdwn.ts';

/** Why Slack refuses the messages of a watch or a digest, and what to do about it, in mrkdwn. `code` is Slack's. */
export function pauseInWords(code: string | null): { what: string; advice: string } {
  switch (code) {
    case 'not_in_channel':
    case 'channel_not_found':
      return {
        what: 'Landfall is no longer in that channel',
        advice: 'Type `/invite @Landfall` there, then press Resume',
      };
    case 'is_archived':
      return {
        what: 'the channel is archived',
        advice: 'Unarchive it and press Resume, or start again in another channel',
      };
    case 'seen_outside':
      return {
        what: 'people from outside your organisation can read that channel now',
        advice: 'If they may see what is posted there, press Resume',
      };
    case 'restricted_action':
      return {
        what: 'only some people may post in the channel, and Landfall is not one of them',
        advice: 'Allow Landfall to post there, then press Resume',
      };
    case 'token_revoked':
    case 'account_inactive':
    case 'invalid_auth':
    case 'not_authed':
      return {
        what: "Slack no longer accepts Landfall's token",
        advice: 'Whoever runs this bot needs to reinstall it in the workspace; then press Resume',
      };
    default:
      return {
        what: `Slack refuses messages for that channel${code === null ? '' : ` (${escaped(clip(code, 60))})`}`,
        advice: 'Check whether Landfall may post there, then press Resume',
      };
  }
}
