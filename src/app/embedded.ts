import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AnalyticsConfig, Config } from '../config/config.ts';
import type { NamedVessel } from '../grammar/vessel-directory.ts';
import type { Logger } from '../log.ts';
import type { Playground } from '../playground/playground.ts';
import { isImo } from '../reference/imo.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { answerHealth } from '../slack/receivers/health.ts';

interface EmbeddedOptions {
  config: Config;
  logger: Logger;
  /** Milliseconds. */
  realNow?: () => number;
}

/** The embedded service, for settings without an account. Its code is loaded only here. */
export async function startSandbox({
  config,
  logger,
  realNow = Date.now,
}: EmbeddedOptions): Promise<Sandbox> {
  const { createPersistentSandbox } = await import('../sandbox/persistent-sandbox.ts');
  const { sandbox: settings, dataDir } = config;
  const sandbox = await createPersistentSandbox({
    ...settings,
    clockFile: dataDir && join(dataDir, 'playground', 'sandbox-clock.json'),
    realNow,
    onError: (error) => logger.warn({ err: error }, "the sandbox's clock can't be saved"),
  });
  if (settings.controls)
    logger.info({ url: `${sandbox.url}/_sandbox/state` }, "the sandbox's controls are open");
  return sandbox;
}

/** The sandbox's account, in the form of a real one. */
export function accountOf({ url, credentials }: Sandbox): AnalyticsConfig {
  const { apiKey, userId, password } = credentials;
  return { baseUrl: url, apiKey, credentials: { userId, password } };
}

/** The names of the sandbox's vessels. */
export function inventedNames(sandbox: Sandbox | undefined): NamedVessel[] {
  return (sandbox?.vessels ?? []).flatMap(({ imo, name }) => (isImo(imo) ? [{ imo, name }] : []));
}

interface PlaygroundParts {
  reasons: () => string[];
  sandbox: Sandbox | undefined;
  advance: (hours: number) => Promise<void>;
}

/** The embedded Slack, for settings without a workspace. Its code is loaded only here. */
export async function startPlayground(
  { config, logger }: EmbeddedOptions,
  { reasons, sandbox, advance }: PlaygroundParts,
): Promise<Playground> {
  const { createPlayground } = await import('../playground/playground.ts');
  const { host, port, playgroundMode, dataDir } = config;
  const health = (request: Request) => {
    const { status, body } = answerHealth(new URL(request.url).pathname, { reasons });
    return Response.json(body, { status });
  };
  return createPlayground({
    host,
    port,
    mode: playgroundMode,
    manifestPath: fileURLToPath(new URL('../../manifest.yml', import.meta.url)),
    pageDir: fileURLToPath(new URL('../playground/page/dist', import.meta.url)),
    routes: { '/healthz': health, '/readyz': health },
    onError: (error) => logger.warn({ err: error }, "the playground's messages can't be saved"),
    ...(sandbox && { clock: { ...sandbox.clock, advance } }),
    ...(dataDir && { dataFile: join(dataDir, 'playground', 'slack.json') }),
  });
}

const stepMs = 15 * 60_000;

/** Advances the invented world a quarter of an hour at a time, and does what is due after each step. */
export async function advanceWorld(
  { clock }: Sandbox,
  { hours, runDue }: { hours: number; runDue: () => Promise<void> },
): Promise<void> {
  for (let leftMs = hours * 3_600_000; leftMs > 0; leftMs -= stepMs) {
    clock.advance(Math.min(stepMs, leftMs));
    await runDue();
  }
}
