import { usageCommand } from './command.ts';

/** What the account was used for. */
export const usage = { commands: [usageCommand] };
