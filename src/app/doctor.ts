import { parse } from 'yaml';
import { z } from 'zod';
import { createAnalyticsClient } from '../analytics/client.ts';
import { type Config, ConfigError, createConfig } from '../config/config.ts';
import { envFileWarnings } from '../config/warnings.ts';
import { isImo } from '../reference/imo.ts';
import { checkTokens } from '../slack/connection/check-tokens.ts';
import { listCommands } from './terminal.ts';

/** One line of the doctor's report. `step` says what to do about a fault. */
export interface Finding {
  ok: boolean;
  /** It works, but is risky; `what` says how to change it. */
  isWarning?: true;
  what: string;
  step?: string;
}

interface Subject {
  env: Record<string, string | undefined>;
  /** The path of `.env`; undefined: not checked. */
  envFile?: string;
  /** The text of manifest.yml. */
  manifest: string;
}

const Manifest = z.object({
  features: z.object({ slash_commands: z.array(z.object({ command: z.string() })) }),
  oauth_config: z.object({ scopes: z.object({ bot: z.array(z.string()) }) }),
});

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** Checks settings, manifest, Slack tokens and the service, in the order in which they are needed. */
export async function* diagnose({ env, envFile, manifest }: Subject): AsyncGenerator<Finding> {
  const config = settingsOf(env);
  if (config instanceof ConfigError) {
    for (const fault of config.faults)
      yield { ok: false, what: fault, step: 'Set it in .env (see .env.example).' };
    return;
  }
  yield { ok: true, what: 'Settings can be read' };
  for (const what of [...config.warnings, ...(envFile ? envFileWarnings(envFile) : [])])
    yield { ok: true, isWarning: true, what };
  const read = Manifest.safeParse(parse(manifest));
  yield checkManifest(read.data);
  yield await checkSlack(config, read.data?.oauth_config.scopes.bot ?? []);
  yield await checkService(config);
}

function settingsOf(env: Subject['env']): Config | ConfigError {
  try {
    return createConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
}

function checkManifest(manifest: z.output<typeof Manifest> | undefined): Finding {
  const declared = new Set(manifest?.features.slash_commands.map(({ command }) => command));
  const missing = listCommands()
    .filter(({ isUnderLandfall }) => !isUnderLandfall)
    .map(({ name }) => `/${name}`)
    .filter((command) => !declared.has(command));
  if (missing.length === 0) return { ok: true, what: `manifest.yml declares all ${declared.size} commands` };
  return {
    ok: false,
    what: `manifest.yml lacks ${missing.join(', ')}`,
    step: 'Run npm run manifest, then paste manifest.yml under «App Manifest» of your Slack app.',
  };
}

async function checkSlack({ slack }: Config, scopes: readonly string[]): Promise<Finding> {
  if (slack === 'playground')
    return {
      ok: true,
      what: 'No Slack settings: npm start opens the playground (README: your own Slack workspace)',
    };
  try {
    const { workspace, missingScopes } = await checkTokens(slack, scopes);
    const mode = slack.mode === 'socket' ? 'Socket Mode' : 'HTTP';
    if (missingScopes.length === 0) return { ok: true, what: `Slack knows the app: ${workspace} (${mode})` };
    return {
      ok: false,
      what: `The Slack app of ${workspace} lacks the scopes ${missingScopes.join(', ')}`,
      step: 'Add them under «OAuth & Permissions» (or paste manifest.yml) and reinstall the app.',
    };
  } catch (error) {
    return {
      ok: false,
      what: `Slack refused: ${messageOf(error)}`,
      step: 'Copy SLACK_BOT_TOKEN (OAuth & Permissions) and SLACK_APP_TOKEN (Basic Information) again.',
    };
  }
}

/** Asks about one well-known vessel, EVER GIVEN. */
async function checkService({ analytics, timeoutMs }: Config): Promise<Finding> {
  if (analytics === 'sandbox')
    return { ok: true, what: 'No analytics account: answers come from the sandbox, invented data' };
  const imo = 9811000;
  if (!isImo(imo)) throw new Error('unreachable: 9811000 has seven digits');
  try {
    await createAnalyticsClient({ ...analytics, timeoutMs, now: () => new Date() }).vesselPredictions(imo, {
      fresh: true,
    });
    return { ok: true, what: `The service answers at ${new URL(analytics.baseUrl).host}` };
  } catch (error) {
    return {
      ok: false,
      what: `The service did not answer: ${messageOf(error)}`,
      step: 'Check ANALYTICS_BASE_URL, ANALYTICS_API_KEY, ANALYTICS_USER_ID and ANALYTICS_PASSWORD.',
    };
  }
}
