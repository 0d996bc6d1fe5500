import type { Feature } from '../feature.ts';
import { usage } from './command.ts';
import type { UsageServices } from './services.ts';

/** What the account was used for. */
export const createUsage = (services: UsageServices): Feature => ({ commands: [usage(services)] });
