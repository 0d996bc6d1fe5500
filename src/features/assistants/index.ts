import { createAssistantTokenStore } from '../../workspaces/assistant-tokens.ts';
import type { Action, Feature } from '../feature.ts';
import { privateReader } from '../run-context.ts';
import type { WorkspaceServices } from '../services.ts';
import { checkIsStillAdmin } from '../still-admin.ts';
import { assistants } from './command.ts';
import { token } from './form.ts';
import { type AssistantsServices, adminsOnly } from './services.ts';
import { assistantsView, readTokens, revokeId } from './views.ts';

/** Tokens with which assistants outside Slack ask for a person. */
export function createAssistants(services: WorkspaceServices): Feature {
  const { slack, assistantsUrl: address } = services;
  const own = { slack, address, tokens: createAssistantTokenStore(services) };
  return { commands: [assistants(own)], forms: [token(own)], actions: [revoke(own)] };
}

const revoke = ({ tokens, slack }: AssistantsServices): Action => ({
  id: revokeId,
  replacesMessage: true,
  async run(id, context) {
    await checkIsStillAdmin(context, slack, adminsOnly);
    const revoked = await tokens.revoke(id, context.actor.userId);
    const answer = { isAdmin: true, tokens: await readTokens(tokens), revoked: revoked?.label ?? null };
    return assistantsView(answer, privateReader(context));
  },
});
