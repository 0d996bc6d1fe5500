import { defaultLeaseMs } from '../../src/database/due.ts';
import type { WorkspaceStore } from '../../src/database/workspace-store.ts';
import { createState } from '../../src/features/ctx.ts';
import {
  type PollAnalytics,
  type PollLimits,
  type PollReport,
  pollDue,
} from '../../src/features/polling/poll.ts';
import type { Logger } from '../../src/log.ts';
import { limitOf } from './call-limit.ts';
import { createStoreLogger } from './store-logger.ts';

export interface PollerOptions extends PollLimits {
  store: WorkspaceStore;
  analytics: PollAnalytics;
  newId: () => string;
  realNow?: () => number;
  logger?: Logger;
  refreshAccount?: () => Promise<boolean>;
  fixedMinutes?: number;
  dailyCalls?: number;
  leaseMs?: number;
}

export interface Poller {
  runDue(now: Date, mayClaim?: () => boolean): Promise<PollReport>;
}

/** The polls of one process. */
export function createPoller(options: PollerOptions): Poller {
  const { store, analytics, newId, realNow = Date.now, logger = createStoreLogger() } = options;
  const { refreshAccount: refresh = async () => true, leaseMs = defaultLeaseMs } = options;
  const settings = { pollMinutes: options.fixedMinutes, leaseMs };
  const limit = limitOf(options.dailyCalls);
  const state = createState();
  const services = { store, analytics, newId, realNow, logger, account: { refresh }, limit, settings, state };
  return { runDue: (now, mayClaim = () => true) => pollDue(now, mayClaim, { services }, options) };
}
