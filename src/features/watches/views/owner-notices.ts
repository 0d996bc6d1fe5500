import { button } from '../../../messages/blocks.ts';
import { pauseInWords } from '../../../messages/frame/pause-words.ts';
import { clip } from '../../../messages/limits.ts';
import type { Message } from '../../../messages/message.ts';
import { channelMention, escaped, personMention } from '../../../messages/mrkdwn.ts';
import { watchActionIds } from '../action-ids.ts';
import { droppedRules, rulesInWords } from '../rules/in-words.ts';
import type { Rules } from '../rules/index.ts';
import { editButton, shortMessage } from './short-message.ts';

interface OwnerNotice {
  title: string;
  channelId: string;
}

const watchIn = ({ title, channelId }: OwnerNotice): string =>
  `watch of ${escaped(clip(title, 150))} in ${channelMention(channelId)}`;

/** To the owner alone, once: Slack refuses the watch's messages. `reason` is Slack's error code. */
export function pauseNoticeView(
  notice: OwnerNotice & { watchId: string | undefined; reason: string },
): Message {
  const { watchId: value, reason } = notice;
  const { what, advice } = pauseInWords(reason);
  const heading = `Your ${watchIn(notice)} is paused: ${what}`;
  const meanwhile = `${advice}. Its messages wait until then, and it makes no API calls meanwhile.`;
  return shortMessage({
    text: `${heading}. ${meanwhile}`,
    lines: [`*${heading}*`, meanwhile],
    buttons:
      value === undefined
        ? []
        : [
            button({ id: watchActionIds.resume, label: 'Resume', value }),
            button({ id: watchActionIds.stop, label: 'Stop', value }),
          ],
  });
}

/** To the owner alone: somebody else has changed the rules of their watch. */
export function rulesNoticeView(
  notice: OwnerNotice & { watchId: string; isPort: boolean; actorId: string; before: Rules; after: Rules },
  { now }: { now: Date },
): Message {
  const { watchId, isPort, actorId, before, after } = notice;
  const heading = `${personMention(actorId)} has changed the rules of your ${watchIn(notice)}`;
  const dropped = droppedRules({ before, after }, { now, isPort });
  const notes = [
    `From now on I'll post when: ${escaped(rulesInWords(after, { now, isPort }).join('; '))}.`,
    ...(dropped.length === 0 ? [] : [`No longer when: ${escaped(dropped.join('; '))}.`]),
  ];
  return shortMessage({
    text: `${heading}. ${notes.join(' ')}`,
    lines: [`*${heading}*`, ...notes],
    buttons: [editButton(watchId)],
  });
}
