import { createCache, createReadCache } from '../cache.ts';
import { messageOf } from '../errors.ts';
import type { Job } from '../features/feature.ts';
import type { Logger } from '../log.ts';
import type { TokenSource } from '../slack/connection/clients.ts';
import type { Installation } from '../slack/people/lookups.ts';
import type { Ended } from '../workspaces/end-installation.ts';
import type { Workspace } from './workspace.ts';

/** What a container is built from, and what may change under it. */
export interface ServedWorkspace extends TokenSource {
  installation: Installation;
  /** After an uninstall, an install adds the workspace anew. */
  addedAt: Date;
  /** By whoever runs Landfall: people get a notice, and no due work is done. */
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
