import type { Logger as BoltLogger } from '@slack/bolt';
import type { WebClient } from '@slack/web-api';
import type { SlackConfig } from '../../config/config.ts';
import type { Logger } from '../../log.ts';
import { type Audiences, createAudiences } from '../people/audiences.ts';
import { createPeople, type People } from '../people/people.ts';
import { createBoltLogger } from './bolt-logger.ts';
import { createSlackClients, type SlackClients } from './clients.ts';
import type { Installation } from './installation.ts';
import { explainingSetting } from './start-error.ts';

/** What the bot knows of Slack before it receives anything. */
export interface SlackConnection {
  slack: SlackConfig;
  clients: SlackClients;
  installation: Installation;
  people: People;
  audiences: Audiences;
  boltLogger: BoltLogger;
}

/** Throws SlackStartError when Slack refuses the token or can't be reached. */
export async function connectSlack(options: {
  slack: SlackConfig;
  fetch: typeof globalThis.fetch;
  realNow: () => number;
  logger: Logger;
}): Promise<SlackConnection> {
  const { slack, fetch, realNow, logger } = options;
  const boltLogger = createBoltLogger(logger);
  const clients = createSlackClients({ ...slack, fetch, logger: boltLogger });
  const installation = await explainingSetting({ setting: 'SLACK_BOT_TOKEN', apiUrl: slack.apiUrl }, () =>
    whoAmI(clients.reads),
  );
  const client = clients.reads;
  const people = createPeople({ client, installation, realNow, logger });
  const audiences = createAudiences({ client, realNow, logger });
  return { slack, clients, installation, people, audiences, boltLogger };
}

async function whoAmI(client: WebClient): Promise<Installation> {
  const { team_id, team, enterprise_id, user_id, bot_id } = await client.auth.test();
  return {
    teamId: team_id ?? '',
    teamName: team ?? 'a workspace',
    enterpriseId: enterprise_id,
    botUserId: user_id ?? '',
    botId: bot_id,
  };
}
