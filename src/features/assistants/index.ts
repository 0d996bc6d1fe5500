import { millisecondsInDay } from 'date-fns/constants';
import { z } from 'zod';
import { type FormView, readFields } from '../../answers/fields.ts';
import { ownLines, UserError } from '../../errors.ts';
import {
  type AssistantScope,
  assistantScopes,
  createAssistantTokenStore,
} from '../../workspaces/assistant-tokens.ts';
import { command, replyOf, replyTo, variant } from '../command.ts';
import { type AskCtx, checkAdmin, checkIsStillAdmin, privateReader, type WorkCtx } from '../ctx.ts';
import { type Action, form } from '../feature.ts';
import {
  assistantsAnswer,
  newTokenAnswer,
  revokeId,
  scopeWords,
  tokenFormName,
  unseenTokenAnswer,
} from './answer.ts';

const shown = variant<object>({
  format: () => ownLines.assistants,
  effect: 'opens',
  privacy: 'never-shared',
  of: 'workspace',
  run: async (_, ctx) => assistantsAnswer(await readTokens(ctx), privateReader(ctx)),
});

const assistantsCommand = command({
  name: 'assistants',
  isUnderLandfall: true,
  summary: 'The tokens that assistants outside Slack use to ask Landfall; admins create and revoke them',
  usage: '',
  examples: [ownLines.assistants],
  variants: [shown],
  parse(words) {
    if (words.trim() === '') return shown.of({});
    throw new UserError({
      code: 'unexpected-words',
      message: 'Nothing follows the word assistants. Tokens are created and revoked with its buttons.',
      example: ownLines.assistants,
    });
  },
});

export const revoke: Action = {
  id: revokeId,
  replacesMessage: true,
  async run(id, ctx) {
    await checkIsStillAdmin(ctx, ctx.services.slack, adminsOnly);
    const revoked = await tokensOf(ctx).revoke(id, ctx.actor.userId);
    const tokens = { ...(await readTokens(ctx)), revoked: revoked?.label ?? null };
    return replyTo(assistantsAnswer(tokens, privateReader(ctx)), ctx);
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
    example: ownLines.assistants,
  });

/** As it was filled in, so not checked. */
interface TokenFields {
  label: string;
  scope: string;
  lifetime: string;
}

/** How long a token can be valid. The keys are the values of the field. */
const lifetimes: Readonly<Record<string, { label: string; ms: number }>> = {
  '30d': { label: '30 days', ms: 30 * millisecondsInDay },
  '90d': { label: '90 days', ms: 90 * millisecondsInDay },
  '1y': { label: '1 year', ms: 365 * millisecondsInDay },
};

const maxLabelLength = 60;

/** The token is in the window that follows, and nowhere else: Slack does not store windows. */
export const tokenForm = form<object, TokenFields>({
  name: tokenFormName,
  target: z.object({}),
  async open(_, ctx) {
    checkAdmin(ctx, adminsOnly);
    return { label: '', scope: 'read', lifetime: '90d' };
  },
  instead: () => ownLines.assistants,
  view: tokenModal,
  read: ({ text }) => ({ label: text('label'), scope: text('scope'), lifetime: text('lifetime') }),
  async submit(fields, ctx) {
    const { actor, idempotencyKey: id, signal, services } = ctx;
    await checkIsStillAdmin(ctx, services.slack, adminsOnly);
    const chosen = checkFields(fields);
    // Whoever waited has been answered that it failed.
    signal.throwIfAborted();
    const created = await tokensOf(ctx).create({ ...chosen, id }, actor.userId);
    const shown = { ...created, address: services.assistantsUrl };
    return {
      ...replyOf(newTokenAnswer(shown, privateReader(ctx)), ctx),
      withoutWindow: replyTo(unseenTokenAnswer(created.label), ctx),
    };
  },
});

/** Tokens of assistants outside Slack, which ask for a person. */
export const assistants = { commands: [assistantsCommand], forms: [tokenForm], actions: [revoke] };

export function tokenModal({ label, scope, lifetime }: TokenFields): FormView {
  return {
    title: 'New token',
    submit: 'Create',
    parts: [
      {
        kind: 'text',
        lines: [
          'With a token, an assistant outside Slack asks Landfall as you. It sees what you can see, until the token expires or an admin revokes it.',
        ],
      },
      {
        kind: 'input',
        id: 'label',
        label: 'What is it for?',
        value: label,
        placeholder: 'The assistant on my laptop',
        maxLength: maxLabelLength,
      },
      {
        kind: 'radio',
        id: 'scope',
        label: 'What may the assistant do?',
        value: scope,
        options: assistantScopes.map((value) => ({ value, label: scopeWords[value].choice })),
      },
      {
        kind: 'menu',
        id: 'lifetime',
        label: 'It expires after',
        value: lifetime,
        options: Object.entries(lifetimes).map(([value, { label }]) => ({ value, label })),
      },
    ],
  };
}

/** Slack sends forged forms too. Throws FieldErrors. */
const checkFields = ({ label, scope, lifetime }: TokenFields) =>
  readFields({
    label: () => readLabel(label),
    scope: () => readScope(scope),
    lifetimeMs() {
      const chosen = new Map(Object.entries(lifetimes)).get(lifetime);
      if (!chosen) throw wrong('Choose when the token expires.');
      return chosen.ms;
    },
  });

function readLabel(typed: string): string {
  const label = typed.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
  if (label === '') throw wrong('Say what the token is for, so that you know it again.');
  if (label.length > maxLabelLength) throw wrong(`Use at most ${maxLabelLength} characters.`);
  return label;
}

function readScope(chosen: string): AssistantScope {
  const scope = assistantScopes.find((one) => one === chosen);
  if (!scope) throw wrong('Choose what the assistant may do.');
  return scope;
}

const wrong = (message: string): UserError => new UserError({ code: 'unexpected-words', message });
