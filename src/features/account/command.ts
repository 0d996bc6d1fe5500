import { accountLine } from '../../answers/slack/connect-account.ts';
import { toReply } from '../../answers/slack/render.ts';
import { UserError } from '../../errors.ts';
import { type AskCtx, privateReader } from '../ctx.ts';
import type { Action } from '../feature.ts';
import { checkIsStillAdmin } from '../still-admin.ts';
import { command, variant } from '../variant.ts';
import { accountAnswer, disconnected, disconnectId, type Shown } from './answer.ts';

const shown = variant<object>({
  format: () => accountLine,
  effect: 'opens',
  // The buttons depend on whether the reader is an admin.
  privacy: 'personal',
  of: 'workspace',
  run: async (_, ctx) => accountAnswer(await readAccount(ctx), privateReader(ctx)),
});

export const accountCommand = command({
  name: 'account',
  isUnderLandfall: true,
  summary: 'Whose account at the analytics service answers here; admins connect, replace or disconnect it',
  usage: '',
  examples: [accountLine],
  variants: [shown],
  parse(words) {
    if (words.trim() === '') return shown.of({});
    throw new UserError({
      code: 'unexpected-words',
      message:
        'Nothing follows the word account. The key and the password are typed into a form, never into a line.',
      example: accountLine,
    });
  },
});

export const disconnect: Action = {
  id: disconnectId,
  replacesMessage: true,
  async run(_, ctx) {
    await checkIsStillAdmin(ctx, ctx.services.slack, adminsOnly);
    await ctx.services.account.disconnect(ctx.actor.userId);
    const reader = privateReader(ctx);
    const answer = accountAnswer(await readAccount(ctx), reader, disconnected);
    return toReply(answer, { reader, lineOf: ctx.registry.lineOf });
  },
};

export const readAccount = async ({ services, actor }: AskCtx): Promise<Shown> => ({
  state: await services.account.state(),
  isAdmin: actor.isAdmin,
});

export const adminsOnly = (): UserError =>
  new UserError({
    code: 'not-allowed',
    message: 'Only workspace admins can connect, replace or disconnect the account. Nothing was changed.',
    hint: 'Ask an admin or an owner of this workspace.',
    example: accountLine,
  });
