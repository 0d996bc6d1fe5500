import type { Feature } from '../feature.ts';
import type { UsageServices } from './answer.ts';
import { usage } from './command.ts';

/** What the account was used for. */
export const createUsage = (services: UsageServices): Feature => ({ commands: [usage(services)] });
