import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Manifest } from '../manifest.ts';
import type { Playground } from '../options.ts';
import { createPlayground } from '../playground.ts';
import { twoWorkspaces } from '../world/worlds.ts';
import { appEnvironment, appVariables } from './app-environment.ts';
import { type AppProcess, startApp } from './app-process.ts';
import type { Arguments } from './arguments.ts';
import { findManifest } from './find-manifest.ts';
import { UsageError } from './usage-error.ts';

const POLL_MS = 200;
const say = (line: string) => process.stdout.write(`${line}\n`);

/** Runs until the app ends, or Ctrl-C. Resolves to the status to exit with. Throws UsageError. */
export async function runPlayground(args: Arguments): Promise<number> {
  const { text, manifest } = findManifest(args.manifest);
  const mode = args.mode ?? (args.hasTwoWorkspaces ? 'http' : manifest.mode);
  const slack = await start(args, { text, manifest, mode });
  const stopping = new AbortController();
  try {
    say(`The local Slack is at ${slack.url}`);
    for (const warning of warningsOf(manifest, mode)) say(`! ${warning}`);
    const variables = appVariables(slack, { mode, port: args.appPort, redirects: args.redirects });
    if (args.showsEnv || args.command.length === 0) showVariables(variables, args);
    const stop = untilStopped();
    if (mode === 'http') void connectToApp(slack, { manifest, args, signal: stopping.signal });
    if (args.command.length === 0) {
      await stop.signalled;
      return 0;
    }
    const app = startApp(args.command, {
      env: appEnvironment(variables),
      print: (line) => say(`app │ ${line}`),
    });
    return await untilEnded(app, stop);
  } finally {
    stopping.abort();
    await slack.close();
  }
}

async function start(
  { port, appPort, hasTwoWorkspaces, dataDir }: Arguments,
  { text, manifest, mode }: { text: string; manifest: Manifest; mode: 'socket' | 'http' },
): Promise<Playground> {
  const file = hasTwoWorkspaces ? 'two-workspaces.json' : 'workspace.json';
  try {
    return await createPlayground({
      mode,
      port,
      manifest: text,
      ...(hasTwoWorkspaces && {
        workspaces: twoWorkspaces(manifest.names),
        oauth: { redirectUrls: redirectUrlsOf(manifest, appPort) },
      }),
      ...(dataDir && { dataFile: join(dataDir, file) }),
      onError: (error) => say(`! Messages can't be stored: ${error}`),
    });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')
      throw new UsageError(`Port ${port} is in use. Choose another one with --port.`);
    throw error;
  }
}

/** Those of the manifest, at the app's local address, and that of Bolt. Without a choice of the app, the first counts. */
function redirectUrlsOf({ redirectUrls }: Manifest, appPort: number): string[] {
  const paths = redirectUrls.flatMap((url) => (URL.canParse(url) ? [new URL(url).pathname] : []));
  const origins = ['localhost', '127.0.0.1'].map((host) => `http://${host}:${appPort}`);
  return origins.flatMap((origin) => [...paths, '/slack/oauth_redirect', '/'].map((path) => origin + path));
}

function showVariables(variables: Record<string, string>, { command }: Arguments): void {
  if (command.length === 0) say('Start your app in another terminal with:\n');
  for (const [name, value] of Object.entries(variables)) say(`export ${name}='${value}'`);
  say(command.length === 0 ? '\nCtrl-C stops the local Slack.' : '');
}

function warningsOf({ requestPaths, missing }: Manifest, mode: 'socket' | 'http'): readonly string[] {
  const [first, ...others] = requestPaths;
  if (mode === 'socket' || others.length === 0) return missing;
  return [
    ...missing,
    `The manifest has several request URLs; all requests go to ${first}, none to ${others.join(', ')}.`,
  ];
}

/** Gives the local Slack the app's address once the app listens there. */
async function connectToApp(
  slack: Playground,
  { manifest, args, signal }: { manifest: Manifest; args: Arguments; signal: AbortSignal },
): Promise<void> {
  const origin = `http://localhost:${args.appPort}`;
  const requestUrl = origin + (manifest.requestPaths[0] ?? '/slack/events');
  while (!(await isListening(args.appPort))) {
    if (signal.aborted) return;
    await delay(POLL_MS, undefined, { ref: false });
  }
  slack.setRequestUrl(requestUrl);
  slack.oauth?.setInstallUrl(`${origin}/slack/install`);
  if (await slack.verifyRequestUrl()) say(`Requests go to ${requestUrl}`);
  else if (!signal.aborted)
    say(
      `! ${requestUrl} doesn't answer Slack's challenge: is this the app, and does it use SLACK_SIGNING_SECRET?`,
    );
  if (slack.oauth) say(`People install the app at ${origin}/slack/install`);
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: 'localhost' });
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

interface Stop {
  signalled: Promise<NodeJS.Signals>;
}

function untilStopped(): Stop {
  const { promise, resolve } = Promise.withResolvers<NodeJS.Signals>();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve(signal));
  return { signalled: promise };
}

async function untilEnded(app: AppProcess, { signalled }: Stop): Promise<number> {
  const first = await Promise.race([app.ended, signalled]);
  if (typeof first === 'number') {
    say(`The app has ended with status ${first}.`);
    return first;
  }
  app.stop(first);
  await app.ended;
  return 0;
}
