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
import { bindTo } from './bind.ts';

interface Options {
  store: WorkspaceStore;
  newId: () => string;
  audited?: StoreCtx['services']['audited'];
  maxPerChannel?: number;
}

const binder = ({ maxPerChannel: maxWatchesPerChannel = 1000, ...services }: Options) => {
  const audited = createAuditedTransaction(services.store);
  return bindTo<StoreCtx>({ services: { audited, ...services, settings: { maxWatchesPerChannel } } });
};

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
