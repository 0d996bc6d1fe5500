import { UserError } from '../../errors.ts';
import { legacyCommand } from '../command.ts';
import type { AssistantsServices } from './services.ts';
import { type AssistantsAnswer, assistantsView, readTokens } from './views.ts';
import { assistantsLine } from './words.ts';

export const assistants = legacyCommand<object, AssistantsAnswer, AssistantsServices>({
  name: 'assistants',
  isUnderLandfall: true,
  summary: 'The tokens with which assistants outside Slack ask Landfall; admins create and revoke them',
  usage: '',
  examples: [assistantsLine],
  repeatable: false,
  onlyAsks: true,
  privacy: 'never-shared',
  needsSlack: true,
  parse(words) {
    if (words.trim() === '') return {};
    throw new UserError({
      code: 'unexpected-words',
      message: 'Nothing follows the word assistants. Tokens are created and revoked with its buttons.',
      example: assistantsLine,
    });
  },
  format: () => assistantsLine,
  run: async (_, { tokens, actor: { isAdmin } }) =>
    isAdmin ? { isAdmin, tokens: await readTokens(tokens) } : { isAdmin, tokens: [] },
  view: assistantsView,
});
