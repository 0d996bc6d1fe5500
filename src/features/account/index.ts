import { z } from 'zod';
import { connectLabel, accountForm as name } from '../../answers/connect-account.ts';
import { FieldErrors, type FormPart, type FormView, readFields } from '../../answers/fields.ts';
import { waitInWords } from '../../answers/formatting/times.ts';
import type { Reader } from '../../answers/message.ts';
import { present, type Text } from '../../answers/text.ts';
import { ownLines, ServiceTrouble, UserError } from '../../errors.ts';
import type { Account, SampleAccount } from '../../workspaces/accounts.ts';
import type { AccountState } from '../../workspaces/workspace-account.ts';
import { readAbout } from '../bot-topics.ts';
import { command, replyOf, replyTo, variant } from '../command.ts';
import { type AskCtx, checkAdmin, checkIsStillAdmin, privateReader, type Question } from '../ctx.ts';
import { type Action, type Feature, form } from '../feature.ts';
import {
  accountAnswer,
  detailsOf,
  disconnected,
  disconnectId,
  homeBottom,
  homeTop,
  type Shown,
  welcomeMessage,
} from './answer.ts';

export { queueWelcome } from './answer.ts';

const shown = variant<object>({
  format: () => ownLines.account,
  effect: 'opens',
  // The buttons depend on whether the reader is an admin.
  privacy: 'personal',
  of: 'workspace',
  run: async (_, ctx) => accountAnswer(await readAccount(ctx), privateReader(ctx)),
});

const accountQuestions: readonly Question[] = [
  {
    example: 'Which account are we connected with?',
    asked: [
      '(?:which|what|whose) (?:api |analytics )?account (?:are we|is (?:this|landfall|the bot|it|this channel|this workspace)|do we|does (?:it|landfall|the bot)|are you)(?: (?:connected|using|use|on|running|logged in|working))*(?: (?:with|to|as|on|in|here))*',
      'whose (?:api |analytics )?account (?:answers|is used|is connected)(?: here)?',
      'are we (?:connected|logged in)(?: (?:to|with) (?:the |our |an )?(?:analytics )?(?:service|account|api))?',
      "(?:(?:what(?:'s|s| is)|show) )?(?:our|the) (?:api |analytics )?account",
    ],
    words: '',
  },
];

const accountCommand = command({
  name: 'account',
  isUnderLandfall: true,
  summary: 'Whose account at the analytics service answers here; admins connect, replace or disconnect it',
  usage: '',
  examples: [ownLines.account],
  questions: accountQuestions,
  ...readAbout('account'),
  variants: [shown],
  parse(words) {
    if (words.trim() === '') return shown.of({});
    throw new UserError({
      code: 'unexpected-words',
      message:
        'Nothing follows the word account. The key and the password are typed into a form, never into a line.',
      example: ownLines.account,
    });
  },
});

export const disconnect: Action = {
  id: disconnectId,
  replacesMessage: true,
  async run(_, ctx) {
    await checkIsStillAdmin(ctx, ctx.services.slack, adminsOnly);
    await ctx.services.account.disconnect(ctx.actor.userId);
    return replyTo(accountAnswer(await readAccount(ctx), privateReader(ctx), disconnected), ctx);
  },
};

const readAccount = async ({ services, actor }: AskCtx): Promise<Shown> => ({
  state: await services.account.state(),
  isAdmin: actor.isAdmin,
});

export const adminsOnly = (): UserError =>
  new UserError({
    code: 'not-allowed',
    message: 'Only workspace admins can connect, replace or disconnect the account. Nothing was changed.',
    hint: 'Ask an admin or an owner of this workspace.',
    example: ownLines.account,
  });

interface Offered {
  addresses: readonly string[];
  samples: readonly SampleAccount[];
  /** The account that is connected already: the button is in old messages too. */
  own: Extract<AccountState, { kind: 'own' }> | undefined;
}

type State = ({ kind: 'open' } & Offered) | ({ kind: 'filled' } & Account);

/** Nothing that was typed here is shown again, neither in the form nor in a message. */
export const accountForm = form<object, State>({
  name,
  target: z.object({}),
  async open(_, ctx) {
    checkAdmin(ctx, adminsOnly);
    const { addresses, samples } = ctx.services.account;
    const current = await ctx.services.account.state();
    return { kind: 'open', addresses, samples, own: current.kind === 'own' ? current : undefined };
  },
  instead: () => ownLines.account,
  view(state, reader) {
    const filled = { addresses: [state.kind === 'filled' ? state.address : ''], samples: [], own: undefined };
    return accountModal(state.kind === 'open' ? state : filled, reader);
  },
  read: ({ text }) => ({
    kind: 'filled',
    address: text('address'),
    apiKey: text('apiKey').trim(),
    userId: text('userId').trim(),
    password: text('password'),
  }),
  async submit(state, ctx) {
    const { account, slack } = ctx.services;
    await checkIsStillAdmin(ctx, slack, adminsOnly);
    const entered = checkFields(state, account.addresses);
    await account
      .connect(entered, { actorId: ctx.actor.userId, signal: ctx.signal })
      .catch((error: unknown) => {
        throw explainLogin(error, { address: entered.address, hasChoice: account.addresses.length > 1 });
      });
    return replyOf(accountAnswer(await readAccount(ctx), privateReader(ctx)), ctx);
  },
});

/** The workspace's account at the analytics service. */
export const account: Feature = {
  commands: [accountCommand],
  forms: [accountForm],
  actions: [disconnect],
  outgoing: [welcomeMessage],
  homeTop: async (ctx) => homeTop(await readAccount(ctx)),
  questionsWait: async ({ services }) => (await services.account.state()).kind === 'none',
  homeBottom: async (ctx) => homeBottom(await readAccount(ctx), privateReader(ctx)),
};

export function accountModal({ addresses, samples, own }: Offered, reader: Reader): FormView {
  return {
    title: connectLabel,
    submit: 'Connect',
    parts: present<FormPart>(
      own && {
        kind: 'text',
        lines: [[detailsOf(own, reader), '. The account that you enter here replaces it.']],
      },
      {
        kind: 'text',
        lines: [
          "Landfall tries to log in with your organisation's account at the analytics service, and saves the account only if that works. It is stored encrypted, and never shown again.",
        ],
      },
      samples.length > 0 && {
        kind: 'text',
        lines: [
          'This Landfall runs the sandbox, whose data is invented. Use one of its accounts:',
          ...samples.map(sampleLine),
        ],
      },
      addresses.length > 1 && {
        kind: 'menu',
        id: 'address',
        label: 'Address of the service',
        hint: 'If the address changes, the stored predictions are deleted, and watches begin anew.',
        value: addresses[0] ?? '',
        options: addresses.map((address) => ({ value: address, label: address })),
      },
      { kind: 'input', id: 'apiKey', label: 'API key' },
      { kind: 'input', id: 'userId', label: 'User id' },
      {
        kind: 'input',
        id: 'password',
        label: 'Password',
        hint: 'Slack has no password fields: whoever sees your screen can read what you type.',
      },
    ),
  };
}

const sampleLine = ({ account: { apiKey, userId, password }, hasLanes }: SampleAccount): Text => [
  ...['• API key ', { code: apiKey }, ', user id ', { code: userId }, ', password ', { code: password }],
  hasLanes ? '' : ' (no access to trade lane statistics)',
];

/** Slack sends forms that were opened long ago, and forged ones. Throws FieldErrors. */
function checkFields(state: State, addresses: readonly string[]): Account {
  const filled = state.kind === 'filled' ? state : { address: '', apiKey: '', userId: '', password: '' };
  const [first = ''] = addresses;
  return readFields({
    address() {
      // Without the field there is only one address.
      const address = filled.address === '' ? first : filled.address;
      if (!addresses.includes(address))
        throw wrong('This Landfall does not allow that address. Choose another one.');
      return address;
    },
    apiKey() {
      if (/^[\x21-\x7e]+$/.test(filled.apiKey)) return filled.apiKey;
      throw wrong('An API key has letters, digits and signs, without spaces or accents. Copy it again.');
    },
    userId: () => required(filled.userId, 'Type the user id.'),
    password: () => required(filled.password, 'Type the password.'),
  });
}

function required(text: string, message: string): string {
  if (text.trim() === '') throw wrong(message);
  return text;
}

const wrong = (message: string, hint?: string): UserError =>
  new UserError({ code: 'bad-account', message, ...(hint !== undefined && { hint }) });

/**
 * Says why a login with what somebody typed did not work: beside a field if one of them is wrong. Returns other errors
 * as they are. `hasChoice`: the form has a field for the address.
 */
export function explainLogin(
  error: unknown,
  { address, hasChoice }: { address: string; hasChoice: boolean },
): unknown {
  if (!(error instanceof ServiceTrouble)) return error;
  const status = error.status === undefined ? '' : ` (status ${error.status})`;
  switch (error.code) {
    case 'unauthorized':
    case 'forbidden':
      return new FieldErrors(
        { password: 'The service refuses this user id and password, or the API key. Nothing was saved.' },
        { cause: error },
      );
    case 'rate-limited':
      return wrong(
        'The service accepts no more logins right now, so nothing was saved.',
        `Please try again in ${error.retryAfterMs === undefined ? 'a minute' : waitInWords(error.retryAfterMs)}.`,
      );
    case 'unavailable':
      return wrong(
        `The service at ${address} does not answer${status}, so nothing was saved.`,
        'Please try again in a few minutes.',
      );
    case 'not-found':
    case 'unreadable': {
      const message = `What answers at ${address} isn't the analytics service${status}, so nothing was saved.`;
      return hasChoice
        ? new FieldErrors({ address: message }, { cause: error })
        : wrong(message, 'The address is a setting of Landfall: whoever runs it needs to check it.');
    }
  }
}
