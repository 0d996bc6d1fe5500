import type { Message } from '../message.ts';
import { actions, button, sections } from './blocks.ts';

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
