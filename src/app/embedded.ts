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

/** The service, where no account is set; its code is loaded only then. */
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

/** The account that it knows, as a real one would be set. */
export function accountOf({ url, credentials }: Sandbox): AnalyticsConfig {
  const { apiKey, userId, password } = credentials;
  return { baseUrl: url, apiKey, credentials: { userId, password } };
}

/** The names of its vessels. */
export function inventedNames(sandbox: Sandbox | undefined): NamedVessel[] {
  return (sandbox?.vessels ?? []).flatMap(({ imo, name }) => (isImo(imo) ? [{ imo, name }] : []));
}

interface PlaygroundParts {
  reasons: () => string[];
  sandbox: Sandbox | undefined;
  advance: (hours: number) => Promise<void>;
}

/** Slack, where no workspace is set; its code is loaded only then. */
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
    onError: (error) => logger.warn({ err: error }, "the playground's messages can't be kept"),
    ...(sandbox && { clock: { ...sandbox.clock, advance } }),
    ...(dataDir && { dataFile: join(dataDir, 'playground', 'slack.json') }),
  });
}
