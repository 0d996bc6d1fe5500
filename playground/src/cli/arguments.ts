import { parseArgs } from 'node:util';
import { UsageError } from './usage-error.ts';

export interface Arguments {
  /** The app's, and its arguments. Empty: only the local Slack is started. */
  command: readonly string[];
  manifest: string | undefined;
  mode: 'socket' | 'http' | undefined;
  port: number;
  appPort: number;
  dataDir: string | undefined;
  /** True for two workspaces, into which people install the app. */
  hasTwoWorkspaces: boolean;
  showsEnv: boolean;
  redirects: boolean;
}

export const USAGE = `Usage: bolt-playground [options] [-- command]

Starts a local Slack, and the command that starts your Bolt app, with the
environment that leads the app there. Without a command, it prints that
environment, for an app that you start yourself.

  npx bolt-playground -- npm start
  npx bolt-playground --manifest app/manifest.yml --mode http -- node app.js

  --manifest FILE   the app's manifest, in JSON or YAML
                    (default: manifest.json, manifest.yml or manifest.yaml)
  --mode MODE       socket or http (default: what the manifest says)
  --port PORT       of the local Slack and its page (default: 3900; 0: any)
  --app-port PORT   where the app listens for HTTP, as PORT (default: 3000)
  --workspaces 2    two workspaces, into which people install the app by OAuth
  --data DIR        stores messages and installations there
  --env             prints the app's environment before the app starts
  --no-redirect     doesn't redirect requests to slack.com: the app reads
                    SLACK_API_URL itself
  --help
`;

/** Throws UsageError. */
export function readArguments(argv: readonly string[]): Arguments | 'help' {
  const end = argv.indexOf('--');
  const own = end < 0 ? argv : argv.slice(0, end);
  const values = parse(own);
  if (values.help) return 'help';
  const { mode, workspaces = '1' } = values;
  if (mode !== undefined && mode !== 'socket' && mode !== 'http')
    throw new UsageError(`--mode is socket or http, not ${mode}.`);
  if (workspaces !== '1' && workspaces !== '2')
    throw new UsageError(`--workspaces is 1 or 2, not ${workspaces}.`);
  if (workspaces === '2' && mode === 'socket')
    throw new UsageError('--workspaces 2 needs --mode http: the local Slack has no OAuth in Socket Mode.');
  return {
    command: end < 0 ? [] : argv.slice(end + 1),
    manifest: values.manifest,
    mode,
    port: portOf('--port', values.port ?? '3900'),
    appPort: portOf('--app-port', values['app-port'] ?? '3000'),
    dataDir: values.data,
    hasTwoWorkspaces: workspaces === '2',
    showsEnv: values.env ?? false,
    redirects: !values['no-redirect'],
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        manifest: { type: 'string' },
        mode: { type: 'string' },
        port: { type: 'string' },
        'app-port': { type: 'string' },
        workspaces: { type: 'string' },
        data: { type: 'string' },
        env: { type: 'boolean' },
        'no-redirect': { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    }).values;
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : error}\n\n${USAGE}`);
  }
}

function portOf(option: string, text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535) throw new UsageError(`${option} isn't a port: ${text}`);
  return port;
}
