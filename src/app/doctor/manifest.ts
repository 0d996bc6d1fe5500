import { parse } from 'yaml';
import { networkReasonOf } from '../../errors.ts';
import { commands, features as ours } from '../../features/index.ts';
import { linkDomains } from '../../features/links/index.ts';
import { exportManifest } from '../../slack/connection/clients.ts';
import { botEvents, scopesOf } from '../../slack/install/scopes.ts';
import { steps } from '../../slack/steps/steps.ts';
import { asAgent, httpManifest, Manifest, publicManifest, socketManifest } from '../manifest.ts';
import { type Checkup, type Finding, fail, inWords, pass, type Section, warn } from './finding.ts';
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
  const shortcuts = ours.flatMap(({ shortcuts: some = [] }) => some);
  return {
    ...file,
    features: {
      ...file.features,
      slash_commands: commands.flatMap(({ name, summary, usageHint, isUnderLandfall }) =>
        isUnderLandfall
          ? []
          : {
              command: `/${name}`,
              description: summary,
              usage_hint: usageHint,
              should_escape: true,
            },
      ),
      unfurl_domains: [...linkDomains],
      shortcuts: shortcuts.map(({ id, kind }) => ({ callback_id: id, type: kind })),
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

interface Difference {
  /** Something of Landfall does not work. */
  isBreaking: boolean;
  /** Begins with a verb: `lacks the command /lane`. */
  text: string;
}

/** What an app with one manifest does otherwise than with another. Names and pictures don't count. */
const manifestDifferences = (found: Manifest, wanted: Manifest): Difference[] => [
  ...commandDifferences(found, wanted),
  ...stepDifferences(found, wanted),
  ...inLists('shortcut', shortcutsOf(found), shortcutsOf(wanted)),
  ...inLists('link domain', domainsOf(found), domainsOf(wanted)),
  ...inLists('scope', scopeNames(found), scopeNames(wanted)),
  ...inLists('event', eventsOf(found), eventsOf(wanted)),
  ...switchDifferences(found, wanted),
  ...addressDifferences(found, wanted),
];

const shortcutsOf = ({ features }: Manifest) =>
  features.shortcuts.map(({ type, callback_id }) => `${callback_id} (${type})`);
const domainsOf = ({ features }: Manifest) => features.unfurl_domains;
const scopeNames = ({ oauth_config: { scopes } }: Manifest) => [
  ...new Set([...scopes.bot, ...(scopes.bot_optional ?? [])]),
];
const eventsOf = ({ settings }: Manifest) => settings.event_subscriptions.bot_events;
const commandsOf = ({ features }: Manifest) => features.slash_commands.map(({ command }) => command);

const inLists = (noun: string, found: readonly string[], wanted: readonly string[]): Difference[] => [
  ...ifAny(without(wanted, found), true, (missing) => `lacks ${named(noun, missing)}`),
  ...ifAny(
    without(found, wanted),
    false,
    (unknown) => `has ${named(noun, unknown)}, which Landfall doesn't use`,
  ),
];

const without = (items: readonly string[], others: readonly string[]) =>
  items.filter((item) => !others.includes(item));

const ifAny = (items: string[], isBreaking: boolean, text: (items: string[]) => string): Difference[] =>
  items.length === 0 ? [] : [{ isBreaking, text: text(items) }];

const named = (noun: string, items: readonly string[]): string =>
  `the ${noun}${items.length === 1 ? '' : 's'} ${inWords(items)}`;

function commandDifferences(found: Manifest, wanted: Manifest): Difference[] {
  const pairs = wanted.features.slash_commands.flatMap((ours) => {
    const theirs = found.features.slash_commands.find(({ command }) => command === ours.command);
    return theirs ? [{ ours, theirs }] : [];
  });
  const namesWhere = (differs: (pair: (typeof pairs)[number]) => boolean) =>
    pairs.filter(differs).map(({ ours }) => ours.command);
  const unescaped = namesWhere(({ ours, theirs }) => ours.should_escape && !theirs.should_escape);
  const reworded = namesWhere(
    ({ ours, theirs }) =>
      plain(ours.description) !== plain(theirs.description) ||
      plain(ours.usage_hint) !== plain(theirs.usage_hint),
  );
  return [
    ...inLists('command', commandsOf(found), commandsOf(wanted)),
    ...ifAny(unescaped, true, (names) => `doesn't escape channels and people in ${inWords(names)}`),
    ...ifAny(reworded, false, (names) => `has an old description or usage hint for ${inWords(names)}`),
  ];
}

/** The fields of a step count, since workflows that people made fill them in and use them. */
function stepDifferences({ functions: found = {}, ...theirs }: Manifest, wanted: Manifest): Difference[] {
  const { functions: ours = {}, settings } = wanted;
  const changed = Object.entries(ours).flatMap(([id, step]) => {
    const other = found[id];
    return other && fieldsOf(other) !== fieldsOf(step) ? [id] : [];
  });
  const runtime = theirs.settings.function_runtime;
  const isElsewhere = settings.function_runtime !== undefined && runtime !== settings.function_runtime;
  return [
    ...inLists('custom step', Object.keys(found), Object.keys(ours)),
    ...ifAny(changed, true, (ids) => `has other fields for ${named('custom step', ids)}`),
    ...(isElsewhere
      ? [{ isBreaking: true, text: `doesn't run custom steps here (function_runtime: ${runtime ?? 'none'})` }]
      : []),
  ];
}

/** Names and types. */
function fieldsOf({ input_parameters, output_parameters }: NonNullable<Manifest['functions']>[string]) {
  const all = [input_parameters, output_parameters].map((fields) =>
    Object.entries(fields)
      .map(([name, { type }]) => `${name} ${type}`)
      .toSorted(),
  );
  return JSON.stringify(all);
}

/** Slack may return these characters escaped. */
const plain = (text: string | undefined): string =>
  (text ?? '').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

const switches: Record<string, (manifest: Manifest) => boolean> = {
  'Socket Mode': ({ settings }) => settings.socket_mode_enabled,
  interactivity: ({ settings }) => settings.interactivity.is_enabled,
  'the Home tab': ({ features }) => features.app_home.home_tab_enabled,
  'the agent view': ({ features }) => features.agent_view !== undefined,
  'the Messages tab': ({ features }) => features.app_home.messages_tab_enabled,
  'installation for whole organisations': ({ settings }) => settings.org_deploy_enabled,
};

function switchDifferences(found: Manifest, wanted: Manifest): Difference[] {
  return Object.entries(switches)
    .filter(([, isOn]) => isOn(found) !== isOn(wanted))
    .map(([name, isOn]) => ({ isBreaking: true, text: `turns ${name} ${isOn(found) ? 'on' : 'off'}` }));
}

function addressDifferences(found: Manifest, wanted: Manifest): Difference[] {
  // In Socket Mode Slack doesn't use them.
  if (wanted.settings.socket_mode_enabled) return [];
  const addresses = (manifest: Manifest): Record<string, string | undefined> => ({
    events: manifest.settings.event_subscriptions.request_url,
    interactivity: manifest.settings.interactivity.request_url,
    ...Object.fromEntries(manifest.features.slash_commands.map(({ command, url }) => [command, url])),
  });
  const [theirs, ours] = [addresses(found), addresses(wanted)];
  const wrong = Object.keys(ours).filter((name) => name in theirs && theirs[name] !== ours[name]);
  const byAddress = Map.groupBy(wrong, (name) => theirs[name] ?? '');
  const requests = [...byAddress].map(([address, names]) => ({
    isBreaking: true,
    text: `sends ${inWords(names)} to ${address || 'no address'} instead of ${ours[names[0] ?? ''] ?? ''}`,
  }));
  const [redirect] = wanted.oauth_config.redirect_urls ?? [];
  const hasRedirect = redirect === undefined || found.oauth_config.redirect_urls?.includes(redirect);
  return hasRedirect
    ? requests
    : [...requests, { isBreaking: true, text: `lacks the redirect URL ${redirect}` }];
}
