import { UserError } from '../../errors.ts';
import type { AssistantTokenStore } from '../../workspaces/assistant-tokens.ts';
import type { WorkspaceServices } from '../services.ts';
import { assistantsLine } from './words.ts';

export interface AssistantsServices extends Pick<WorkspaceServices, 'slack'> {
  tokens: AssistantTokenStore;
  /** Of the server for assistants; undefined if the settings don't say where the bot can be reached. */
  address: string | undefined;
}

export const adminsOnly = (): UserError =>
  new UserError({
    code: 'not-allowed',
    message: 'Only workspace admins can create and revoke tokens. Nothing was changed.',
    hint: 'Ask an admin or an owner of this workspace.',
    example: assistantsLine,
  });
