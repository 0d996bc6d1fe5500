import { LRUCache } from 'lru-cache';
import { createShortCache } from '../database/short-cache.ts';
import { messageOf } from '../errors.ts';
import { withinDeadline } from '../features/deadline.ts';
import type { Job } from '../features/feature.ts';
import type { Logger } from '../log.ts';
import type { TokenSource } from '../slack/connection/clients.ts';
import type { Installation } from '../slack/connection/installation.ts';
import type { Workspace } from './workspace.ts';

/** A workspace in which the app is installed. */
export interface InstalledWorkspace extends TokenSource {
  installation: Installation;
  /** By whoever runs Landfall: people get a notice, and no due work is done. */
  isPaused: boolean;
}

export type Workspaces = ReturnType<typeof createWorkspaces>;

/** About as many as are used within an hour. One takes some 200 kB. */
const maxWarm = 500;
/** For the store, if what it said last is known. */
const maxWaitMs = 1_000;

/** The containers of the installed workspaces: each is loaded once and stays warm, up to a bound. */
export function createWorkspaces(options: {
  /** Undefined if the app is not installed there any more. */
  read(workspaceId: string): Promise<InstalledWorkspace | undefined>;
  load(installed: InstalledWorkspace): Promise<Workspace>;
  realNow: () => number;
  logger: Logger;
  max?: number;
}) {
  const { load, realNow, logger, max = maxWarm } = options;
  const warm = new LRUCache<string, Promise<Workspace>>({
    max,
    dispose: (former) => void former.then(({ close }) => close()).catch(() => undefined),
  });
  const current = createShortCache({ read: options.read, realNow });
  /** What was read last, for when the store does not answer. */
  const last = new LRUCache<string, InstalledWorkspace>({ max });

  /** At most a second old. Throws StoreUnavailable only for a workspace that was never read. */
  async function installed(workspaceId: string): Promise<InstalledWorkspace | undefined> {
    const known = last.get(workspaceId);
    try {
      const reading = current.get(workspaceId);
      // A delivery is acknowledged only afterwards, and Slack waits three seconds.
      const found = await (known ? withinDeadline(maxWaitMs, () => reading) : reading);
      if (found) last.set(workspaceId, found);
      else last.delete(workspaceId);
      return found;
    } catch (error) {
      if (!known) throw error;
      logger.warn({ workspace: workspaceId, reason: messageOf(error) }, 'a workspace could not be read');
      return known;
    }
  }

  async function open(workspaceId: string): Promise<Workspace | undefined> {
    const found = await installed(workspaceId);
    if (!found) {
      warm.delete(workspaceId);
      return undefined;
    }
    const { installation } = found;
    const earlier = warm.get(workspaceId);
    if (earlier && isSame((await earlier).installation, installation)) return await earlier;
    // Another delivery may have begun to load it meanwhile.
    const loading = warm.get(workspaceId);
    if (loading && loading !== earlier) return await loading;
    const loaded = load(found);
    warm.set(workspaceId, loaded);
    loaded.catch(() => {
      if (warm.peek(workspaceId) === loaded) warm.delete(workspaceId);
    });
    return await loaded;
  }

  /** At most a second old; refreshed for the next call. */
  function mayWork(workspaceId: string): boolean {
    // If it rejects, what was read last holds.
    installed(workspaceId).catch(() => undefined);
    return last.get(workspaceId)?.isPaused === false;
  }

  return {
    /** Undefined if the app is not installed there. */
    open,
    /** Undefined if no due work may be done there now. A pause also ends the claims of a turn that is under way. */
    async openJob(workspaceId: string, kind: string): Promise<Job | undefined> {
      if ((await installed(workspaceId))?.isPaused !== false) return undefined;
      const job = (await open(workspaceId))?.jobs.get(kind);
      if (!job) return undefined;
      return {
        ...job,
        runDue: (now, mayClaim) => job.runDue(now, () => mayClaim() && mayWork(workspaceId)),
      };
    },
    isPaused: async (workspaceId: string) => (await installed(workspaceId))?.isPaused ?? true,
    /** Call after this process has changed an installation: the next `open` reads it again. */
    invalidate: current.invalidate,
    /** The containers in use. */
    warm: () => Promise.all(warm.values()),
  };
}

/** The parts of an installation that a container is built from. */
const isSame = (one: Installation, other: Installation): boolean =>
  one.botUserId === other.botUserId &&
  one.botId === other.botId &&
  Boolean(one.isOrgWide) === Boolean(other.isOrgWide);
