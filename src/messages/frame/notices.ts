import { actions, button, sections } from '../blocks.ts';
import type { Message } from '../message.ts';

export const workingNotice: Message = { text: 'Working on it …', blocks: [] };

export function outsideNotice(): Message {
  const text =
    'Sorry, Landfall answers only people of the organisation that installed it. Ask somebody there to share an answer in the channel.';
  return { text, blocks: sections([text]) };
}

export function guestNotice(): Message {
  const text =
    'Sorry, Landfall does not answer guests of this workspace. Ask a member to share an answer in the channel.';
  return { text, blocks: sections([text]) };
}

/** The buttons of `shareQuestion`; the value of the first is the command line. */
export const shareAnyway = 'share_outside';
export const dismiss = 'dismiss';

/** Asked before an answer is posted where people of another organisation may read. */
export function shareQuestion(line: string): Message {
  const text = 'People of another organisation may read this channel. Share the answer with them too?';
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
