import { clip } from '../../../messages/limits.ts';
import type { Message, Reader } from '../../../messages/message.ts';
import { channelMention, escaped, personMention } from '../../../messages/mrkdwn.ts';
import type { Rules } from '../rules/index.ts';
import { editButton, shortMessage, undoButton } from './short-message.ts';
import { whenNotified } from './watch-added.ts';

interface WatchEdited {
  watchId: string;
  title: string;
  channelId: string;
  isPort: boolean;
  rules: Rules;
  /** Set if the watch was handed over. */
  newOwnerId?: string;
  /** The value of an Undo button; omitted if nothing was changed. */
  undo?: string;
}

/** For the person who has edited a watch in the form. */
export function watchEditedView(edited: WatchEdited, reader: Reader): Message {
  const { watchId, title, channelId, newOwnerId, undo } = edited;
  const how = undo === undefined ? 'already has these rules' : 'has changed';
  const heading = `The watch of ${escaped(clip(title, 150))} in ${channelMention(channelId)} ${how}`;
  const notes = [
    ...(newOwnerId === undefined ? [] : [`Handed over to ${personMention(newOwnerId)}.`]),
    whenNotified(edited, reader),
  ];
  return shortMessage(
    {
      text: [`${heading}.`, ...notes].join(' '),
      lines: [`*${heading}*`, ...notes],
      buttons: [...undoButton(undo), editButton(watchId)],
    },
    reader,
  );
}
