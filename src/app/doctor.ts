import { parse } from 'yaml';
import { z } from 'zod';
import { createAnalyticsClient } from '../analytics/client.ts';
import { createLogin } from '../analytics/login.ts';
import { type Config, ConfigError, createConfig, type ManyWorkspacesConfig } from '../config/config.ts';
import { envFileWarnings } from '../config/warnings.ts';
import { messageOf } from '../errors.ts';
import type { Imo } from '../reference/imo.ts';
import { checkTokens } from '../slack/connection/connect.ts';
import { checkClient } from '../slack/install/oauth-calls.ts';
import { listCommands } from './terminal.ts';

/** One line of the doctor's report. */
export interface Finding {
  ok: boolean;
  /** It works, but is risky; `text` says how to change it. */
  isWarning?: true;
  text: string;
  remedy?: string;
}

const pass = (text: string): Finding => ({ ok: true, text });
const fail = (text: string, remedy: string): Finding => ({ ok: false, text, remedy });

const Manifest = z.object({
  features: z.object({ slash_commands: z.array(z.object({ command: z.string() })) }),
  oauth_config: z.object({ scopes: z.object({ bot: z.array(z.string()) }) }),
});

/** Checks settings, manifest, Slack tokens and the service, in the order in which they are needed. */
export async function* diagnose(options: {
  env: Record<string, string | undefined>;
  /** The path of `.env`; undefined to skip its check. */
  envFile?: string;
  /** The text of manifest.yml. */
  manifest: string;
}): AsyncGenerator<Finding> {
  const { env, envFile, manifest } = options;
  let config: Config;
  try {
    config = createConfig(env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    for (const problem of error.problems) yield fail(problem, 'Set it in .env (see .env.example).');
    return;
  }
  yield pass('Settings can be read');
  for (const text of [...config.warnings, ...(envFile ? envFileWarnings(envFile) : [])])
    yield { ok: true, isWarning: true, text };
  const { data } = Manifest.safeParse(parse(manifest));
  yield checkManifest(data);
  yield await checkSlack(config, data?.oauth_config.scopes.bot ?? []);
  yield await checkService(config);
}

function checkManifest(manifest: z.output<typeof Manifest> | undefined): Finding {
  const declared = new Set(manifest?.features.slash_commands.map(({ command }) => command));
  const missing = listCommands()
    .filter(({ isUnderLandfall }) => !isUnderLandfall)
    .map(({ name }) => `/${name}`)
    .filter((command) => !declared.has(command));
  if (missing.length === 0) return pass(`manifest.yml declares all ${declared.size} commands`);
  return fail(
    `manifest.yml lacks ${missing.join(', ')}`,
    'Run npm run manifest, then paste manifest.yml under “App Manifest” of your Slack app.',
  );
}

async function checkSlack({ slack }: Config, scopes: readonly string[]): Promise<Finding> {
  if (slack === 'playground')
    return pass('No Slack settings: npm start opens the playground (README: your own Slack workspace)');
  if (slack.kind === 'many') return await checkSlackClient(slack);
  try {
    const { workspace, missingScopes } = await checkTokens(slack, scopes);
    const mode = slack.mode === 'socket' ? 'Socket Mode' : 'HTTP';
    if (missingScopes.length === 0) return pass(`Slack knows the app: ${workspace} (${mode})`);
    return fail(
      `The Slack app of ${workspace} lacks the scopes ${missingScopes.join(', ')}`,
      'Add them under “OAuth & Permissions” (or paste manifest.yml) and reinstall the app.',
    );
  } catch (error) {
    return fail(
      `Slack refused: ${messageOf(error)}`,
      'Copy SLACK_BOT_TOKEN (OAuth & Permissions) and SLACK_APP_TOKEN (Basic Information) again.',
    );
  }
}

async function checkSlackClient(slack: ManyWorkspacesConfig): Promise<Finding> {
  const install = `${slack.publicUrl}/slack/install`;
  try {
    const refusal = await checkClient(slack);
    if (refusal === undefined) return pass(`Slack knows the app; workspaces install it at ${install}`);
    return fail(
      `Slack refused the app: ${refusal}`,
      'Copy SLACK_CLIENT_ID and SLACK_CLIENT_SECRET (Basic Information) again.',
    );
  } catch (error) {
    return fail(`Slack did not answer: ${messageOf(error)}`, 'Check SLACK_API_URL and the network.');
  }
}

/** Asks about one well-known vessel, EVER GIVEN. */
async function checkService({ analytics, timeoutMs }: Config): Promise<Finding> {
  if (analytics === 'sandbox')
    return pass('No analytics account: answers come from the sandbox, invented data');
  if (!analytics)
    return pass('No analytics account in the settings: a workspace admin connects one in Slack');
  const everGiven = 9811000 as Imo; // seven digits
  try {
    const login = createLogin({ ...analytics, timeoutMs });
    const client = createAnalyticsClient({ login, now: () => new Date() });
    await client.vesselPredictions(everGiven, { fresh: true });
    return pass(`The service answers at ${new URL(analytics.baseUrl).host}`);
  } catch (error) {
    return fail(
      `The service did not answer: ${messageOf(error)}`,
      'Check ANALYTICS_BASE_URL, ANALYTICS_API_KEY, ANALYTICS_USER_ID and ANALYTICS_PASSWORD.',
    );
  }
}
