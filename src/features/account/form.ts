import { z } from 'zod';
import { UserError } from '../../errors.ts';
import { readFields } from '../../messages/field-errors.ts';
import { accountForm, accountLine } from '../../messages/frame/connect-account.ts';
import type { Account } from '../../workspaces/accounts.ts';
import { defineForm } from '../form.ts';
import { checkAdmin, checkIsStillAdmin } from '../still-admin.ts';
import { explainLogin } from './login-errors.ts';
import type { AccountServices } from './services.ts';
import { type AccountFormOptions, accountFormView, accountView } from './views.ts';

type State = ({ kind: 'open' } & AccountFormOptions) | ({ kind: 'filled' } & Account);

/** Nothing that was typed here is shown again, neither in the form nor in a message. */
export const account = defineForm<object, State, AccountServices>({
  name: accountForm,
  target: z.object({}),
  async open(_, context) {
    checkAdmin(context, adminsOnly);
    const { addresses, samples } = context.account;
    const current = await context.account.state();
    return { kind: 'open', addresses, samples, own: current.kind === 'own' ? current : undefined };
  },
  instead: () => accountLine,
  view: (state, reader) => {
    const filled = { addresses: [state.kind === 'filled' ? state.address : ''], samples: [], own: undefined };
    return accountFormView(state.kind === 'open' ? state : filled, reader);
  },
  read: ({ text }) => ({
    kind: 'filled',
    address: text('address'),
    apiKey: text('apiKey').trim(),
    userId: text('userId').trim(),
    password: text('password'),
  }),
  async submit(state, context) {
    await checkIsStillAdmin(context, context.slack, adminsOnly);
    const entered = checkFields(state, context.account.addresses);
    const { userId: actorId, isAdmin } = context.actor;
    await context.account.connect(entered, { actorId, signal: context.signal }).catch((error: unknown) => {
      throw explainLogin(error, {
        address: entered.address,
        hasChoice: context.account.addresses.length > 1,
      });
    });
    const answer = { state: await context.account.state(), isAdmin, done: 'connected' } as const;
    return { view: (reader) => accountView(answer, reader) };
  },
});

/** Slack sends forms that were opened long ago, and forged ones. Throws FieldErrors. */
function checkFields(state: State, addresses: readonly string[]): Account {
  const filled = state.kind === 'filled' ? state : { address: '', apiKey: '', userId: '', password: '' };
  const [first = ''] = addresses;
  return readFields({
    address: () => {
      // Without the field there is only one address.
      const address = filled.address === '' ? first : filled.address;
      if (!addresses.includes(address))
        throw wrong('This Landfall does not allow that address. Choose another one.');
      return address;
    },
    apiKey: () => {
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

const wrong = (message: string): UserError => new UserError({ code: 'bad-account', message });

export const adminsOnly = (): UserError =>
  new UserError({
    code: 'not-allowed',
    message: 'Only workspace admins can connect, replace or disconnect the account. Nothing was changed.',
    hint: 'Ask an admin or an owner of this workspace.',
    example: accountLine,
  });
