import { UserError } from '../../errors.ts';
import { accountLine } from '../../messages/frame/connect-account.ts';
import { legacyCommand } from '../command.ts';
import type { AccountServices } from './services.ts';
import { type AccountAnswer, accountView } from './views.ts';

export const account = legacyCommand<object, AccountAnswer, AccountServices>({
  name: 'account',
  isUnderLandfall: true,
  summary: 'Whose account at the analytics service answers here; admins connect, replace or disconnect it',
  usage: '',
  examples: [accountLine],
  repeatable: false,
  onlyAsks: true,
  // The buttons depend on whether the reader is an admin.
  privacy: 'personal',
  needsSlack: true,
  parse(words) {
    if (words.trim() === '') return {};
    throw new UserError({
      code: 'unexpected-words',
      message:
        'Nothing follows the word account. The key and the password are typed into a form, never into a line.',
      example: accountLine,
    });
  },
  format: () => accountLine,
  run: async (_, { account, actor }) => ({ state: await account.state(), isAdmin: actor.isAdmin }),
  view: accountView,
});
