import { actions, button, sections } from '../blocks.ts';
import type { Message } from '../message.ts';

export const workingNotice: Message = { text: 'Working on it …', blocks: [] };

export function outsideNotice(): Message {
  const text =
    'Sorry, Landfall only answers people in the organisation that installed it. Ask one of them to share an answer in the channel.';
  return { text, blocks: sections([text]) };
}

export function guestNotice(): Message {
  const text =
    'Sorry, Landfall does not answer guests in this workspace. Ask a member to share an answer in the channel.';
  return { text, blocks: sections([text]) };
}

/** The buttons of `shareQuestion`; the value of the first is the command line. */
export const shareAnyway = 'share_outside';
export const dismiss = 'dismiss';

/** Asked before an answer is posted where people of another organisation may read. */
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
