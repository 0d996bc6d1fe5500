import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Playground } from 'bolt-playground';
import type { Config, SlackConfig } from '../config/config.ts';
import type { Logger } from '../log.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { optionalScopes } from '../slack/install/scopes.ts';
import { answerHealth } from '../slack/receivers/http.ts';

interface EmbeddedOptions {
  config: Config;
  logger: Logger;
  realNow?: () => number;
  pictureTimeoutMs?: number;
  playgroundRateLimit?: false;
}

/** The embedded service. Its code is loaded only here. */
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
    logger.info({ url: `${sandbox.url}/_sandbox/state` }, "the sandbox's controls are on (SANDBOX_CONTROLS)");
  return sandbox;
}

type PlaygroundRoutes = Record<string, (request: Request) => Promise<Response>>;

/** The embedded Slack. Its code is loaded only here. */
export async function startPlayground(
  { config, logger, pictureTimeoutMs, playgroundRateLimit }: EmbeddedOptions,
  parts: {
    whyNotReady: () => string[];
    sandbox: Sandbox | undefined;
    advance: (hours: number) => Promise<void>;
    /** The routes of the bot that the playground's server has, by path. */
    routes: PlaygroundRoutes;
  },
): Promise<Playground> {
  const { whyNotReady, sandbox, advance, routes } = parts;
  const { createPlayground } = await import('bolt-playground');
  const { icon, oneWorkspace, pageTexts, twoWorkspaces } = await import('./playground-world.ts');
  const { host, port, playgroundDelivery, playgroundWorkspaces, dataDir, isAgent } = config;
  const hasMany = playgroundWorkspaces > 1;
  const health = (request: Request) => {
    const { status, body } = answerHealth(new URL(request.url).pathname, whyNotReady);
    return Response.json(body, { status });
  };
  return createPlayground({
    host,
    port,
    mode: playgroundDelivery,
    imageTimeoutMs: pictureTimeoutMs,
    ...(playgroundRateLimit === false && { rateLimit: playgroundRateLimit }),
    manifest: await readManifest(config),
    icon,
    page: { ...pageTexts, ...(sandbox && { notice: 'The people, vessels and figures are invented.' }) },
    routes: { '/healthz': health, '/readyz': health, ...routes },
    onError: (error) => logger.warn({ err: error }, "the playground's messages can't be saved"),
    ...(sandbox && {
      clock: { ...sandbox.clock, advance },
      service: { observe: sandbox.observe, faults: sandbox.faultSwitches },
    }),
    // manifest.yml is that of an internal app, whose scopes nobody can decline.
    ...(hasMany
      ? {
          workspaces: twoWorkspaces(),
          oauth: { optionalScopes: optionalScopes({ isHttp: true, isAgent }) },
        }
      : { world: oneWorkspace() }),
    ...(dataDir && { dataFile: join(dataDir, 'playground', hasMany ? 'slack-many.json' : 'slack.json') }),
  });
}

async function readManifest({ isAgent }: Config): Promise<string> {
  const text = await readFile(new URL('../../manifest.yml', import.meta.url), 'utf8');
  if (!isAgent) return text;
  const { stringify } = await import('yaml');
  const { asAgent, socketManifest } = await import('./manifest.ts');
  return stringify(asAgent(socketManifest(text)));
}

const stepMs = 15 * 60_000;

/** Advances the sandbox's clock a quarter of an hour at a time, and runs due work after each step. */
export async function advanceWorld(
  { clock }: Sandbox,
  { hours, runDue }: { hours: number; runDue: () => Promise<void> },
): Promise<void> {
  for (let leftMs = hours * 3_600_000; leftMs > 0; leftMs -= stepMs) {
    clock.advance(Math.min(stepMs, leftMs));
    await runDue();
  }
}

/** Slack as the bot uses it: that of the settings, or the playground. */
export function slackOf(
  { slack, playgroundDelivery: mode }: Config,
  playground: Playground | undefined,
): SlackConfig {
  if (!playground) {
    if (slack === 'playground') throw new Error('the playground has not been started');
    return slack;
  }
  const { botToken, signingSecret, appToken, apiUrl, oauth } = playground;
  // The address of the bot's server, once it listens, becomes the public one.
  if (oauth) return { kind: 'many', ...oauth, signingSecret, apiUrl, publicUrl: '', links: {} };
  const inSocketMode = mode === 'socket' ? { appToken } : { appToken: undefined };
  return { kind: 'one', mode, botToken, signingSecret, ...inSocketMode, apiUrl };
}

/** The playground listens on HOST and PORT and serves the health pages, so the bot needs a port only for HTTP. */
export function listenOf({ slack, host, port }: Config, used: SlackConfig) {
  if (slack !== 'playground') return { host, port };
  if (used.kind === 'many') return { host, port: port === 0 ? 0 : port + 1 };
  return used.mode === 'http' ? { host: '127.0.0.1', port: 0 } : undefined;
}

/** Browsers and assistants reach this process under these names. */
export const hostsOf = ({ publicUrl, host }: Config): string[] => [
  'localhost',
  '127.0.0.1',
  '[::1]',
  host.includes(':') ? `[${host}]` : host,
  ...(publicUrl === undefined ? [] : [new URL(publicUrl).hostname]),
];
