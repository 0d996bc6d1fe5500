import { actions, button, context, sections } from '../../../messages/blocks.ts';
import { inventedSuffix } from '../../../messages/frame/answer-message.ts';
import { clip } from '../../../messages/limits.ts';
import type { Message, Reader } from '../../../messages/message.ts';
import { channelMention, escaped, personMention } from '../../../messages/mrkdwn.ts';
import { watchActionIds } from '../action-ids.ts';
import { rulesInWords } from '../rules/in-words.ts';
import type { Rules } from '../rules/index.ts';
import { editButton } from './watch-actions.ts';

interface WatchEdited {
  watchId: string;
  title: string;
  channelId: string;
  isPort: boolean;
  rules: Rules;
  /** Whose it is now, where it was handed over. */
  newOwnerId?: string;
  /** What an Undo button holds; left out where nothing was changed. */
  undo?: string;
}

/** Said to the one who has edited a watch. */
export function watchEditedView(edited: WatchEdited, reader: Reader): Message {
  const { watchId, title, channelId, isPort, rules, newOwnerId, undo } = edited;
  const how = undo === undefined ? 'already has these rules' : 'has changed';
  const heading = `The watch of ${escaped(clip(title, 150))} in ${channelMention(channelId)} ${how}`;
  const notified = `I'll post in its thread when: ${escaped(rulesInWords(rules, { now: reader.now, isPort }).join('; '))}.`;
  const handed = newOwnerId === undefined ? [] : [`Handed over to ${personMention(newOwnerId)}.`];
  return {
    text: `${[`${heading}.`, ...handed, notified].join(' ')}${inventedSuffix(reader)}`,
    blocks: [
      ...sections([`*${heading}*`, ...handed, notified]),
      ...(reader.source === 'sandbox' ? [context('_invented data_')] : []),
      ...actions([
        ...(undo === undefined ? [] : [button({ id: watchActionIds.undo, label: 'Undo', value: undo })]),
        editButton(watchId),
      ]),
    ],
  };
}
