import { formActionId } from '../action-ids.ts';
import { actions, button, primary, sections } from '../blocks.ts';
import type { Message } from '../message.ts';
import { personMention } from '../mrkdwn.ts';

/** The form in which an admin enters the account of the analytics service. */
export const accountForm = 'account';

export const accountLine = 'landfall account';

export const connectButton = (label: string) => button({ id: formActionId(accountForm), label, value: '{}' });

/** For a workspace without an account: an admin gets the button, others are told whom to ask. */
export function connectAccount(reader: { isAdmin: boolean; installerId: string | undefined }): Message {
  const { heading, advice } = reader.isAdmin ? forAdmin : forOthers(reader);
  return {
    text: `${heading}. ${advice}`,
    blocks: [
      ...sections([`*${heading}*`, advice]),
      ...(reader.isAdmin ? actions([primary(connectButton('Connect your account'))]) : []),
    ],
  };
}

const forAdmin = {
  heading: 'Connect your account',
  advice:
    "Landfall answers with your organisation's account at the analytics service. Until you connect it, questions can't be answered, and watches and digests wait.",
};

function forOthers({ installerId }: { installerId: string | undefined }) {
  const installed =
    installerId === undefined ? '' : ` ${personMention(installerId)} installed Landfall here.`;
  return {
    heading: "Landfall isn't connected to the analytics service yet",
    advice: `Ask a workspace admin to type \`/${accountLine}\` and connect your organisation's account.${installed}`,
  };
}
