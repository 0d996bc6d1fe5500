import type { Message } from '../message.ts';
import { actionIds, outsidersActionId } from './action-ids.ts';
import { actions, button, sections } from './blocks.ts';
import { channelMention } from './mrkdwn.ts';
import { dismiss } from './notices.ts';

/** What a button does: a command line if `id` is left out, otherwise an action. */
export interface Press {
  id?: string;
  value: string;
}

export interface OutsidersQuestionWords {
  channelId: string;
  /** It is the channel in which the person asks. */
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
