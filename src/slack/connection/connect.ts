import { WebAPIPlatformError, WebAPIRequestError } from '@slack/web-api';
import { networkReasonOf } from '../../errors.ts';
import type { Logger } from '../../log.ts';
import type { Measure } from '../../measure.ts';
import { createLookups, type Installation } from '../people/lookups.ts';
import { createRefusedBlocks } from '../posting/deliver.ts';
import { createMessenger } from '../posting/messenger.ts';
import { createBoltLogger, createSlackClients, type TokenSource } from './clients.ts';

/** The way to Slack of one workspace. */
export type SlackConnection = ReturnType<typeof createSlackConnection>;

interface ConnectionOptions {
  apiUrl: string;
  fetch: typeof globalThis.fetch;
  realNow: () => number;
  measure?: Measure;
  logger: Logger;
}

export function createSlackConnection(
  options: ConnectionOptions & TokenSource & { installation: Installation },
) {
  const { installation, apiUrl, getToken, logger } = options;
  const teamId = installation.isOrgWide ? installation.teamId : undefined;
  const clients = createSlackClients({ ...options, teamId, logger: createBoltLogger(logger) });
  const lookups = createLookups({ ...options, client: clients.reads });
  /** The block types that the workspace refuses. */
  const refused = createRefusedBlocks(options);
  const messenger = createMessenger(clients.posts, { refused });
  return { apiUrl, getToken, clients, installation, lookups, refused, messenger };
}

/** Asks Slack whose token it is. Throws SlackStartError if Slack refuses it or can't be reached. */
export async function identifyToken(botToken: string, options: ConnectionOptions): Promise<Installation> {
  const { apiUrl, logger } = options;
  const getToken = async () => botToken;
  const { reads } = createSlackClients({ ...options, getToken, logger: createBoltLogger(logger) });
  const { team_id, team, enterprise_id, user_id, bot_id } = await explainStartFailure(
    'SLACK_BOT_TOKEN',
    apiUrl,
    () => reads.auth.test(),
  );
  return {
    teamId: team_id ?? '',
    teamName: team ?? 'a workspace',
    enterpriseId: enterprise_id,
    botUserId: user_id ?? '',
    botId: bot_id,
  };
}

/** Slack prevents the start. The message names the setting, never its value. */
class SlackStartError extends Error {
  override readonly name = 'SlackStartError';
}

/** Throws SlackStartError if Slack refuses the token of `setting` or can't be reached. */
export async function explainStartFailure<T>(
  setting: 'SLACK_BOT_TOKEN' | 'SLACK_APP_TOKEN',
  apiUrl: string,
  request: () => Promise<T>,
): Promise<T> {
  try {
    return await request();
  } catch (cause) {
    if (cause instanceof WebAPIPlatformError) {
      throw new SlackStartError(
        `Slack refuses ${setting} (${cause.data.error}). \`npm run doctor\` checks each setting.`,
        { cause },
      );
    }
    if (cause instanceof WebAPIRequestError) {
      throw new SlackStartError(`Slack can't be reached at ${apiUrl} (${networkReasonOf(cause.original)}).`, {
        cause,
      });
    }
    throw cause;
  }
}
