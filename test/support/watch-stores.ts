import type { WorkspaceStore } from '../../src/database/workspace-store.ts';
import { acknowledgeAlerts, alertsOfMessage, assignAlerts } from '../../src/features/watches/alerts.ts';
import {
  changeWatch,
  createWatch,
  deleteWatch,
  endPause,
  pollNow,
  type StoreCtx,
} from '../../src/features/watches/watch-store.ts';
import { createAuditedTransaction } from '../../src/workspaces/audit.ts';

interface Options {
  store: WorkspaceStore;
  newId: () => string;
  audited?: StoreCtx['services']['audited'];
  maxPerChannel?: number;
}

/** Returns a function that gives others the context of this store. */
const binder = ({ maxPerChannel: maxWatchesPerChannel = 1000, ...services }: Options) => {
  const audited = createAuditedTransaction(services.store);
  const ctx = { services: { audited, ...services, settings: { maxWatchesPerChannel } } };
  return <Args extends unknown[], Result>(run: (...args: [...Args, StoreCtx]) => Result) =>
    (...args: Args): Result =>
      run(...args, ctx);
};

export type WatchStore = ReturnType<typeof createWatchStore>;

export function createWatchStore(options: Options) {
  const bind = binder(options);
  return {
    create: bind(createWatch),
    stop: bind(deleteWatch),
    change: bind(changeWatch),
    refresh: bind(pollNow),
    resume: bind(endPause),
  };
}

export type AlertStore = ReturnType<typeof createAlertStore>;

export function createAlertStore(options: Options) {
  const bind = binder(options);
  return {
    ofMessage: bind(alertsOfMessage),
    acknowledge: bind(acknowledgeAlerts),
    assign: bind(assignAlerts),
  };
}
