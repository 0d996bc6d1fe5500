import { actions, sections } from '../../../messages/blocks.ts';
import { clip } from '../../../messages/limits.ts';
import type { Message } from '../../../messages/message.ts';
import { channelMention, escaped, personMention } from '../../../messages/mrkdwn.ts';
import { droppedRules, rulesInWords } from '../rules/in-words.ts';
import type { Rules } from '../rules/index.ts';
import { editButton } from './watch-actions.ts';

/** To the owner of a watch alone: somebody else has given it other rules. */
export function rulesNoticeView(
  notice: {
    watchId: string;
    title: string;
    isPort: boolean;
    channelId: string;
    /** A user's id. */
    actorId: string;
    before: Rules;
    after: Rules;
  },
  { now }: { now: Date },
): Message {
  const { watchId, title, isPort, channelId, actorId, before, after } = notice;
  const heading = `${personMention(actorId)} has changed the rules of your watch of ${escaped(clip(title, 150))} in ${channelMention(channelId)}`;
  const dropped = droppedRules({ before, after }, { now, isPort });
  const notes = [
    `Notifications from now on: ${escaped(rulesInWords(after, { now, isPort }).join('; '))}.`,
    ...(dropped.length === 0 ? [] : [`No longer: ${escaped(dropped.join('; '))}.`]),
  ];
  return {
    text: `${heading}. ${notes.join(' ')}`,
    blocks: [...sections([`*${heading}*`, ...notes]), ...actions([editButton(watchId)])],
  };
}
