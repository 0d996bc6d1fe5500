import { parse } from 'yaml';
import { networkReasonOf } from '../../errors.ts';
import { linkDomains } from '../../features/links/index.ts';
import { exportManifest } from '../../slack/connection/one-time-client.ts';
import { botEvents, scopesOf } from '../../slack/install/scopes.ts';
import { steps } from '../../slack/steps/declarations.ts';
import { asAgent, httpManifest, Manifest, publicManifest, socketManifest } from '../manifest.ts';
import { listCommands, listShortcuts } from '../terminal.ts';
import { type Checkup, type Finding, fail, pass, type Section, warn } from './finding.ts';
import { type Difference, manifestDifferences } from './manifest-differences.ts';
import { setAgent } from './slack.ts';

/** Compares manifest.yml with this version of Landfall, then the Slack app with manifest.yml. */
export const checkManifest: Section = async (checkup) => [
  ...checkFile(checkup.manifest),
  ...(await checkApp(checkup)),
];

const useOurs = 'Take manifest.yml of this version; npm run manifest writes its commands and steps.';

function checkFile(text: string): Finding[] {
  const { data: file } = Manifest.safeParse(parseYaml(text));
  if (!file) return [fail("manifest.yml isn't the manifest of a Slack app", useOurs)];
  const findings = manifestDifferences(file, withOurParts(file)).map((difference) =>
    finding('manifest.yml', difference, useOurs),
  );
  if (findings.length > 0) return findings;
  const { features, oauth_config } = file;
  return [
    pass(
      `manifest.yml fits this version: ${features.slash_commands.length} commands, ${oauth_config.scopes.bot.length} scopes`,
    ),
  ];
}

/** The same manifest, with what comes from the code. */
function withOurParts(file: Manifest): Manifest {
  const commands = listCommands().filter(({ isUnderLandfall }) => !isUnderLandfall);
  return {
    ...file,
    features: {
      ...file.features,
      slash_commands: commands.map(({ name, summary, usage }) => ({
        command: `/${name}`,
        description: summary,
        usage_hint: usage ?? '',
        should_escape: true,
      })),
      unfurl_domains: [...linkDomains],
      shortcuts: listShortcuts().map(({ id, kind }) => ({ callback_id: id, type: kind })),
    },
    functions: { ...steps },
    oauth_config: { ...file.oauth_config, scopes: { bot: scopesOf({ isHttp: false, isAgent: false }) } },
    settings: {
      ...file.settings,
      function_runtime: 'remote',
      event_subscriptions: { ...file.settings.event_subscriptions, bot_events: [...botEvents] },
    },
  };
}

function finding(subject: string, { isBreaking, text }: Difference, remedy: string): Finding {
  return isBreaking ? fail(`${subject} ${text}`, remedy) : warn(`${subject} ${text}`, remedy);
}

async function checkApp({ config, manifest }: Checkup): Promise<Finding[]> {
  const { slack, publicUrl } = config;
  const { configToken, appId } = config.slackApp;
  if (slack === 'playground') return [];
  if (configToken === undefined || appId === undefined)
    return [
      pass(
        'The manifest of the Slack app itself is compared only if SLACK_CONFIG_TOKEN and SLACK_APP_ID are set',
      ),
    ];
  let answer: Awaited<ReturnType<typeof exportManifest>>;
  try {
    answer = await exportManifest({ apiUrl: slack.apiUrl, configToken, appId });
  } catch (error) {
    return [warn(`The Slack app's manifest can't be read: ${networkReasonOf(error)}`, 'Try again later.')];
  }
  if ('refusal' in answer) return [refused(answer.refusal)];
  const { data: app } = Manifest.safeParse(answer.manifest);
  if (!app) return [warn("The Slack app's manifest can't be understood", 'Compare it with manifest.yml.')];
  const origin = publicUrl ?? originOf(app.settings.event_subscriptions.request_url) ?? 'https://your.host';
  const isAgent = app.features.agent_view !== undefined;
  const [plain, words] =
    slack.kind === 'many'
      ? [
          publicManifest(manifest, { origin, rotation: app.settings.token_rotation_enabled }),
          ['--public', origin],
        ]
      : slack.mode === 'http'
        ? [httpManifest(manifest, origin), [origin]]
        : [socketManifest(manifest), []];
  const typed = [...(config.isAgent ? ['--agent'] : []), ...words].join(' ');
  const source = typed === '' ? 'manifest.yml' : `what npm run manifest -- ${typed} prints`;
  const remedy = `Paste ${source} under “App Manifest” of your Slack app, then reinstall it.`;
  const wanted = Manifest.parse(config.isAgent || isAgent ? asAgent(plain) : plain);
  const findings = [
    ...(isAgent && !config.isAgent
      ? [warn('The Slack app is declared an agent, but SLACK_AGENT is not set', setAgent)]
      : []),
    ...manifestDifferences(app, wanted).map((difference) => finding('The Slack app', difference, remedy)),
  ];
  return findings.length > 0 ? findings : [pass('The Slack app has the manifest that these settings need')];
}

const refused = (code: string): Finding =>
  code === 'invalid_auth' || code === 'token_expired' || code === 'not_authed'
    ? warn(
        `Slack refuses SLACK_CONFIG_TOKEN (${code}): it lasts 12 hours`,
        'Make a new one at api.slack.com/apps under “Your App Configuration Tokens”, or remove it.',
      )
    : warn(
        `Slack doesn't give the manifest of SLACK_APP_ID (${code})`,
        'Copy the App ID from “Basic Information”; the token has to be of a person who may edit that app.',
      );

const originOf = (url: string | undefined): string | undefined => URL.parse(url ?? '')?.origin;

function parseYaml(text: string): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}
