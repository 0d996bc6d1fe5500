import { onTestFinished } from 'vitest';
import { createApp, type LandfallApp } from '../../src/app/app.ts';
import { createConfig } from '../../src/config/config.ts';
import { silentLogger } from '../../src/log.ts';
import { emptyDatabase } from './bot-database.ts';

type Options = Partial<Parameters<typeof createApp>[0]>;

/** An app with these settings, on a free port and with a store in memory unless they say otherwise. */
export const createTestApp = (env: Record<string, string>, options: Options = {}): LandfallApp =>
  createApp({
    config: createConfig({ PORT: '0', LANDFALL_DATA_DIR: ':memory:', ...env }),
    logger: silentLogger,
    version: '1.2.3',
    automatic: false,
    ...(!env.LANDFALL_DATA_DIR && { connect: emptyDatabase }),
    ...options,
  });

/** It stops after the test. */
export function useApp(env: Record<string, string> = {}, options: Options = {}): LandfallApp {
  const app = createTestApp(env, options);
  onTestFinished(async () => void (await app.stop(1_000)));
  return app;
}
