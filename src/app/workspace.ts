import { randomUUID } from 'node:crypto';
import type { AnalyticsClient } from '../analytics/client.ts';
import { UnavailableError } from '../analytics/errors.ts';
import type { Config } from '../config/config.ts';
import type { Job, WorkspaceServices } from '../features/feature.ts';
import { createFeatures } from '../features/index.ts';
import type { Logger } from '../log.ts';
import { createOutbox } from '../outbox/outbox.ts';
import type { SlackConnection } from '../slack/connection/connect.ts';
import type { WorkspaceEdge } from '../slack/dispatch/workspace-edge.ts';
import { createMemberships } from '../slack/people/memberships.ts';
import { createPoster } from '../slack/posting/poster.ts';
import { createSlackServices } from '../slack/services.ts';
import { type AuditEntry, createAuditedTransaction } from '../workspaces/audit.ts';
import { createAccess } from '../workspaces/permissions.ts';
import { createChannelSettingsStore, createGuestSetting } from '../workspaces/settings.ts';
import { createRetentionJob } from './jobs.ts';
import type { Store, WorkspaceStore } from './store.ts';

interface WorkspaceOptions {
  config: Config;
  version: string;
  store: Store;
  workspace: Pick<WorkspaceStore, 'workspaceId' | 'credentialId'>;
  connection: SlackConnection;
  analytics: AnalyticsClient;
  source: WorkspaceServices['source'];
  /** A short reference that people can quote to whoever runs the bot. */
  newRef: () => string;
  /** The domain clock. */
  now: () => Date;
  realNow: () => number;
  logger: Logger;
}

/** Everything that belongs to one Slack workspace. */
export interface Workspace extends Omit<WorkspaceEdge, 'runDue'> {
  jobs: readonly Job[];
  /** Pauses the watches and digests of a channel that the bot can't post to any more, and notifies their owners. */
  markUnavailable(channel: { channelId: string; code: string }): Promise<void>;
}

export function createWorkspace(options: WorkspaceOptions): Workspace {
  const { config, store, connection, analytics, now, realNow, logger } = options;
  const { workspaceId } = options.workspace;
  const { db } = store;
  const newId = randomUUID;
  const getJoinedChannels = createMemberships({ client: connection.clients.reads, realNow });
  let auditListener: (entry: AuditEntry) => void = () => undefined;
  const audited = createAuditedTransaction(db, (entry) => auditListener(entry));
  const storeOptions = { db, workspaceId, audited, realNow };
  const guests = createGuestSetting({ ...storeOptions, now, newId });
  const channels = createChannelSettingsStore(storeOptions);
  const services: WorkspaceServices = {
    ...options.workspace,
    botUserId: connection.installation.botUserId,
    db,
    analytics,
    slack: createSlackServices(connection, { getJoinedChannels, guests, logger }),
    access: createAccess({ db, workspaceId, getJoinedChannels }),
    audited,
    channels,
    guests,
    settings: featureSettings(options),
    source: options.source,
    now,
    realNow,
    newId,
    newRef: options.newRef,
    tooSlow: tooSlowFor(analytics, now),
    logger,
  };
  const features = createFeatures(services);
  const outbox = createOutbox({
    ...services,
    leaseMs: config.leaseMs,
    outgoing: features.all.flatMap((feature) => feature.outgoing ?? []),
    poster: createPoster(connection.clients.background),
  });
  return {
    ...features,
    workspaceId,
    now,
    source: options.source,
    tooSlow: services.tooSlow,
    setAuditListener(listener) {
      auditListener = listener;
    },
    guests: guests.getCached,
    visibilityIn: async (channelId) => (await channels.getCached(channelId)).visibility,
    async markUnavailable(channel) {
      for (const { onChannelGone } of features.all) await onChannelGone?.(channel);
    },
    jobs: [
      ...features.all.flatMap(({ jobs = [] }) => jobs),
      { name: 'outbox', runDue: outbox.runDue },
      createRetentionJob({ db, features: features.all, historyDays: config.watches.historyDays }),
    ],
  };
}

export const featureSettings = ({
  config,
  version,
}: Pick<WorkspaceOptions, 'config' | 'version'>): WorkspaceServices['settings'] => ({
  version,
  usageVisibleTo: config.usageVisibleTo,
  maxWatchesPerChannel: config.watches.maxPerChannel,
  maxDigestsPerChannel: config.digests.maxPerChannel,
  pollMinutes: config.watches.pollMinutes,
  leaseMs: config.leaseMs,
});

/** A command that exceeds its deadline has been waiting for the service. */
export const tooSlowFor =
  (analytics: AnalyticsClient, now: () => Date) =>
  (cause: Error): UnavailableError =>
    new UnavailableError({ since: analytics.status().failingSince ?? now(), cause });
