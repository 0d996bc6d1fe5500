import type { Manifest } from '../manifest.ts';
import { inWords } from './finding.ts';

export interface Difference {
  /** Something of Landfall does not work. */
  isBreaking: boolean;
  /** Begins with a verb: `lacks the command /lane`. */
  text: string;
}

/** What an app with one manifest does otherwise than with another. Names and pictures don't count. */
export const manifestDifferences = (found: Manifest, wanted: Manifest): Difference[] => [
  ...commandDifferences(found, wanted),
  ...stepDifferences(found, wanted),
  ...inLists('shortcut', shortcutsOf(found), shortcutsOf(wanted)),
  ...inLists('link domain', domainsOf(found), domainsOf(wanted)),
  ...inLists('scope', scopesOf(found), scopesOf(wanted)),
  ...inLists('event', eventsOf(found), eventsOf(wanted)),
  ...switchDifferences(found, wanted),
  ...addressDifferences(found, wanted),
];

const shortcutsOf = ({ features }: Manifest) =>
  features.shortcuts.map(({ type, callback_id }) => `${callback_id} (${type})`);
const domainsOf = ({ features }: Manifest) => features.unfurl_domains;
const scopesOf = ({ oauth_config: { scopes } }: Manifest) => [
  ...new Set([...scopes.bot, ...(scopes.bot_optional ?? [])]),
];
const eventsOf = ({ settings }: Manifest) => settings.event_subscriptions.bot_events;
const commandsOf = ({ features }: Manifest) => features.slash_commands.map(({ command }) => command);

function inLists(noun: string, found: readonly string[], wanted: readonly string[]): Difference[] {
  const missing = wanted.filter((item) => !found.includes(item));
  const unknown = found.filter((item) => !wanted.includes(item));
  return [
    ...(missing.length === 0 ? [] : [{ isBreaking: true, text: `lacks ${named(noun, missing)}` }]),
    ...(unknown.length === 0
      ? []
      : [{ isBreaking: false, text: `has ${named(noun, unknown)}, which Landfall doesn't use` }]),
  ];
}

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
    ...(unescaped.length === 0
      ? []
      : [{ isBreaking: true, text: `doesn't escape channels and people in ${inWords(unescaped)}` }]),
    ...(reworded.length === 0
      ? []
      : [{ isBreaking: false, text: `has an old description or usage hint for ${inWords(reworded)}` }]),
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
    ...(changed.length === 0
      ? []
      : [{ isBreaking: true, text: `has other fields for ${named('custom step', changed)}` }]),
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
