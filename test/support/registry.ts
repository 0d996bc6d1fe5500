import type { AnalyticsClient } from '../../src/analytics/client.ts';
import { createTerminalFeatures } from '../../src/app/terminal.ts';
import { createConfig } from '../../src/config/config.ts';
import { now } from './run-command.ts';

/** The features without a store, as the terminal runs them, over this client. */
export const featuresOver = (
  analytics: AnalyticsClient,
  { clock = () => now, env = {} }: { clock?: () => Date; env?: Record<string, string> } = {},
) =>
  createTerminalFeatures({
    config: createConfig(env),
    version: '0.1.0',
    analytics,
    source: 'sandbox',
    now: clock,
  });

// For parsing only; no command is run.
export const { commands, parseLine } = featuresOver({} as AnalyticsClient);
