import { z } from 'zod';
import {
  headerText,
  pageOrMailbox,
  publicOrigin,
  type Reading,
  type Settings,
  trueOrFalse,
  urlOr,
} from './setting.ts';

export const slackSettings = {
  SLACK_BOT_TOKEN: {
    schema: headerText().startsWith('xoxb-', 'a bot token: it starts with xoxb-').optional(),
    secret: true,
    description:
      'Bot token of your Slack app (OAuth & Permissions), for one workspace. Without Slack settings the playground starts.',
  },
  SLACK_SIGNING_SECRET: {
    schema: z.string().min(8, 'the signing secret of your Slack app').optional(),
    secret: true,
    description:
      'Signing secret of your Slack app (Basic Information). Needed unless SLACK_APP_TOKEN is set.',
  },
  SLACK_APP_TOKEN: {
    schema: headerText().startsWith('xapp-', 'an app-level token: it starts with xapp-').optional(),
    secret: true,
    description:
      'App-level token with connections:write. When set, Socket Mode is used and no public address is needed.',
  },
  SLACK_CLIENT_ID: {
    schema: headerText().optional(),
    description:
      'Client ID of your Slack app (Basic Information), for many workspaces: each installs the app with “Add to Slack”. Needs SLACK_CLIENT_SECRET, SLACK_SIGNING_SECRET and PUBLIC_URL, and no tokens.',
  },
  SLACK_CLIENT_SECRET: {
    schema: headerText().optional(),
    secret: true,
    description: 'Client secret of your Slack app (Basic Information). Needed with SLACK_CLIENT_ID.',
  },
  PUBLIC_URL: {
    schema: publicOrigin().optional(),
    description:
      'Address at which browsers and Slack reach this bot, such as https://landfall.example.com. Needed with SLACK_CLIENT_ID, and for maps: Slack fetches them from there. http only on loopback.',
  },
  PRIVACY_URL: {
    schema: pageOrMailbox().optional(),
    description: 'Your privacy policy: a link on the page where workspaces install the app.',
  },
  SUPPORT_URL: {
    schema: pageOrMailbox().optional(),
    description:
      'Where people get help: an https address, or mailto: and a mail address. A link on the same page.',
  },
  STATUS_URL: {
    schema: pageOrMailbox().optional(),
    description: 'Where you report outages: a link on the same page.',
  },
  SLACK_AGENT: {
    schema: trueOrFalse,
    description:
      '`true` if the Slack app is declared an agent (`npm run manifest -- --agent`, see docs/agent.md): direct messages then have suggested prompts and a status, and are answered in threads. Also for the embedded Slack.',
  },
  SLACK_API_URL: {
    schema: urlOr('playground').optional(),
    description:
      "Where Slack's Web API is (default https://slack.com/api/), or `playground` for the embedded Slack, which then listens on HOST.",
  },
  SLACK_CONFIG_TOKEN: {
    schema: headerText()
      .startsWith('xoxe.xoxp-', 'an app configuration token: it starts with xoxe.xoxp-')
      .optional(),
    secret: true,
    description:
      'Only for `npm run doctor`, which then compares the manifest of your Slack app with what Landfall needs: an app configuration token (api.slack.com/apps), which lasts 12 hours.',
  },
  SLACK_APP_ID: {
    schema: z
      .string()
      .regex(/^A[A-Z0-9]+$/, 'the App ID of your Slack app: it starts with A')
      .optional(),
    description: 'Only for `npm run doctor`, with SLACK_CONFIG_TOKEN: the App ID (Basic Information).',
  },
} satisfies Settings;

export type SlackConfig = OneWorkspaceConfig | ManyWorkspacesConfig;

/** The bot token is in the settings; nothing of the installation is stored. */
export interface OneWorkspaceConfig {
  kind: 'one';
  mode: 'socket' | 'http';
  botToken: string;
  signingSecret: string | undefined;
  appToken: string | undefined;
  apiUrl: string;
}

/** Each workspace installs the app by OAuth; Slack delivers over HTTP. */
export interface ManyWorkspacesConfig {
  kind: 'many';
  clientId: string;
  clientSecret: string;
  signingSecret: string;
  /** An origin, without a final slash. */
  publicUrl: string;
  apiUrl: string;
  /** Slack's consent page. */
  authorizationUrl: string;
  links: PublicLinks;
}

/** For the page where workspaces install the app. */
export interface PublicLinks {
  privacy?: string | undefined;
  support?: string | undefined;
  status?: string | undefined;
}

type SlackReading = Reading<typeof slackSettings>;

const defaultApiUrl = 'https://slack.com/api/';

const slackKeys = [
  'SLACK_BOT_TOKEN',
  'SLACK_SIGNING_SECRET',
  'SLACK_APP_TOKEN',
  'SLACK_CLIENT_ID',
  'SLACK_CLIENT_SECRET',
] as const;

/** `playground`: the embedded Slack. */
export function chooseSlack(
  reading: SlackReading,
  { isProduction }: { isProduction: boolean },
): SlackConfig | 'playground' {
  const { values, has, problems } = reading;
  const isPlaygroundNamed = values.SLACK_API_URL === 'playground';
  const given = slackKeys.filter(has);
  const isSlackGiven = given.length > 0 || (values.SLACK_API_URL !== undefined && !isPlaygroundNamed);
  if (isPlaygroundNamed && given.length > 0)
    problems.push(`SLACK_API_URL is playground, so ${given.join(', ')} must not be set`);
  if (!isPlaygroundNamed && !isSlackGiven && isProduction)
    problems.push(
      'SLACK_BOT_TOKEN is needed in production, or SLACK_CLIENT_ID for many workspaces (or SLACK_API_URL=playground for the embedded Slack)',
    );
  if (isPlaygroundNamed || !isSlackGiven) return 'playground';
  return has('SLACK_CLIENT_ID') || has('SLACK_CLIENT_SECRET')
    ? manyWorkspaces(reading)
    : oneWorkspace(reading);
}

function oneWorkspace({ values, has, problems }: SlackReading): OneWorkspaceConfig {
  if (!has('SLACK_BOT_TOKEN'))
    problems.push('SLACK_BOT_TOKEN is missing, though other Slack settings are given: it starts with xoxb-');
  if (!has('SLACK_APP_TOKEN') && !has('SLACK_SIGNING_SECRET'))
    problems.push('SLACK_SIGNING_SECRET is missing (or set SLACK_APP_TOKEN to use Socket Mode)');
  return {
    kind: 'one',
    mode: values.SLACK_APP_TOKEN ? 'socket' : 'http',
    botToken: values.SLACK_BOT_TOKEN ?? '',
    signingSecret: values.SLACK_SIGNING_SECRET,
    appToken: values.SLACK_APP_TOKEN,
    apiUrl: values.SLACK_API_URL ?? defaultApiUrl,
  };
}

function manyWorkspaces({ values, has, problems }: SlackReading): ManyWorkspacesConfig {
  const mode = 'SLACK_CLIENT_ID (many workspaces)';
  if (has('SLACK_BOT_TOKEN'))
    problems.push(
      `SLACK_BOT_TOKEN is for one workspace, and ${mode} gets a token at each install: remove one`,
    );
  if (has('SLACK_APP_TOKEN'))
    problems.push(`SLACK_APP_TOKEN is for Socket Mode, and ${mode} needs HTTP delivery: remove one`);
  for (const name of ['SLACK_CLIENT_ID', 'SLACK_CLIENT_SECRET', 'SLACK_SIGNING_SECRET'] as const)
    if (!has(name))
      problems.push(`${name} is missing: many workspaces need it (Basic Information of your Slack app)`);
  if (!has('PUBLIC_URL'))
    problems.push(
      'PUBLIC_URL is missing: Slack sends people back there after an install, such as https://landfall.example.com',
    );
  const apiUrl = values.SLACK_API_URL ?? defaultApiUrl;
  return {
    kind: 'many',
    clientId: values.SLACK_CLIENT_ID ?? '',
    clientSecret: values.SLACK_CLIENT_SECRET ?? '',
    signingSecret: values.SLACK_SIGNING_SECRET ?? '',
    publicUrl: values.PUBLIC_URL ?? '',
    apiUrl,
    authorizationUrl: URL.parse('/oauth/v2/authorize', apiUrl)?.href ?? '',
    links: { privacy: values.PRIVACY_URL, support: values.SUPPORT_URL, status: values.STATUS_URL },
  };
}

/** What works, but is risky or refused by the Slack Marketplace. */
export function slackWarnings(
  slack: SlackConfig | 'playground',
  { isStored }: { isStored: boolean },
): string[] {
  if (slack === 'playground' || slack.kind === 'one') return [];
  const links = { PRIVACY_URL: slack.links.privacy, SUPPORT_URL: slack.links.support };
  const missing = Object.entries(links).flatMap(([name, link]) => (link === undefined ? [name] : []));
  return [
    ...(isStored
      ? []
      : ['LANDFALL_DATA_DIR is :memory:, so every workspace has to install the app again after a restart.']),
    ...(missing.length === 0
      ? []
      : [`The page where workspaces install the app has no link for ${missing.join(' and ')}.`]),
  ];
}
