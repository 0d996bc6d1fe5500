import type { Fulfils } from '../../answers/answer.ts';
import { usageCommand } from './command.ts';

/** What the account was used for. */
export const usage = {
  commands: [usageCommand],
  fulfils: { 'own-usage': () => 'usage bot' } satisfies Fulfils,
};
