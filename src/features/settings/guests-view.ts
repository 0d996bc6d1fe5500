import { actions, sections } from '../../messages/blocks.ts';
import { lineButtons } from '../../messages/frame/answer-actions.ts';
import type { Message } from '../../messages/message.ts';

/** What guests of a workspace may do, in the words of people; workspaces/guests.ts says what can be chosen. */
export const guestChoices = {
  ask: { label: 'Guests may ask', says: "They can't change anything." },
  full: { label: 'Guests can do what members can', says: 'In the channels that they are in.' },
  none: { label: 'Guests are not served', says: 'They only see what is posted in their channels.' },
} as const;

export interface GuestsAnswer {
  kind: 'guests';
  guests: keyof typeof guestChoices;
  /** What was chosen before. */
  before: keyof typeof guestChoices;
}

/** An admin has chosen. */
export function guestsView({ guests, before }: GuestsAnswer): Message {
  const { label, says } = guestChoices[guests];
  const isChanged = before !== guests;
  const was = isChanged ? `Before: ${guestChoices[before].label.toLowerCase()}.` : 'Nothing has changed.';
  const back = isChanged ? [{ label: 'Undo', line: `landfall settings guests ${before}` }] : [];
  return {
    text: `${label}, in the whole workspace. ${says} ${was}`,
    blocks: [
      ...sections([`*${label}*, in the whole workspace. ${says}`, was]),
      ...actions(lineButtons(back)),
    ],
  };
}
