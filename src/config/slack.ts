import { z } from 'zod';
import { headerText, type Reading, type Settings, urlOr } from './setting.ts';

export const slackSettings = {
  SLACK_BOT_TOKEN: {
    schema: headerText().startsWith('xoxb-', 'a bot token: it starts with xoxb-').optional(),
    secret: true,
    description:
      'Bot token of your Slack app (OAuth & Permissions). Without Slack settings the playground starts.',
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
  SLACK_API_URL: {
    schema: urlOr('playground').optional(),
    description:
      "Where Slack's Web API is (default https://slack.com/api/), or `playground` for the embedded Slack, which then listens on HOST.",
  },
} satisfies Settings;

export interface SlackConfig {
  mode: 'socket' | 'http';
  botToken: string;
  signingSecret: string | undefined;
  appToken: string | undefined;
  apiUrl: string;
}

/** `playground`: the embedded Slack. */
export function chooseSlack(
  { values, has, problems }: Reading<typeof slackSettings>,
  { isProduction }: { isProduction: boolean },
): SlackConfig | 'playground' {
  const isPlaygroundNamed = values.SLACK_API_URL === 'playground';
  const hasTokens = has('SLACK_BOT_TOKEN') || has('SLACK_SIGNING_SECRET') || has('SLACK_APP_TOKEN');
  const isSlackGiven = hasTokens || (values.SLACK_API_URL !== undefined && !isPlaygroundNamed);
  if (isPlaygroundNamed && hasTokens)
    problems.push(
      'SLACK_API_URL is playground, so SLACK_BOT_TOKEN, _SIGNING_SECRET and _APP_TOKEN must not be set',
    );
  if (!isPlaygroundNamed && !isSlackGiven && isProduction)
    problems.push(
      'SLACK_BOT_TOKEN is needed in production (or SLACK_API_URL=playground for the embedded Slack)',
    );
  if (isPlaygroundNamed || !isSlackGiven) return 'playground';
  if (!has('SLACK_BOT_TOKEN'))
    problems.push('SLACK_BOT_TOKEN is missing, though other Slack settings are given: it starts with xoxb-');
  if (!has('SLACK_APP_TOKEN') && !has('SLACK_SIGNING_SECRET'))
    problems.push('SLACK_SIGNING_SECRET is missing (or set SLACK_APP_TOKEN to use Socket Mode)');
  return {
    mode: values.SLACK_APP_TOKEN ? 'socket' : 'http',
    botToken: values.SLACK_BOT_TOKEN ?? '',
    signingSecret: values.SLACK_SIGNING_SECRET,
    appToken: values.SLACK_APP_TOKEN,
    apiUrl: values.SLACK_API_URL ?? 'https://slack.com/api/',
  };
}
