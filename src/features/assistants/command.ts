import { toReply } from '../../answers/slack/render.ts';
import { UserError } from '../../errors.ts';
import { createAssistantTokenStore } from '../../workspaces/assistant-tokens.ts';
import { type AskCtx, privateReader, type WorkCtx } from '../ctx.ts';
import type { Action } from '../feature.ts';
import { checkIsStillAdmin } from '../still-admin.ts';
import { command, variant } from '../variant.ts';
import { assistantsAnswer, assistantsLine, revokeId } from './answer.ts';

const shown = variant<object>({
  format: () => assistantsLine,
  effect: 'opens',
  privacy: 'never-shared',
  of: 'workspace',
  run: async (_, ctx) => assistantsAnswer(await readTokens(ctx), privateReader(ctx)),
});

export const assistantsCommand = command({
  name: 'assistants',
  isUnderLandfall: true,
  summary: 'The tokens with which assistants outside Slack ask Landfall; admins create and revoke them',
  usage: '',
  examples: [assistantsLine],
  variants: [shown],
  parse(words) {
    if (words.trim() === '') return shown.of({});
    throw new UserError({
      code: 'unexpected-words',
      message: 'Nothing follows the word assistants. Tokens are created and revoked with its buttons.',
      example: assistantsLine,
    });
  },
});

export const revoke: Action = {
  id: revokeId,
  replacesMessage: true,
  async run(id, ctx) {
    await checkIsStillAdmin(ctx, ctx.services.slack, adminsOnly);
    const revoked = await tokensOf(ctx).revoke(id, ctx.actor.userId);
    const reader = privateReader(ctx);
    const answer = assistantsAnswer({ ...(await readTokens(ctx)), revoked: revoked?.label ?? null }, reader);
    return toReply(answer, { reader, lineOf: ctx.registry.lineOf });
  },
};

export const tokensOf = ({ services }: WorkCtx) => createAssistantTokenStore(services);

/** Answers have no clock of their own, and tokens expire on the real one. */
async function readTokens(ctx: AskCtx) {
  const { isAdmin } = ctx.actor;
  const { list, isExpired } = tokensOf(ctx);
  const tokens = isAdmin ? await list() : [];
  return { isAdmin, tokens: tokens.map((token) => ({ ...token, isExpired: isExpired(token) })) };
}

export const adminsOnly = (): UserError =>
  new UserError({
    code: 'not-allowed',
    message: 'Only workspace admins can create and revoke tokens. Nothing was changed.',
    hint: 'Ask an admin or an owner of this workspace.',
    example: assistantsLine,
  });
