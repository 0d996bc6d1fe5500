import { clip } from '../limits.ts';
import { escaped } from '../mrkdwn.ts';

interface Pause {
  what: string;
  advice: string;
}

const inviteAgain: Pause = {
  what: 'Landfall is no longer in that channel',
  advice: 'Type `/invite @Landfall` there, then press Resume',
};

const reinstall: Pause = {
  what: "Slack no longer accepts Landfall's token",
  advice: 'Whoever runs this bot needs to reinstall it in the workspace; then press Resume',
};

const byCode: ReadonlyMap<string, Pause> = new Map(
  Object.entries({
    not_in_channel: inviteAgain,
    channel_not_found: inviteAgain,
    is_archived: {
      what: 'the channel is archived',
      advice: 'Unarchive it and press Resume, or add the watch in another channel',
    },
    restricted_action: {
      what: 'only some people may post in the channel, and Landfall is not one of them',
      advice: 'Allow Landfall to post there, then press Resume',
    },
    token_revoked: reinstall,
    account_inactive: reinstall,
    invalid_auth: reinstall,
    not_authed: reinstall,
  }),
);

/** Why Slack refuses the messages of a watch or a digest, and what to do about it. `code` is Slack's; mrkdwn. */
export function pauseInWords(code: string | null): Pause {
  return (
    byCode.get(code ?? '') ?? {
      what: `Slack refuses messages for that channel${code === null ? '' : ` (${escaped(clip(code, 60))})`}`,
      advice: 'Check whether Landfall may post there, then press Resume',
    }
  );
}
