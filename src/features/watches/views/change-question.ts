import { isDeepStrictEqual } from 'node:util';
import { button } from '../../../messages/blocks.ts';
import { dismiss } from '../../../messages/frame/notices.ts';
import { clip, joinWithin } from '../../../messages/limits.ts';
import type { Message, Reader } from '../../../messages/message.ts';
import { escaped, personMention } from '../../../messages/mrkdwn.ts';
import { watchActionIds } from '../action-ids.ts';
import { droppedRulesInWords } from '../rules/in-words.ts';
import type { Rules } from '../rules/index.ts';
import { maxListText, shortMessage } from './short-message.ts';

/** The question before somebody else's watch is changed. */
export interface WatchChangeQuestion {
  kind: 'watch-change-question';
  title: string;
  ownerId: string;
  isPort: boolean;
  before: Rules;
  rules: Rules;
  newOwnerId?: string;
  /** The value of the button that makes the change. */
  value: string;
  /** A window closes with a button of its own. */
  isInWindow?: boolean;
}

export function changeQuestionView(question: WatchChangeQuestion, { now, audience }: Reader): Message {
  const { title, ownerId, isPort, before, rules, newOwnerId, value } = question;
  const person = (userId: string) => (audience === 'private' ? personMention(userId) : 'somebody else');
  const context = { now, isPort };
  const added = droppedRulesInWords({ before: rules, after: before }, context);
  const dropped = droppedRulesInWords({ before, after: rules }, context);
  const heading = `Change the watch of ${escaped(clip(title, 150))}? It belongs to ${person(ownerId)}`;
  const lines = [
    ...change('New', added),
    ...change('No longer', dropped),
    ...(newOwnerId === undefined ? [] : [`Hand it over to ${person(newOwnerId)}.`]),
    ...(isDeepStrictEqual(before, rules) ? [] : ['Its owner is notified of the change.']),
  ];
  return shortMessage({
    text: joinWithin([`${heading}.`, ...lines], ' ', maxListText),
    lines: [`*${heading}*`, ...lines],
    buttons: [
      button({ id: watchActionIds.confirmChange, label: 'Change it', value }),
      ...(question.isInWindow ? [] : [button({ id: dismiss, label: 'Cancel', value: dismiss })]),
    ],
  });
}

const change = (what: string, words: readonly string[]): string[] =>
  words.length === 0 ? [] : [`${what}: ${escaped(words.join('; '))}.`];
