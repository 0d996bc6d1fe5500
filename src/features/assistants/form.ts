import { z } from 'zod';
import { UserError } from '../../errors.ts';
import { readFields } from '../../messages/field-errors.ts';
import { type AssistantScope, assistantScopes } from '../../workspaces/assistant-tokens.ts';
import { defineForm } from '../form.ts';
import { checkAdmin, checkIsStillAdmin } from '../still-admin.ts';
import { type AssistantsServices, adminsOnly } from './services.ts';
import {
  maxLabelLength,
  newTokenView,
  type TokenFields,
  tokenForm,
  tokenFormName,
  unseenTokenView,
} from './views.ts';
import { assistantsLine, defaultLifetime, lifetimes } from './words.ts';

/** The token is in the window that follows, and nowhere else: Slack does not store windows. */
export const token = defineForm<object, TokenFields, AssistantsServices>({
  name: tokenFormName,
  target: z.object({}),
  async open(_, context) {
    checkAdmin(context, adminsOnly);
    return { label: '', scope: 'read', lifetime: defaultLifetime };
  },
  instead: () => assistantsLine,
  view: tokenForm,
  read: ({ text }) => ({ label: text('label'), scope: text('scope'), lifetime: text('lifetime') }),
  async submit(fields, context) {
    const { tokens, slack, address, actor, idempotencyKey: id, signal } = context;
    await checkIsStillAdmin(context, slack, adminsOnly);
    const chosen = checkFields(fields);
    // Whoever waited has been answered that it failed.
    signal.throwIfAborted();
    const created = await tokens.create({ ...chosen, id }, actor.userId);
    return {
      view: (reader) => newTokenView({ ...created, address }, reader),
      withoutWindow: unseenTokenView(created.label),
    };
  },
});

/** Slack sends forged forms too. Throws FieldErrors. */
function checkFields({ label, scope, lifetime }: TokenFields) {
  return readFields({
    label: () => readLabel(label),
    scope: () => readScope(scope),
    lifetimeMs: () => {
      const chosen = new Map(Object.entries(lifetimes)).get(lifetime);
      if (!chosen) throw wrong('Choose when the token expires.');
      return chosen.ms;
    },
  });
}

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
