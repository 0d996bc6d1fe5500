import type { CallCause } from '../analytics/answers.ts';
import type { AnalyticsClient } from '../analytics/client.ts';
import { UnavailableError } from '../analytics/errors.ts';
import type { Config } from '../config/config.ts';
import { storeOf } from '../database/workspace-store.ts';
import { createState, type WorkCtx } from '../features/ctx.ts';
import type { Job } from '../features/feature.ts';
import { commands, features, parseLine, registry } from '../features/index.ts';
import type { WorkspaceServices } from '../features/services.ts';
import { createOutbox } from '../outbox/outbox.ts';
import { createAskLine } from '../run/run-line.ts';
import type { SlackConnection } from '../slack/connection/connect.ts';
import type { SharedSlack, SlackContext } from '../slack/context.ts';
import { refreshHomes } from '../slack/home/home-tab.ts';
import { admitByAssistant } from '../slack/people/admit.ts';
import type { SlackUser } from '../slack/people/lookups.ts';
import { createPoster } from '../slack/posting/messenger.ts';
import { createSlackServices } from '../slack/services.ts';
import { createAccountStore } from '../workspaces/accounts.ts';
import { createAuditedTransaction } from '../workspaces/audit.ts';
import { type Activity, createCallBudget, createCallCounts } from '../workspaces/call-counts.ts';
import { createAccess } from '../workspaces/permissions.ts';
import {
  createCallLimit,
  createChannelSettingsStore,
  createGuestSetting,
  createLinkSetting,
} from '../workspaces/settings.ts';
import { createWorkPauses } from '../workspaces/work-pause.ts';
import { createWorkspaceAccount, type LiveLogins } from '../workspaces/workspace-account.ts';
import type { Service } from './service.ts';
import type { Store } from './store.ts';

export interface CommonOptions {
  config: Config;
  version: string;
  source: WorkspaceServices['source'];
  now: () => Date;
}

interface WorkspaceOptions extends CommonOptions {
  store: Store;
  service: Service;
  logins: LiveLogins;
  /** There is no other workspace, so the operator's account serves it. */
  isOnlyWorkspace: boolean;
  activity: Activity;
  workspaceId: string;
  connection: SlackConnection;
  shared: SharedSlack;
  /** Does this workspace's due work. */
  runDue(): Promise<void>;
  isPaused(): Promise<boolean>;
  newId: () => string;
  pictures: WorkspaceServices['pictures'];
  workbooks: WorkspaceServices['workbooks'];
  assistantsUrl: WorkspaceServices['assistantsUrl'];
}

/** What the features know of each other, and the way of the lines that they ask. */
export const fullRegistry: WorkCtx['registry'] = { ...registry, askLine: createAskLine(parseLine) };

export type Workspace = ReturnType<typeof createWorkspace>;

/** Everything that belongs to one Slack workspace. */
export function createWorkspace(options: WorkspaceOptions) {
  const { config, connection, now, newId, workspaceId, service, activity, isOnlyWorkspace } = options;
  const { realNow, logger } = options.shared;
  const store = storeOf(options.store.db, workspaceId);
  const { getJoinedChannels } = connection.lookups;
  const audited = createAuditedTransaction(store, ({ actorId, ownerIds = [] }) =>
    refreshHomes([actorId, ...ownerIds], slack),
  );
  const calls = createCallCounts({ store, save: activity.save });
  const limit = createCallLimit({
    ...{ store, audited, now, newId, realNow },
    operators: config.watches.dailyCalls,
  });
  const admit = createCallBudget({
    limit,
    calls,
    unsavedCalls: () => activity.unsavedToday(workspaceId),
    now,
  });
  const onRequest = (cause: CallCause | undefined) => activity.countCall(workspaceId, cause);
  const { isShared, addresses } = config.accounts;
  const { analytics, account, close } = createWorkspaceAccount({
    ...{ store, logins: options.logins, addresses, now, realNow, newId },
    accounts: createAccountStore({ store, box: options.store.box, audited }),
    operators: isOnlyWorkspace || isShared ? service.operatorsAccount : undefined,
    isOperatorsShared: !isOnlyWorkspace,
    samples: service.sampleAccounts,
    createClient: (login) => service.createClient(login, { onRequest, admit }),
  });
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
    limit,
    pauses: createWorkPauses({ store, audited, newId }),
    calls,
    pictures: options.pictures,
    workbooks: options.workbooks,
    state: createState(),
    assistantsUrl: options.assistantsUrl,
    realNow,
    newId,
    logger,
  };
  const ctx: WorkCtx = { services, registry: fullRegistry };
  const outbox = createOutbox({
    ...{ ctx, store, realNow, newId, logger },
    leaseMs: config.leaseMs,
    outgoing: features.flatMap((feature) => feature.outgoing ?? []),
    poster: createPoster(connection.clients.background, {
      refused: connection.refused,
      grantUrl: connection.installation.grantUrl,
    }),
  });
  const { isPaused, runDue } = options;
  const recordUse = () => activity.recordUse(workspaceId);
  const slack: SlackContext = {
    ...{ ...options.shared, ...connection, ctx, features, commands, parseLine },
    ...{ workspaceId, isPaused, recordUse, runDue },
  };
  const jobs = [...features.flatMap(({ jobs = [] }) => jobs.map(withCtx)), { name: 'messages', ...outbox }];
  return {
    analytics,
    /** For assistants that ask for a person of this workspace. */
    findCaller: (user: SlackUser) => admitByAssistant(user, slack),
    /** Lets go of the account's login. */
    close,
    slack,
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
    leaseMs: config.leaseMs,
  },
  // For a command that ran out of time while it waited for the service.
  toServiceTrouble: (cause: Error) =>
    new UnavailableError({ since: analytics.status().failingSince ?? now(), cause }),
});
