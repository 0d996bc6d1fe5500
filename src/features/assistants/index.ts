import { assistantsCommand, revoke } from './command.ts';
import { tokenForm } from './form.ts';

/** Tokens with which assistants outside Slack ask for a person. */
export const assistants = { commands: [assistantsCommand], forms: [tokenForm], actions: [revoke] };
