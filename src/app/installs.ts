import { randomUUID } from 'node:crypto';
import { createCache, createReadCache } from '../cache.ts';
import type { ManyWorkspacesConfig, OneWorkspaceConfig, SlackConfig } from '../config/config.ts';
import { storeOf } from '../database/workspace-store.ts';
import { messageOf } from '../errors.ts';
import { queueWelcome } from '../features/account/index.ts';
import type { Job } from '../features/feature.ts';
import { commands } from '../features/index.ts';
import type { Logger } from '../log.ts';
import {
  acceptsToken,
  createBoltLogger,
  createOAuthCalls,
  type TokenRefusal,
  type TokenSource,
} from '../slack/connection/clients.ts';
import { identifyToken } from '../slack/connection/connect.ts';
import type { SharedSlack } from '../slack/context.ts';
import { createAnswerRemoved, createAnswerUnknown } from '../slack/install/answer-unknown.ts';
import { createInstallPages } from '../slack/install/install-pages.ts';
import type { Offer } from '../slack/install/pages.ts';
import { scopeLink } from '../slack/install/scopes.ts';
import { createOneWorkspaceEnd, type LifecycleOptions } from '../slack/listeners/lifecycle.ts';
import type { Pages } from '../slack/receivers/http.ts';
import type { Ended } from '../workspaces/end-installation.ts';
import { createInstallations, type DeliverySource, type Installation } from '../workspaces/installations.ts';
import { takeInstallState } from '../workspaces/save-installation.ts';
import { forgetWorkspace, readWorkspaceState, saveWorkspace } from '../workspaces/workspaces.ts';
import type { Store } from './store.ts';
import type { Workspace } from './workspace.ts';

/** See Installs. Throws SlackStartError if Slack refuses the token of the settings or can't be reached. */
export const createInstalls = async (config: SlackConfig, options: InstallsOptions): Promise<Installs> =>
  config.kind === 'one' ? await installFromSettings(config, options) : installsByOAuth(config, options);

/** The workspaces that this process serves: the one of the settings, or all that installed the app. */
export interface Installs {
  /** The installation of the settings; undefined for many workspaces. */
  only?: Installation;
  /** The id of the workspace that a delivery is for; undefined if it has not installed the app. */
  find(source: DeliverySource): Promise<string | undefined>;
  /** Undefined if the app is not installed there. */
  read(workspaceId: string): Promise<ServedWorkspace | undefined>;
  endOlderThan: LifecycleOptions['endOlderThan'];
  endUnlisted: LifecycleOptions['endUnlisted'];
  /** Answers a delivery of a team that has not installed the app. */
  onUnknown(body: unknown): Promise<void>;
  /** The pages where workspaces install the app; `address` is that of the bot's server. */
  createPages?(address: string): Pages;
  whyNotReady(): string[];
  /** Work that is not of one workspace; call it now and then. */
  cleanUp(): Promise<void>;
  /** Resolves when nothing is being written any more. */
  settled(): Promise<void>;
}

interface InstallsOptions {
  /** The landing page says it. */
  offer: Offer;
  store: Store;
  /** The domain clock. */
  now: () => Date;
  shared: SharedSlack;
}

/** The workspace of SLACK_BOT_TOKEN. */
async function installFromSettings(
  { apiUrl, botToken }: OneWorkspaceConfig,
  { store, shared }: InstallsOptions,
): Promise<Installs> {
  const { fetch, realNow, logger } = shared;
  const installation = await identifyToken(botToken, { ...shared, apiUrl });
  const { teamId, teamName } = installation;
  await saveWorkspace(store.db, { id: teamId, name: teamName, now: new Date(realNow()) });
  let isRefused = false;
  return {
    only: installation,
    // With the token of the settings nobody else can deliver.
    find: async () => teamId,
    // The operator removed it while this process ran: the next start begins anew.
    onUnknown: createAnswerRemoved(logger),
    async read() {
      const found = await readWorkspaceState(store.db, teamId);
      // A workspace that was removed is added again at the next start.
      if (!found || found.state === 'being removed') return undefined;
      const { state, addedAt } = found;
      return { installation, addedAt, isPaused: state === 'paused', getToken: async () => botToken };
    },
    endOlderThan: createOneWorkspaceEnd({
      installation,
      isTokenAccepted: () => acceptsToken(botToken, { apiUrl, fetch, logger: createBoltLogger(logger) }),
      onRefused: () => {
        isRefused = true;
      },
      forgetWorkspace: () => forgetWorkspace(store.db, teamId, new Date(realNow())),
    }),
    // Its token works in one workspace, as long as it works at all.
    endUnlisted: async () => ({ outcome: 'ignored' }),
    whyNotReady: () => (isRefused ? ["Slack does not accept the bot's token any more"] : []),
    cleanUp: async () => undefined,
    settled: async () => undefined,
  };
}

/** The workspaces that installed the app with “Add to Slack”. */
function installsByOAuth(config: ManyWorkspacesConfig, options: InstallsOptions): Installs {
  const { offer, store, now, shared } = options;
  const { fetch, realNow, logger } = shared;
  const boltLogger = createBoltLogger(logger);
  const installations = createInstallations({
    ...shared,
    ...store,
    oauth: createOAuthCalls(config, { fetch, logger: boltLogger }),
    newId: randomUUID,
    async onFirstInstall(transaction, { teamId, name: team, installerId, installedAt }) {
      const times = { installedAt, now: now(), realNow: new Date(realNow()) };
      await queueWelcome(storeOf(transaction, teamId), { team, installerId, ...times });
    },
  });
  let { publicUrl } = config;
  /** Undefined for one whose token is revoked: it has to install the app again. */
  const read = async (workspaceId: string): Promise<ServedWorkspace | undefined> => {
    const found = await installations.get(workspaceId);
    if (!found || found.isRevoked) return undefined;
    const { addedAt, isPaused, isRevoked: _, installationId, ...place } = found;
    const installation = { ...place, grantUrl: scopeLink(publicUrl, installationId) };
    const getToken = () => installations.botToken(installationId);
    const onTokenRefused = async ({ code, token }: TokenRefusal) => {
      if (code === 'token_expired') return installations.expireToken(installationId, token);
      await installations.checkToken(installationId);
      return false;
    };
    return { installation, addedAt, isPaused, getToken, onTokenRefused };
  };
  return {
    find: async (source) => (await installations.find(source))?.teamId,
    read,
    onUnknown: (body) => createAnswerUnknown({ publicUrl, logger })(body),
    createPages(address) {
      // The playground's bot has no other address.
      publicUrl ||= address;
      return createInstallPages({
        ...shared,
        slack: config,
        publicUrl,
        ...{ offer, commands },
        save: installations.save,
        takeState: (state) => takeInstallState(store.db, state, new Date(realNow())),
        boltLogger,
      });
    },
    endOlderThan: installations.endOlderThan,
    endUnlisted: installations.endUnlisted,
    whyNotReady: () => [],
    cleanUp: installations.endRevoked,
    settled: installations.settled,
  };
}

/** What a container is built from, and what may change under it. */
export interface ServedWorkspace extends TokenSource {
  installation: Installation;
  /** After an uninstall, an install adds the workspace anew. */
  addedAt: Date;
  /** The operator pauses it: people get a notice, and no due work is done. */
  isPaused: boolean;
}

export type Workspaces = ReturnType<typeof createWorkspaces>;

/** About as many as are used within an hour. One takes some 0.7 MB while it is busy, see docs/benchmarks.md. */
const maxWarm = 500;

/** The containers of the installed workspaces: each is loaded once and stays warm, up to a bound. */
export function createWorkspaces(options: {
  /** Undefined if the app is not installed there any more. */
  read(workspaceId: string): Promise<ServedWorkspace | undefined>;
  load(installed: ServedWorkspace): Promise<Workspace>;
  realNow: () => number;
  logger: Logger;
  max?: number;
}) {
  const { load, realNow, logger, max = maxWarm } = options;
  const warm = createCache<{ served: ServedWorkspace; workspace: Promise<Workspace> }>({
    max,
    dispose: ({ workspace }) => void workspace.then(({ close }) => close()).catch(() => undefined),
  });
  /** At most a second old. Throws StoreUnavailable only for a workspace that was never read. */
  const installed = createReadCache({
    read: options.read,
    realNow,
    last: {
      // A delivery is acknowledged only afterwards, and Slack waits three seconds.
      maxWaitMs: 1_000,
      serves(error, _, workspace) {
        logger.warn({ workspace, reason: messageOf(error) }, 'a workspace could not be read');
        return true;
      },
    },
  });

  async function open(workspaceId: string): Promise<Workspace | undefined> {
    const found = await installed.get(workspaceId);
    if (!found) {
      warm.delete(workspaceId);
      return undefined;
    }
    const earlier = warm.get(workspaceId);
    if (earlier && isSame(earlier.served, found)) return await earlier.workspace;
    const loaded = { served: found, workspace: load(found) };
    warm.set(workspaceId, loaded);
    loaded.workspace.catch(() => {
      if (warm.peek(workspaceId) === loaded) warm.delete(workspaceId);
    });
    return await loaded.workspace;
  }

  /** At most a second old; refreshed for the next call. */
  function mayWork(workspaceId: string): boolean {
    // If it rejects, what was read last holds.
    installed.get(workspaceId).catch(() => undefined);
    return installed.peekLast(workspaceId)?.isPaused === false;
  }

  function drop(workspaceId: string): void {
    installed.forget(workspaceId);
    warm.delete(workspaceId);
  }

  return {
    /** Undefined if the app is not installed there. */
    open,
    /** Undefined if no due work may be done there now. A pause also ends the claims of a turn that is under way. */
    async openJob(workspaceId: string, kind: string): Promise<Job | undefined> {
      if ((await installed.get(workspaceId))?.isPaused !== false) return undefined;
      const job = (await open(workspaceId))?.jobs.get(kind);
      if (!job) return undefined;
      return {
        ...job,
        runDue: (now, mayClaim) => job.runDue(now, () => mayClaim() && mayWork(workspaceId)),
      };
    },
    isPaused: async (workspaceId: string) => (await installed.get(workspaceId))?.isPaused ?? true,
    /** The next `open` reads the workspaces that have ended again. */
    dropEnded(ended: Ended): Ended {
      for (const workspaceId of ended.outcome === 'ignored' ? [] : ended.workspaceIds) drop(workspaceId);
      return ended;
    },
    /** The containers in use. */
    warm: () => Promise.all([...warm.values()].map(({ workspace }) => workspace)),
  };
}

/** May a container that was built from the one serve the other? */
const isSame = (one: ServedWorkspace, other: ServedWorkspace): boolean =>
  one.addedAt.getTime() === other.addedAt.getTime() &&
  one.installation.botUserId === other.installation.botUserId &&
  one.installation.botId === other.installation.botId &&
  one.installation.enterpriseId === other.installation.enterpriseId &&
  Boolean(one.installation.isOrgWide) === Boolean(other.installation.isOrgWide);
