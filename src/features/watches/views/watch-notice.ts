import { actions, button, sections } from '../../../messages/blocks.ts';
import { pauseInWords } from '../../../messages/frame/pause-words.ts';
import { clip } from '../../../messages/limits.ts';
import type { Message } from '../../../messages/message.ts';
import { channelMention, escaped } from '../../../messages/mrkdwn.ts';
import { watchActionIds } from '../action-ids.ts';

/** To the owner of a watch alone, once: its messages can't be posted. */
export function watchNoticeView(notice: {
  watchId: string | undefined;
  title: string;
  channelId: string;
  /** Slack's code. */
  reason: string;
}): Message {
  const { watchId, title, channelId, reason } = notice;
  const { what, advice } = pauseInWords(reason);
  const heading = `Your watch of ${escaped(clip(title, 150))} in ${channelMention(channelId)} is paused: ${what}`;
  const kept = 'Its messages wait until then, and nothing is looked up for it meanwhile.';
  return {
    text: `${heading}. ${advice}. ${kept}`,
    blocks: [
      ...sections([`*${heading}*`, `${advice}. ${kept}`]),
      ...(watchId === undefined
        ? []
        : actions([
            button({ id: watchActionIds.resume, label: 'Resume', value: watchId }),
            button({ id: watchActionIds.stop, label: 'Stop', value: watchId }),
          ])),
    ],
  };
}
