import type { KnownBlock } from '@slack/types';
import { actions, button, context, sections, withConfirmation } from '../../messages/blocks.ts';
import { selectField, textBlock, textField } from '../../messages/fields.ts';
import { zonedTime } from '../../messages/formatting/times.ts';
import { connectAccount, connectButton } from '../../messages/frame/connect-account.ts';
import { type Message, type Modal, plainBlocksOf, type Reader } from '../../messages/message.ts';
import { escaped, personMention } from '../../messages/mrkdwn.ts';
import type { SampleAccount } from '../../workspaces/accounts.ts';
import type { AccountState } from '../../workspaces/workspace-account.ts';

type OwnAccount = Extract<AccountState, { kind: 'own' }>;

export interface AccountAnswer {
  state: AccountState;
  isAdmin: boolean;
  /** What has just happened. */
  done?: 'connected' | 'disconnected';
}

export const disconnectId = 'account:disconnect';

/** Whose account answers, and since when; admins get the buttons. Never a secret. */
export function accountView({ state, isAdmin, done }: AccountAnswer, reader: Reader): Message {
  const lead =
    done === 'disconnected'
      ? ['The account is disconnected: its API key, user id and password are deleted.']
      : [];
  if (state.kind === 'none') {
    const card = connectAccount({ isAdmin, ...state });
    return { text: [...lead, card.text].join(' '), blocks: [...sections(lead), ...card.blocks] };
  }
  const { heading, details } = inWords(state, reader);
  const buttons =
    state.kind === 'own'
      ? [connectButton('Replace …'), disconnectButton]
      : [connectButton('Connect your account')];
  return {
    text: [...lead, `${heading}. ${details}.`].join(' '),
    blocks: [
      ...sections([...lead, `*${heading}*`, `${details}.`]),
      ...(isAdmin ? actions(buttons) : [context('Only workspace admins can change this')]),
    ],
  };
}

function inWords(state: Exclude<AccountState, { kind: 'none' }>, reader: Reader) {
  const isSandbox = state.address === 'sandbox';
  const heading = isSandbox
    ? 'Connected to the sandbox, invented data'
    : 'Connected to the analytics service';
  const at = isSandbox ? '' : ` at ${escaped(state.address)}`;
  if (state.kind === 'operators') {
    const account = isSandbox ? 'that comes with the sandbox' : `in its settings (${escaped(state.address)})`;
    return { heading, details: `Landfall uses the account ${account}` };
  }
  const when = zonedTime(state.connectedAt, reader.zone, reader.now);
  return { heading, details: `${personMention(state.connectedBy)} connected the account${at} on ${when}` };
}

const disconnectButton = withConfirmation(
  button({ id: disconnectId, label: 'Disconnect …', value: 'disconnect' }),
  {
    title: 'Disconnect the account?',
    question:
      'Landfall deletes the API key, the user id and the password. Unless whoever runs Landfall provides an account, questions, watches and digests wait until one is connected again.',
    yes: 'Disconnect',
  },
);

/** On top of the Home tab: the card while there is no account. */
export function homeTop({ state, isAdmin }: AccountAnswer): KnownBlock[] {
  if (state.kind !== 'none') return [];
  return [...plainBlocksOf(connectAccount({ isAdmin, ...state })), { type: 'divider' }];
}

/** Near the end of it: a line for admins. */
export function homeBottom({ state, isAdmin }: AccountAnswer, reader: Reader): KnownBlock[] {
  if (state.kind === 'none' || !isAdmin) return [];
  return [context(`${inWords(state, reader).details} · \`/landfall account\` changes it`)];
}

/** To whoever installed Landfall. */
export function welcomeView(answer: AccountAnswer & { team: string }): Message {
  const { state, isAdmin, team } = answer;
  const heading = `Landfall is installed in ${escaped(team)}`;
  const card = state.kind === 'none' ? connectAccount({ isAdmin, installerId: undefined }) : tryIt;
  return {
    text: `${heading}. ${card.text}`,
    blocks: [...sections([`*${heading}*`]), ...card.blocks],
  };
}

const tryText =
  'Ask where a vessel calls next: type `/nextport 9461477` in any channel, or `nextport 9461477` here.';
const tryIt: Message = { text: tryText, blocks: sections([tryText]) };

export interface AccountFormOptions {
  addresses: readonly string[];
  samples: readonly SampleAccount[];
  /** The account that is connected already: the button is in old messages too. */
  own: OwnAccount | undefined;
}

export function accountFormView(options: AccountFormOptions, reader: Reader): Modal {
  const { addresses, samples, own } = options;
  const [first = ''] = addresses;
  const intro =
    "Landfall tries to log in with your organisation's account at the analytics service, and saves the account only if that works. It is stored encrypted, and never shown again.";
  return {
    title: 'Connect your account',
    submit: 'Connect',
    blocks: [
      ...(own
        ? sections([`${inWords(own, reader).details}. The account that you enter here replaces it.`])
        : []),
      textBlock(intro),
      ...(samples.length > 0
        ? sections([
            'This Landfall runs the sandbox, whose data is invented. Use one of its accounts:',
            ...samples.map(sampleLine),
          ])
        : []),
      ...(addresses.length > 1
        ? [
            selectField({
              id: 'address',
              label: 'Address of the service',
              hint: 'If the address changes, the stored predictions are deleted, and watches begin anew.',
              value: first,
              options: addresses.map((address) => ({ value: address, label: address })),
            }),
          ]
        : []),
      textField({ id: 'apiKey', label: 'API key' }),
      textField({ id: 'userId', label: 'User id' }),
      textField({
        id: 'password',
        label: 'Password',
        hint: 'Slack has no password fields: whoever sees your screen can read what you type.',
      }),
    ],
  };
}

const sampleLine = ({ account: { apiKey, userId, password }, hasLanes }: SampleAccount): string =>
  `• API key \`${apiKey}\`, user id \`${userId}\`, password \`${password}\`${hasLanes ? '' : ' (no access to `/lane`)'}`;
