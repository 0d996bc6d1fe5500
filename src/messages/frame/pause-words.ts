import { clip } from '../limits.ts';
import { escaped } from '../mrkdwn.ts';

interface Pause {
  what: string;
  advice: string;
}

const invite: Pause = {
  what: 'Landfall is no longer in that channel',
  advice: 'Type `/invite @Landfall` there, then press Resume',
};

const account: Pause = {
  what: "Slack no longer accepts Landfall's token",
  advice: 'Whoever runs this bot needs to reinstall it in the workspace; then press Resume',
};

const known: ReadonlyMap<string, Pause> = new Map(
  Object.entries({
    not_in_channel: invite,
    channel_not_found: invite,
    is_archived: {
      what: 'the channel is archived',
      advice: 'Unarchive it and press Resume, or add the watch in another channel',
    },
    restricted_action: {
      what: 'only some people may post in the channel, and Landfall is not one of them',
      advice: 'Allow Landfall to post there, then press Resume',
    },
    token_revoked: account,
    account_inactive: account,
    invalid_auth: account,
    not_authed: account,
  }),
);

/** Why the messages of a watch can't be posted, by Slack's code, and what to do about it; mrkdwn. */
export function pauseInWords(code: string | null): Pause {
  return (
    known.get(code ?? '') ?? {
      what: `Slack refuses messages for that channel${code === null ? '' : ` (${escaped(clip(code, 60))})`}`,
      advice: 'Check whether Landfall may post there, then press Resume',
    }
  );
}
