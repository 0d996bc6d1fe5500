import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import type { AnalyticsClient } from '../analytics/client.ts';
import { UnavailableError } from '../analytics/errors.ts';
import { type Config, createConfig } from '../config/config.ts';
import type { Schema } from '../database/schema.ts';
import type { Command } from '../features/command.ts';
import type { FeatureSet, SlackServices, WorkspaceServices } from '../features/feature.ts';
import { createFeatures } from '../features/index.ts';
import { onlyInSlack } from '../features/run-context.ts';
import { silentLogger } from '../log.ts';
import { defaultChannelSettings } from '../workspaces/settings.ts';
import { featureSettings } from './workspace.ts';

/** The features without a store or Slack, for the terminal, the manifest and the docs. */
export function createTerminalFeatures(options: {
  config: Config;
  version: string;
  analytics: AnalyticsClient;
  source: WorkspaceServices['source'];
  now: () => Date;
}): FeatureSet {
  const { analytics, source, now } = options;
  return createFeatures({
    workspaceId: 'terminal',
    credentialId: 'terminal',
    botUserId: 'terminal',
    db: emptyDatabase(),
    analytics,
    slack: noSlack,
    access: { mayUse: refuse, mayAdd: refuse, mayChange: refuse, getJoinedChannels: refuse },
    audited: refuse,
    guests: { get: async () => 'ask', getCached: async () => 'ask', change: refuse },
    channels: {
      get: async () => defaultChannelSettings,
      getCached: async () => defaultChannelSettings,
      save: refuse,
    },
    settings: featureSettings(options),
    source,
    now,
    realNow: Date.now,
    newId: () => 'terminal',
    newRef: () => '',
    toServiceTrouble: (cause) =>
      new UnavailableError({ since: analytics.status().failingSince ?? now(), cause }),
    logger: silentLogger,
  });
}

/** Every command, to be listed but not run. */
export function listCommands(): readonly Command[] {
  const config = createConfig({});
  const analytics = {} as AnalyticsClient; // only a command that runs uses it
  const now = () => new Date();
  return createTerminalFeatures({ config, version: '', analytics, source: 'service', now }).commands;
}

async function refuse(): Promise<never> {
  throw onlyInSlack();
}

const noSlack: SlackServices = {
  personOf: refuse,
  audienceOf: async () => 'private',
  directMessageOf: refuse,
  checkChannel: refuse,
  checkOwner: refuse,
  sendFile: async () => false,
  messages: { post: refuse, update: refuse, remove: refuse, linkTo: async () => undefined },
};

/** Always empty: the terminal must not open the store of a running bot. */
const emptyDatabase = () =>
  new Kysely<Schema>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
