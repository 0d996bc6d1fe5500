import type { AdmitRequest, OnRequest } from '../analytics/client.ts';
import type { Config } from '../config/config.ts';
import type { WorkspaceStore } from '../database/workspace-store.ts';
import type { Logger } from '../log.ts';
import { createAccountStore } from '../workspaces/accounts.ts';
import type { AuditedTransaction } from '../workspaces/audit.ts';
import { createLiveLogins, createWorkspaceAccount } from '../workspaces/workspace-account.ts';
import type { Service } from './service.ts';
import type { Store } from './store.ts';

interface OpenedBy {
  store: WorkspaceStore;
  audited: AuditedTransaction;
  /** Called for each request to the service. */
  onRequest: OnRequest;
  admit: AdmitRequest;
  newId: () => string;
}

export type Accounts = ReturnType<typeof createAccounts>;

/** The accounts of all workspaces of the process. */
export function createAccounts(options: {
  config: Config;
  store: Store;
  service: Service;
  /** There is no other workspace, so the operator's account serves it. */
  isOnlyWorkspace: boolean;
  realNow: () => number;
  logger: Logger;
}) {
  const { config, service, isOnlyWorkspace, realNow, logger } = options;
  const { db, box } = options.store;
  const { now, operatorsAccount, createClient } = service;
  const { isShared, addresses } = config.accounts;
  const logins = createLiveLogins({ db, box, service, logger });
  return {
    /** The account of one workspace, with its client of the service. */
    open: ({ store, audited, onRequest, admit, newId }: OpenedBy) =>
      createWorkspaceAccount({
        store,
        accounts: createAccountStore({ store, box, audited }),
        logins,
        operators: isOnlyWorkspace || isShared ? operatorsAccount : undefined,
        isOperatorsShared: !isOnlyWorkspace,
        addresses,
        samples: service.sampleAccounts,
        createClient: (login) => createClient(login, { onRequest, admit }),
        now,
        realNow,
        newId,
      }),
  };
}
