import type { AnalyticsClient } from '../../src/analytics/client.ts';
import { terminalCtx } from '../../src/app/terminal.ts';
import { createConfig } from '../../src/config/config.ts';
import { commands, parseLine } from '../../src/features/index.ts';
import { now } from './run-command.ts';

export { commands, parseLine };

/** What lines get without a store, as in the terminal, over this client. */
export const featuresOver = (
  analytics: AnalyticsClient,
  { clock = () => now, env = {} }: { clock?: () => Date; env?: Record<string, string> } = {},
) => ({
  ...{ commands, parseLine },
  ctx: terminalCtx({
    config: createConfig(env),
    version: '0.1.0',
    analytics,
    source: 'sandbox',
    now: clock,
  }),
});
