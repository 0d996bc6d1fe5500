import { clip, type Message } from '../message.ts';
import { channelMention, type Text } from '../text.ts';
import { actionIds, actions, button, outsidersActionId, sections } from './blocks.ts';

export const workingNotice: Message = { text: 'Working on it …', blocks: [] };

export const outsideNotice = notice(
  'Sorry, Landfall only answers people in the organisation that installed it. Ask one of them to share an answer in the channel.',
);

export const guestNotice = notice(
  'Sorry, Landfall does not answer guests in this workspace. Ask a member to share an answer in the channel.',
);

/** The database or Slack doesn't answer when the workspace is opened; after that, `failureView` says what is wrong. */
export const unavailableNotice = notice(
  "Landfall can't look up this workspace right now, so it can't answer. Please try again in a minute.",
);

export const removedNotice = notice(
  'Landfall was removed from this workspace by whoever runs it, with all its data. Ask your workspace admins about it.',
);

export const pausedNotice = notice(
  'Landfall is paused in this workspace by whoever runs it. Your watches and digests stay as they are. Ask your workspace admins about it.',
);

function notice(text: string): Message {
  return { text, blocks: sections([text]) };
}

/** Action ids of the buttons of `shareQuestion`. */
export const shareAnyway = 'share_outside';
export const dismiss = 'dismiss';

/** Asks before an answer is posted in a channel that people of another organisation can read. */
export function shareQuestion(line: string): Message {
  const text = 'People from another organisation can read this channel. Share the answer with them too?';
  return {
    text,
    blocks: [
      ...sections([text]),
      ...actions([
        button({ id: shareAnyway, label: 'Share here', value: line }),
        button({ id: dismiss, label: "Don't share", value: dismiss }),
      ]),
    ],
  };
}

/** What a button does: a command line if `id` is left out, otherwise an action. */
export interface Press {
  id?: string;
  value: string;
}

export interface OutsidersQuestionWords {
  channelId: string;
  /** The person asks in this channel. */
  isHere: boolean;
  what: 'watch' | 'digest' | 'paused';
  /** False if Slack can't say who reads the channel. */
  isCertain: boolean;
  again: Press;
  toMe?: Press | undefined;
}

const seen = {
  watch: "The watch's card and its alerts",
  digest: 'The digest and its answers',
  paused: 'What is paused there',
};

/** Asks before a watch or a digest posts where people of another organisation read. */
export function outsidersQuestion(question: OutsidersQuestionWords): Message {
  const { channelId, isHere, what, isCertain, again, toMe } = question;
  const channel = isHere ? 'This channel' : channelMention(channelId);
  const readers = isCertain
    ? `${channel} has people from outside your organisation.`
    : `Slack can't say right now who reads ${isHere ? 'this channel' : channel}: there may be people from outside your organisation.`;
  const text = `${readers} ${seen[what]} would be seen by them.`;
  const press = ({ id = actionIds.run(0), value }: Press) => ({ id, value });
  const yes = press(again);
  return {
    text: `${text} Post it ${isHere ? 'here' : 'there'}?`,
    blocks: [
      ...sections([text]),
      ...actions([
        button({
          id: outsidersActionId(channelId, yes.id),
          label: isHere ? 'Post it here' : 'Post it there',
          value: yes.value,
        }),
        ...(toMe ? [button({ ...press(toMe), label: 'Send it to me instead' })] : []),
        button({ id: dismiss, label: 'Cancel', value: dismiss }),
      ]),
    ],
  };
}

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
