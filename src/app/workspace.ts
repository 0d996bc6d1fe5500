import type { AnalyticsClient, OnRequest } from '../analytics/client.ts';
import { UnavailableError } from '../analytics/errors.ts';
import type { Config } from '../config/config.ts';
import { storeOf } from '../database/workspace-store.ts';
import type { Job } from '../features/feature.ts';
import { createFeatures } from '../features/index.ts';
import type { WorkCtx } from '../features/run-context.ts';
import { createState, type WorkspaceServices } from '../features/services.ts';
import type { Logger } from '../log.ts';
import { createOutbox } from '../outbox/outbox.ts';
import { createAskLine } from '../run/ask-line.ts';
import type { SlackConnection } from '../slack/connection/connect.ts';
import { createEdgeParts, type EdgeBasis } from '../slack/edge-parts.ts';
import { createPoster } from '../slack/posting/poster.ts';
import { createSlackServices } from '../slack/services.ts';
import { type AuditEntry, createAuditedTransaction } from '../workspaces/audit.ts';
import { createCallBudget } from '../workspaces/call-budget.ts';
import { createCallCounts } from '../workspaces/call-counts.ts';
import { createAccess } from '../workspaces/permissions.ts';
import { createChannelSettingsStore, createGuestSetting, createLinkSetting } from '../workspaces/settings.ts';
import type { Accounts } from './accounts.ts';
import type { Store } from './store.ts';

export interface CommonOptions {
  config: Config;
  version: string;
  source: WorkspaceServices['source'];
  now: () => Date;
}

interface WorkspaceOptions extends CommonOptions {
  store: Store;
  accounts: Accounts;
  /** Called for each request to the service. */
  onRequest: OnRequest;
  /** Writes the calls that have been counted. */
  saveCalls(): Promise<void>;
  /** How many of today are not written yet. */
  unsavedCalls(): number;
  workspaceId: string;
  connection: SlackConnection;
  basis: EdgeBasis;
  /** Does this workspace's due work. */
  runDue(): Promise<void>;
  isPaused(): Promise<boolean>;
  recordUse(): void;
  realNow: () => number;
  newId: () => string;
  pictures: WorkspaceServices['pictures'];
  workbooks: WorkspaceServices['workbooks'];
  assistantsUrl: WorkspaceServices['assistantsUrl'];
  logger: Logger;
}

export type Workspace = ReturnType<typeof createWorkspace>;

/** Everything that belongs to one Slack workspace. */
export function createWorkspace(options: WorkspaceOptions) {
  const { config, connection, basis, source, now, realNow, newId, logger } = options;
  const { workspaceId } = options;
  const store = storeOf(options.store.db, workspaceId);
  const { getJoinedChannels } = connection.lookups;
  // The edge draws Home tabs again after a change. It is created after the workspace, and then sets this.
  let auditListener: (entry: AuditEntry) => void = () => undefined;
  const audited = createAuditedTransaction(store, (entry) => auditListener(entry));
  const calls = createCallCounts({ store, save: options.saveCalls });
  const { unsavedCalls } = options;
  const admit = createCallBudget({ dailyCalls: config.watches.dailyCalls, calls, unsavedCalls, now });
  const { analytics, account, close } = options.accounts.open({ ...options, store, audited, admit });
  const storeOptions = { store, audited, realNow };
  const guests = createGuestSetting({ ...storeOptions, now, newId });
  const links = createLinkSetting({ ...storeOptions, now, newId });
  const channels = createChannelSettingsStore(storeOptions);
  const services: WorkspaceServices = {
    ...commonServices({ ...options, analytics }),
    account,
    botUserId: connection.installation.botUserId,
    store,
    slack: createSlackServices(connection, { guests, logger }),
    access: createAccess({ store, getJoinedChannels }),
    audited,
    channels,
    guests,
    links,
    calls,
    pictures: options.pictures,
    workbooks: options.workbooks,
    state: createState(),
    assistantsUrl: options.assistantsUrl,
    realNow,
    newId,
    logger,
  };
  const features = createFeatures(services, (parseLine) => createAskLine({ ...services, parseLine }));
  const { ctx } = features;
  const outbox = createOutbox({
    ...services,
    ctx,
    leaseMs: config.leaseMs,
    outgoing: features.all.flatMap((feature) => feature.outgoing ?? []),
    poster: createPoster(connection.clients.background, {
      refused: connection.refused,
      grantUrl: connection.installation.grantUrl,
    }),
  });
  const parts = createEdgeParts({
    connection,
    basis,
    workspace: {
      ...features,
      workspaceId,
      now,
      newId,
      source,
      setAuditListener(listener: typeof auditListener) {
        auditListener = listener;
      },
      isPaused: options.isPaused,
      recordUse: options.recordUse,
      guestRights: guests.getCached,
      linkMode: links.getCached,
      visibilityIn: async (channelId: string) => (await channels.getCached(channelId)).visibility,
      async markUnavailable(channel: { channelId: string; code: string }) {
        for (const { onChannelGone } of features.all) await onChannelGone?.(channel, ctx);
      },
      runDue: options.runDue,
    },
  });
  const jobs = [
    ...features.all.flatMap(({ jobs = [] }) => jobs.map(withCtx)),
    { name: 'messages', ...outbox },
  ];
  return {
    analytics,
    /** For assistants that ask for a person of this workspace. */
    assistant: {
      commands: features.commands,
      findCaller: parts.findAssistantCaller,
    },
    /** Lets go of the account's login. */
    close,
    parts,
    /** By name. */
    jobs: new Map<string, Job>(jobs.map((job) => [job.name, job])),
  };

  function withCtx({ name, runDue, finish }: Job<WorkCtx>): Job {
    return {
      name,
      runDue: (at, mayClaim) => runDue(at, mayClaim, ctx),
      ...(finish && { finish: () => finish(ctx) }),
    };
  }
}

/** The services that need neither a store nor Slack. */
export const commonServices = ({
  config,
  version,
  analytics,
  source,
  now,
}: CommonOptions & { analytics: AnalyticsClient }) => ({
  analytics,
  source,
  now,
  settings: {
    version,
    usageVisibleTo: config.usageVisibleTo,
    maxWatchesPerChannel: config.watches.maxPerChannel,
    maxDigestsPerChannel: config.digests.maxPerChannel,
    pollMinutes: config.watches.pollMinutes,
    dailyCalls: config.watches.dailyCalls,
    leaseMs: config.leaseMs,
  },
  // For a command that ran out of time while it waited for the service.
  toServiceTrouble: (cause: Error) =>
    new UnavailableError({ since: analytics.status().failingSince ?? now(), cause }),
});
