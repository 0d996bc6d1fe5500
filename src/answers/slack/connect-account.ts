import { ownLines } from '../../errors.ts';
import type { Message } from '../message.ts';
import { actions, button, formActionId, personMention, primary, sections } from './blocks.ts';

/** An admin enters the account of the analytics service. */
export const accountForm = 'account';

export const accountLine = ownLines.account;

interface ConnectReader {
  isAdmin: boolean;
  installerId: string | undefined;
}

/** For a workspace without an account: an admin gets the button, others see whom to ask. */
export function connectAccount(reader: ConnectReader): Message {
  const { heading, advice } = connectWords(reader);
  const inWords = advice
    .map((part) => {
      if (typeof part === 'string') return part;
      return 'code' in part ? `\`${part.code}\`` : personMention(part.person);
    })
    .join('');
  const connect = button({ id: formActionId(accountForm), label: connectLabel, value: '{}' });
  return {
    text: `${heading}. ${inWords}`,
    blocks: [...sections([`*${heading}*`, inWords]), ...(reader.isAdmin ? actions([primary(connect)]) : [])],
  };
}

export const connectLabel = 'Connect your account';

/** The same as texts of an answer. */
export const connectWords = (reader: ConnectReader): ConnectWords =>
  reader.isAdmin ? forAdmin : forOthers(reader);

interface ConnectWords {
  heading: string;
  advice: readonly (string | { code: string } | { person: string })[];
}

const forAdmin: ConnectWords = {
  heading: connectLabel,
  advice: [
    "Landfall answers with your organisation's account at the analytics service. Until you connect it, questions can't be answered, and watches and digests wait.",
  ],
};

const forOthers = ({ installerId }: Pick<ConnectReader, 'installerId'>): ConnectWords => ({
  heading: "Landfall isn't connected to the analytics service yet",
  advice: [
    'Ask a workspace admin to type ',
    { code: `/${accountLine}` },
    " and connect your organisation's account.",
    ...(installerId === undefined ? [] : [' ', { person: installerId }, ' installed Landfall here.']),
  ],
});
